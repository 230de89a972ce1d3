import LaunchHTTP
import Testing

@testable import LaunchTrace

struct ExchangeListTests {
  @Test(
    arguments: [
      ([], 0, []), ([-1, -1], 0, []), ([-1], 2, [[], []]), ([0, 0, 0], 1, [[0, 1, 2]]),
      ([2, 0, -1, 2, 0, 1], 4, [[1, 4], [5], [0, 3], []]),
    ] as [([Int32], Int, [[Int]])])
  func `members keep their order within their group`(groups: [Int32], count: Int, members: [[Int]]) {
    let grouping = Grouping(groups, count: count)
    #expect(grouping.count == count)
    #expect((0..<count).map { Array(grouping.members(of: $0)) } == members)
    #expect(
      (0..<count).map { group in (0..<grouping.memberCount(of: group)).map { grouping.member($0, of: group) } }
        == members)
  }

  @Test func `exchanges that overlap are told apart, and a call without a request is left out`() {
    let request = Request(method: "GET", location: Location(scheme: "https", host: "a.test"))
    let opened = Connection(id: 1, address: "127.0.0.1:1")
    let steps: [(Int, Event.Step)] = [
      (1, .request(request)), (7, .request(request)), (1, .connection(opened)), (9, .sent), (7, .sent),
      (7, .end(Content(Array("seven".utf8)))), (1, .end(Content(Array("one".utf8)))),
    ]
    let events = steps.enumerated().map { index, step in
      Event(at: Instant(microseconds: Int64(index)), .call(step.0, step.1))
    }
    let list = ExchangeList([Event(at: .zero, .launch(1))] + events)
    #expect(list.map(\.call) == [1, 7])
    #expect(list.indices.map(list.call) == [1, 7])
    #expect(list[0].steps.map(\.at.microseconds) == [2, 6])
    #expect(list[1].steps.map(\.step) == [.sent, .end(Content(Array("seven".utf8)))])
    #expect(list[1].requested.microseconds == 1)
    #expect(list.request(of: 1) == request)
    #expect(list.opening(of: 1) == events[1])
    #expect(list.step(list.stepCount(of: 0) - 1, of: 0) == .end(Content(Array("one".utf8))))
    #expect(list.indices.map(list.opensConnection) == [true, false])
    #expect(ExchangeList([events[0]]).stepCount(of: 0) == 0)
  }
}
