import LaunchTrace

/// The earliest of many deadlines that come, move and go: a binary heap that drops what is out of date when it gets to
/// the top.
struct Alarms: Sendable {
  private var heap: [(at: Instant, slot: Int)] = []
  private var current: [Int: Instant] = [:]

  /// The earliest, with whose it is.
  var first: (at: Instant, slot: Int)? { heap.first }

  mutating func set(_ slot: Int, _ deadline: Instant?) {
    guard current[slot] != deadline else { return }
    current[slot] = deadline
    if let deadline { push((deadline, slot)) }
    while let first = heap.first, current[first.slot] != first.at { pop() }
  }

  private mutating func push(_ alarm: (at: Instant, slot: Int)) {
    heap.append(alarm)
    var child = heap.count - 1
    while child > 0, heap[child].at < heap[(child - 1) / 2].at {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while case let left = 2 * parent + 1, left < heap.count {
      let least = left + 1 < heap.count && heap[left + 1].at < heap[left].at ? left + 1 : left
      guard heap[least].at < heap[parent].at else { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
