import LaunchClients
import TestSupport
import Testing

/// The numbers of vendors.md 4.4, without a clock.
@Suite struct ClickQueueTests {
  private func queue(_ count: Int) -> ClickQueue {
    var queue = ClickQueue()
    for number in 0..<count { _ = queue.add("m\(number)", by: "u", isForeground: nil, at: .seconds(number)) }
    return queue
  }

  private func isKnown(_ messageID: String, in queue: inout ClickQueue) -> Bool {
    queue.add(messageID, by: "v", isForeground: true, at: .seconds(5)) == nil
  }

  @Test func `a message counts once, while it waits and later`() {
    var queue = queue(1)
    let isKnownWhileWaiting = isKnown("m0", in: &queue)
    queue.remove(1)
    let isKnownLater = isKnown("m0", in: &queue)
    #expect(isKnownWhileWaiting && isKnownLater)
    #expect(queue.clicks.isEmpty)
  }

  @Test func `the last 100 messages are remembered, and those that wait`() {
    var queue = queue(150)
    #expect(queue.seen == (50..<150).map { "m\($0)" })
    let isKnownWhileWaiting = isKnown("m49", in: &queue)
    for click in queue.clicks { queue.remove(click.number) }
    let areKnownLater = [isKnown("m50", in: &queue), isKnown("m49", in: &queue)]
    #expect(isKnownWhileWaiting)
    #expect(areKnownLater == [true, false])
  }

  @Test func `the message of the last click is known, also when the process died before it was remembered`() {
    let clicks = queue(3).clicks
    #expect(ClickQueue(clicks: clicks, seen: ["m0", "m1"]).seen == ["m0", "m1", "m2"])
    #expect(ClickQueue(clicks: clicks, seen: ["m2", "x"]).seen == ["m2", "x"])
    let full = (0..<100).map { "x\($0)" }
    #expect(ClickQueue(clicks: clicks, seen: full).seen == full.dropFirst() + ["m2"])
  }

  @Test func `200 wait, the newest`() throws {
    var queue = queue(200)
    let new = queue.add("new", by: "u", isForeground: nil, at: .zero)
    let added = try #require(new)
    #expect(added.dropped.map(\.messageID) == ["m0"])
    #expect(queue.clicks.map(\.messageID) == (1..<200).map { "m\($0)" } + ["new"])
    #expect(added.click.number == 201)
  }

  @Test func `seven days are the longest`() {
    let week = Duration.seconds(7 * 86_400)
    var queue = queue(3)
    let dropped = [queue.dropStale(at: week), queue.dropStale(at: week + .seconds(1) + .nanoseconds(1))]
    #expect(dropped.map { $0.map(\.messageID) } == [[], ["m0", "m1"]])
    #expect(queue.clicks.map(\.messageID) == ["m2"])
  }

  @Test func `50 attempts are the most`() {
    var queue = queue(1)
    for attempt in 1...50 {
      let stale = queue.dropStale(at: .zero)
      let click = queue.begin(1, at: .zero)
      #expect(stale.isEmpty && click?.attempts == attempt)
    }
    let stale = queue.dropStale(at: .zero)
    #expect(stale.map(\.attempts) == [50])
  }

  @Test func `the oldest that is due and ready goes first, and one that waits holds nobody back`() {
    var queue = queue(3)
    #expect(queue.next(at: .zero) { _ in true } == .send(queue.clicks[0]))
    #expect(queue.next(at: .zero) { _ in false } == nil)
    _ = queue.delay(1, until: .seconds(9))
    #expect(queue.next(at: .seconds(5)) { _ in true } == .send(queue.clicks[1]))
    #expect(queue.next(at: .seconds(5)) { $0.messageID == "m2" } == .send(queue.clicks[2]))
    #expect(queue.next(at: .seconds(5)) { $0.messageID == "m0" } == .wait(until: .seconds(9)))
    #expect(queue.next(at: .seconds(9)) { _ in true } == .send(queue.clicks[0]))
  }

  @Test func `an attempt puts the next one off before it is made`() {
    var queue = queue(1)
    let waits = (1...7).map { _ in (queue.begin(1, at: .seconds(100))?.due ?? .zero) - .seconds(100) }
    #expect(waits == [1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) })
  }

  @Test func `jitter is 20 % at most, and reaches 36 s at most`() {
    var random = SeededGenerator(seed: 4)
    for number in [1, 3, 6, 50] {
      let base = ClickQueue.backoff.wait(beforeRetry: number)
      let waits = (0..<2000).map { _ in ClickQueue.backoff.wait(beforeRetry: number, using: &random) / base }
      #expect(waits.allSatisfy { (0.8...1.2).contains($0) })
      #expect(waits.contains { $0 < 0.81 } && waits.contains { $0 > 1.19 })
    }
  }

  @Test func `clicks of nobody are given to somebody`() {
    var queue = queue(1)
    _ = queue.add("a", by: nil, isForeground: nil, at: .zero)
    _ = queue.add("b", by: nil, isForeground: nil, at: .zero)
    let assigned = [queue.assign(to: "v"), queue.assign(to: "w")]
    #expect(assigned.map { $0.map(\.messageID) } == [["a", "b"], []])
    #expect(queue.clicks.map(\.userID) == ["u", "v", "v"])
  }

  @Test func `what has left the queue does not come back`() {
    var queue = queue(1)
    queue.remove(1)
    let clicks = [queue.begin(1, at: .zero), queue.delay(1, until: .zero)]
    #expect(clicks == [nil, nil])
  }
}
