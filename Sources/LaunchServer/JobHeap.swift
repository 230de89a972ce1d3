/// Which job is due next: a binary heap of deadlines, at most one for each job.
///
/// - Complexity: Setting, removing and taking are O(log n), looking at the next is O(1).
struct JobHeap {
  private struct Entry {
    var deadline: Moment
    /// Breaks ties: of equal deadlines the one set first comes first.
    var turn: UInt64
    var id: Int
  }

  private var entries: [Entry] = []
  private var places: [Int: Int] = [:]
  private var nextTurn: UInt64 = 0

  /// The earliest deadline; nil when there is none.
  var next: Moment? { entries.first?.deadline }

  /// The job that has it.
  var nextID: Int? { entries.first?.id }

  /// Gives job `id` its deadline, in place of the one it had.
  mutating func set(_ id: Int, _ deadline: Moment) {
    remove(id)
    entries.append(Entry(deadline: deadline, turn: nextTurn, id: id))
    nextTurn &+= 1
    places[id] = entries.count - 1
    rise(from: entries.count - 1)
  }

  /// Takes the job with the earliest deadline when that is not after `now`.
  mutating func takeDue(at now: Moment) -> Int? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    remove(first.id)
    return first.id
  }

  /// Forgets the deadline of job `id`; nothing when it has none.
  mutating func remove(_ id: Int) {
    guard let place = places.removeValue(forKey: id) else { return }
    let last = entries.removeLast()
    guard place < entries.count else { return }
    entries[place] = last
    places[last.id] = place
    rise(from: place)
    sink(from: place)
  }

  private mutating func rise(from start: Int) {
    var place = start
    while place > 0, isBefore(place, (place - 1) / 2) {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      let children = (2 * place + 1)...(2 * place + 2)
      guard let first = children.filter({ $0 < entries.count }).min(by: isBefore), isBefore(first, place) else {
        return
      }
      swap(place, first)
      place = first
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (entries[left], entries[right])
    return left.deadline == right.deadline ? left.turn < right.turn : left.deadline < right.deadline
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    places[entries[left].id] = left
    places[entries[right].id] = right
  }
}
