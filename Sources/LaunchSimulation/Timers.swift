/// Pending timers, earliest first; equal instants in the order in which they were set. A binary heap.
package struct Timers<Payload> {
  package struct Timer {
    /// Nanoseconds of virtual time.
    package let due: Int64
    package let payload: Payload
    fileprivate let sequence: Int

    fileprivate func isBefore(_ other: Timer) -> Bool {
      due != other.due ? due < other.due : sequence < other.sequence
    }
  }

  private var heap: [Timer] = []
  private var sequence = 0

  package init() {}

  /// The one that `popFirst` takes.
  package var first: Timer? { heap.first }

  package mutating func insert(_ payload: Payload, due: Int64) {
    heap.append(Timer(due: due, payload: payload, sequence: sequence))
    sequence += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// - Complexity: O(log n)
  package mutating func popFirst() -> Timer? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in 2 * parent + 1...2 * parent + 2 where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
