import Testing

@testable import LaunchServer

struct JobHeapTests {
  private func moment(_ nanoseconds: Int64) -> Moment { Moment(nanoseconds: nanoseconds) }

  @Test func `jobs come in the order of their deadlines, equal ones as they were set`() {
    var heap = JobHeap()
    for (id, deadline) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 10)] { heap.set(id, moment(Int64(deadline))) }
    #expect(heap.next == moment(10))
    #expect(heap.takeDue(at: moment(9)) == nil)
    #expect((0..<6).map { _ in heap.takeDue(at: moment(100)) } == [2, 4, 5, 3, 1, nil])
    #expect(heap.next == nil)
  }

  @Test func `a job has one deadline, the last one set, or none`() {
    var heap = JobHeap()
    for id in 1...3 { heap.set(id, moment(Int64(id))) }
    heap.set(1, moment(9))
    heap.remove(2)
    heap.remove(2)
    heap.remove(7)
    #expect((0..<3).map { _ in heap.takeDue(at: .never) } == [3, 1, nil])
  }

  @Test func `any order of setting, removing and taking agrees with a sorted list`() {
    var generator = Steps()
    for _ in 0..<50 {
      var heap = JobHeap()
      var list: [(deadline: Int64, turn: Int, id: Int)] = []
      for turn in 0..<300 {
        let id = Int.random(in: 0..<40, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0, 1:
          let deadline = Int64.random(in: 0..<20, using: &generator)
          heap.set(id, moment(deadline))
          list.removeAll { $0.id == id }
          list.append((deadline, turn, id))
        case 2:
          heap.remove(id)
          list.removeAll { $0.id == id }
        default:
          list.sort { ($0.deadline, $0.turn) < ($1.deadline, $1.turn) }
          let due = list.first.flatMap { $0.deadline <= 10 ? $0.id : nil }
          #expect(heap.takeDue(at: moment(10)) == due)
          list.removeAll { $0.id == due }
        }
        #expect(heap.next?.nanoseconds == list.map(\.deadline).min())
      }
    }
  }
}

/// The same numbers in every run.
private struct Steps: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
