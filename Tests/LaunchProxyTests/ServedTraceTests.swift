import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchProxy

struct ServedTraceTests {
  @Test func `what is served at once becomes the events that it was, among others`() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one", fields: ["X": "y"], answer: "hello")
    try recording.call("POST", "https://a.test/two", body: "old", status: 204)
    let renditions = Renditions(exchanges: ExchangeList(recording.trace.events)) { _, _ in nil }
    let asked = try [
      request("GET", "https://a.test/one"), request("GET", "https://a.test/one", fields: ["A": "b"]),
      request("POST", "https://a.test/two", body: "new"), request("GET", "https://a.test/one"),
    ]
    var trace = ServedTrace(renditions)
    trace.append(Event(at: .zero, .launch(1)))
    for (index, request) in asked.enumerated() {
      let number = request.method == "GET" ? 0 : 1
      trace.append(
        request, from: index == 1 ? 1 : nil, answeredBy: number,
        partCount: renditions.answer(of: number, to: request).eventCount, at: .zero + .seconds(index))
      #expect(trace.lastEvents(ofCall: index + 1) == trace.events.suffix(trace.lastEvents(ofCall: 1).count))
      if index == 1 { trace.append(Event(at: .zero + .seconds(1), .mark(Mark("between")))) }
    }
    let served = Trace(name: "", events: trace.events)
    #expect(served.events.count == trace.eventCount)
    #expect(Array(trace) == served.events)
    #expect(served.exchanges.map(\.call) == [1, 2, 3, 4])
    #expect(served.exchanges.map(\.request) == asked)
    #expect(served.exchanges.map { $0.requested - .zero } == (0..<4).map { .seconds($0) })
    #expect(served.exchanges[3].steps.map(\.step) == recording.trace.exchanges[0].steps.map(\.step))
    #expect(served.exchanges[2].response?.head.status == 204)
    let place = served.events.firstIndex { $0.kind == .mark(Mark("between")) }
    #expect(place.map { served.events[..<$0] }.map { Trace(name: "", events: Array($0)).exchanges.count } == 2)
    let origins = served.events.compactMap { event -> Int?? in
      if case .call(_, .request(_, let from)) = event.kind { .some(from) } else { nil }
    }
    #expect(origins == [nil, 1, nil, nil])
  }

  @Test func `requests that differ in nothing but their lines are kept once for each kind of lines`() throws {
    let recorded = try request("GET", "https://a.test/one")
    var askings = Askings()
    func number(_ fields: Fields, _ url: String = "https://a.test/one") throws -> UInt32 {
      askings.number(of: try request("GET", url, fields: fields), from: nil, recorded: recorded)
    }
    let numbers = try [number(["A": "1"]), number(["A": "2"]), number(["A": "1"]), number([:]), number(["A": "2"])]
    #expect(numbers == [0, 1, 0, 2, 1])
    #expect(try number(["A": "1"], "https://a.test/other") == 3)
    #expect(askings.request(1, recorded: recorded).request.fields == ["A": "2"])
    #expect(askings.request(3, recorded: recorded).request.location.path == "/other")
  }
}
