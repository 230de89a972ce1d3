import LaunchTrace

/// Which events of a trace its times leave unordered.
///
/// Two events are tied when nothing but their times tells which came first, and those are too close. Tied events have an
/// order all the same when something lies for certain between them.
struct Ties {
  private enum Subject {
    case mark(String)
    case call(Int, follows: Int?)
    case boundary
  }

  let events: [Event]
  let order: TimeOrder
  private let resolution: Int64
  /// By the name of a mark, the branch it is made in; empty when all events are alike.
  private let branches: [String: Int]

  init(_ events: [Event], _ order: TimeOrder) {
    self.events = events
    self.order = order
    resolution = order.resolution.wholeMicroseconds
    var branches: [String: Int] = [:]
    for (number, names) in order.branches.enumerated() {
      for name in names { branches[name] = number }
    }
    self.branches = branches
  }

  /// Whether the events at the indices are tied.
  func areTied(_ left: Int, _ right: Int) -> Bool {
    guard areClose(left, right) else { return false }
    switch (subject(left), subject(right)) {
    case (.boundary, _), (_, .boundary): return false
    case (.mark(let left), .mark(let right)) where !order.branches.isEmpty:
      guard let one = branches[left], let other = branches[right] else { return false }
      return one != other
    case (.call(let left, let before), .call(let right, let previous)):
      return order.branches.isEmpty && left != right && before != right && previous != left
    default: return order.branches.isEmpty
    }
  }

  /// Whether the times alone leave the order open.
  func areClose(_ left: Int, _ right: Int) -> Bool {
    let distance = distance(left, right)
    return distance == 0 || distance < resolution
  }

  /// Microseconds between two events.
  func distance(_ left: Int, _ right: Int) -> Int64 {
    let (left, right) = (events[left].at.microseconds, events[right].at.microseconds)
    return max(left, right).minusClamped(min(left, right))
  }

  private func subject(_ index: Int) -> Subject {
    switch events[index].kind {
    case .mark(let mark): .mark(mark.name)
    case .call(let number, .request(_, let from)): .call(number, follows: from)
    case .call(let number, _): .call(number, follows: nil)
    case .launch, .closed: .boundary
    }
  }

  /// Of the events after `index`, those whose order with it is open.
  func unordered(after index: Int) -> [Int] {
    var open: [Int] = []
    var certain: [Int] = []
    for later in events.indices.suffix(from: index + 1) {
      guard areClose(index, later) else { break }
      if areTied(index, later), !certain.contains(where: { !areTied($0, later) }) {
        open.append(later)
      } else {
        certain.append(later)
      }
    }
    return open
  }

  /// All events in an order in which those of `wanted`, which must be a possible order, come as they stand there.
  func arranged(_ wanted: [Int]) -> [Event] {
    var isPlaced = Array(repeating: false, count: events.count)
    var first = 0
    var arranged: [Event] = []
    arranged.reserveCapacity(events.count)
    func place(_ index: Int) {
      isPlaced[index] = true
      arranged.append(events[index])
    }
    for target in wanted {
      while first < events.count, isPlaced[first] { first += 1 }
      var needed = [target]
      for index in events.indices[min(first, target)..<target].reversed() where !isPlaced[index] {
        if needed.contains(where: { !areTied(index, $0) }) { needed.append(index) }
      }
      for index in needed.reversed() { place(index) }
    }
    for index in events.indices where !isPlaced[index] { place(index) }
    return arranged
  }
}
