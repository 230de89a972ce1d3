/// Values by number, such as the occurrences that are open, by their ids: nearly always a few, which are looked through
/// faster than they are hashed.
struct NumberTable<Value> {
  /// None while there are many.
  private var few: [(number: Int, value: Value)] = []
  /// All of them from the time when there are more than `limit` until there is none.
  private var many: [Int: Value] = [:]

  private static var limit: Int { 8 }

  var isEmpty: Bool { few.isEmpty && many.isEmpty }

  var count: Int { few.count + many.count }

  /// In no particular order.
  var values: [Value] { many.isEmpty ? few.map(\.value) : Array(many.values) }

  subscript(number: Int) -> Value? {
    get {
      if !many.isEmpty { return many[number] }
      return place(of: number).map { few[$0].value }
    }
    set {
      if let newValue { put(newValue, at: number) } else { take(number) }
    }
  }

  func contains(_ number: Int) -> Bool { many.isEmpty ? place(of: number) != nil : many[number] != nil }

  /// Takes out the value of a number.
  @discardableResult
  mutating func take(_ number: Int) -> Value? {
    if !many.isEmpty { return many.removeValue(forKey: number) }
    guard let place = place(of: number) else { return nil }
    // The last one takes its place: the order is nobody's.
    few.swapAt(place, few.count - 1)
    return few.removeLast().value
  }

  /// Changes a value where it stands; does nothing when there is none.
  mutating func change(_ number: Int, _ change: (inout Value) -> Void) {
    if let place = place(of: number) {
      change(&few[place].value)
    } else if let index = many.index(forKey: number) {
      change(&many.values[index])
    }
  }

  private mutating func put(_ value: consuming Value, at number: Int) {
    if !many.isEmpty {
      many[number] = value
    } else if let place = place(of: number) {
      few[place].value = value
    } else if few.count < Self.limit {
      few.append((number, value))
    } else {
      many = Dictionary(uniqueKeysWithValues: few.map { ($0.number, $0.value) })
      many[number] = value
      few = []
    }
  }

  private func place(of number: Int) -> Int? {
    for place in few.indices where few[place].number == number { return place }
    return nil
  }
}

extension NumberTable: Sendable where Value: Sendable {}

extension NumberTable: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (Int, Value)...) {
    for (number, value) in elements { self[number] = value }
  }
}
