import LaunchSimulation
import Testing

@Suite struct CollectionTests {
  @Test(arguments: 0..<20) func `timers come out by instant, then in the order in which they were set`(seed: Int) {
    var state = UInt64(seed)
    var timers = Timers<Int>()
    var model: [(due: Int64, payload: Int)] = []
    func popBoth() {
      let first = model.indices.min { (model[$0].due, model[$0].payload) < (model[$1].due, model[$1].payload) }
      let expected = first.map { model.remove(at: $0) }
      let timer = timers.popFirst()
      #expect(timer?.due == expected?.due && timer?.payload == expected?.payload)
    }
    for payload in 0..<300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let due = Int64(state >> 60)
      timers.insert(payload, due: due)
      model.append((due, payload))
      if state >> 40 & 3 == 0 { popBoth() }
    }
    while !model.isEmpty { popBoth() }
    popBoth()
  }

  @Test func `a queue gives back what went in, however long it stays filled`() {
    var queue = Queue<Int>()
    for number in 0..<100 { queue.append(number) }
    for number in 100..<10_000 {
      #expect(queue.popFirst() == number - 100)
      queue.append(number)
    }
    for number in 9_900..<10_000 { #expect(queue.popFirst() == number) }
    #expect(queue.popFirst() == nil && queue.isEmpty)
  }
}
