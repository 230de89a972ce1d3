import LaunchHTTP

/// What was made of header lists seen lately: a client mostly sends the same one to a host, call by call.
///
/// Lists of as many lines are compared until one fits. That takes a moment: they share their memory, or differ in one of
/// the first lines.
struct FieldsMemory<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var fields: Fields
    var value: Value
  }

  /// For each count of lines, of which larger ones share a place, a few lists.
  private var entries = [Entry?](repeating: nil, count: 16 * Self.ways)
  /// The one that the next list takes the place of, for each count.
  private var next = [Int](repeating: 0, count: 16)

  private static var ways: Int { 4 }

  subscript(fields: Fields) -> Value? {
    get {
      let entries = entries.span
      let first = (fields.count & 15) * Self.ways
      for index in first..<first + Self.ways where entries[index]?.fields == fields { return entries[index]?.value }
      return nil
    }
    set {
      let place = fields.count & 15
      let known = (0..<Self.ways).first { entries[place * Self.ways + $0]?.fields == fields }
      let way = known ?? next[place]
      if known == nil { next[place] = (way + 1) % Self.ways }
      entries[place * Self.ways + way] = newValue.map { Entry(fields: fields, value: $0) }
    }
  }
}
