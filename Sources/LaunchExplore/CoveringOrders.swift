/// A few orders in which every order of any `strength` of the numbers occurs that a partial order allows: a sequence
/// covering array with constraints.
///
/// Between two numbers of a sequence any others may stand. The orders are found greedily, the same for the same seed, and are
/// a few more than the fewest.
struct CoveringOrders {
  let orders: [[Int]]

  /// - Parameter missing: The sequences that have to occur: all that the order allows, or those that are left.
  init(_ order: PartialOrder, _ missing: Sequences, seed: UInt64 = 1) {
    var missing = missing
    var generator = ExploreGenerator(seed: seed)
    var orders: [[Int]] = []
    let tries = min(40, max(4, 4_000_000 / missing.size))
    while let wanted = missing.any(using: &generator) {
      // Some order must have it, so that each round gets on.
      var constrained = order
      for (first, second) in zip(wanted, wanted.dropFirst()) { constrained.insert(first, before: second) }
      var best: (order: [Int], gain: Int)?
      for number in 0...tries {
        let candidate: [Int]
        if number == 0, let last = orders.last {
          // What is as different as can be.
          candidate = constrained.linearExtension { available, _ in
            last.last(where: available.contains) ?? available[0]
          }
        } else {
          candidate = (number % 2 == 0 ? order : constrained).linearExtension { available, soFar in
            missing.best(of: available, after: soFar, using: &generator)
          }
        }
        let gain = missing.count(in: candidate)
        if gain > best?.gain ?? 0 { best = (candidate, gain) }
      }
      guard let best else { break }
      missing.remove(occurringIn: best.order)
      orders.append(best.order)
    }
    self.orders = orders
  }
}

/// Sequences of so many numbers, in any of which the next may come long after the one before.
struct Sequences {
  private let bound: Int
  /// How many numbers one has.
  let strength: Int
  /// By the numbers of a sequence, read as digits to the base `bound`.
  private var isMissing: [Bool]
  private(set) var count = 0

  /// Everything that the order allows.
  /// - Parameter strength: 2, 3 or 4; where there are fewer numbers, all of them.
  init(_ order: PartialOrder, strength: Int) {
    let strength = min(strength, order.count)
    bound = order.count
    self.strength = strength
    isMissing = Array(repeating: false, count: (0..<strength).reduce(1) { product, _ in product * order.count })
    add([], 0, order)
  }

  /// All that begin with `start`, which the digits `code` stand for.
  private mutating func add(_ start: [Int], _ code: Int, _ order: PartialOrder) {
    guard start.count < strength else {
      isMissing[code] = !start.isEmpty
      count += start.isEmpty ? 0 : 1
      return
    }
    for number in 0..<bound where start.allSatisfy({ $0 != number && !order.isBefore(number, $0) }) {
      add(start + [number], code * bound + number, order)
    }
  }

  /// How many there can be.
  var size: Int { isMissing.count }

  func any(using generator: inout ExploreGenerator) -> [Int]? {
    guard count > 0 else { return nil }
    let start = Int.random(in: isMissing.indices, using: &generator)
    guard var code = isMissing[start...].firstIndex(of: true) ?? isMissing[..<start].firstIndex(of: true) else {
      return nil
    }
    var numbers: [Int] = []
    for _ in 0..<strength {
      numbers.append(code % bound)
      code /= bound
    }
    return numbers.reversed()
  }

  /// The number that ends the most missing sequences which begin in `soFar`; one of several by chance.
  func best(of available: [Int], after soFar: [Int], using generator: inout ExploreGenerator) -> Int {
    guard available.count > 1 else { return available[0] }
    var best = (number: available[0], gain: -1, ties: 1)
    for number in available {
      let gain = countEnding(with: number, after: soFar)
      if gain > best.gain {
        best = (number, gain, 1)
      } else if gain == best.gain {
        best.ties += 1
        if Int.random(in: 0..<best.ties, using: &generator) == 0 { best.number = number }
      }
    }
    return best.number
  }

  private func countEnding(with number: Int, after soFar: [Int]) -> Int {
    var total = 0
    visit(soFar, ending: number) { total += isMissing[$0] ? 1 : 0 }
    return total
  }

  func count(in order: [Int]) -> Int {
    order.indices.reduce(0) { $0 + countEnding(with: order[$1], after: Array(order[..<$1])) }
  }

  mutating func remove(occurringIn order: [Int]) {
    for place in order.indices {
      var found: [Int] = []
      visit(Array(order[..<place]), ending: order[place]) { if isMissing[$0] { found.append($0) } }
      for code in found { isMissing[code] = false }
      count -= found.count
    }
  }

  /// Every sequence that begins with numbers of `start` in their order and ends with `last`, as its digits.
  private func visit(_ start: [Int], ending last: Int, _ body: (Int) -> Void) {
    func extend(_ code: Int, from place: Int, left: Int) {
      guard left > 0 else { return body(code * bound + last) }
      guard start.count - place >= left else { return }
      for index in place...(start.count - left) { extend(code * bound + start[index], from: index + 1, left: left - 1) }
    }
    extend(0, from: 0, left: strength - 1)
  }
}
