import LaunchCassette
import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

/// The recorder's own added latency.
struct TapDelayTests {
  @Test func `every delivery's delay is counted, as long as a sink takes`() async throws {
    let log = EventLog()
    let tap = Tap(server, sinks: [SlowSink(), log])
    for _ in 0..<5 { _ = try await tap.response(to: get("/a")) }
    tap.finish()
    let overhead = try #require(log.trace(name: "a").overhead)
    // sent alone; head, chunk and end together.
    #expect(overhead.deliveries == 5 * 4)
    #expect(overhead.p50 >= .microseconds(200))
    #expect(overhead.p50 <= overhead.p99 && overhead.p99 <= overhead.max)
  }

  @Test func `a simulation has no delays to tell of, so that its traces repeat`() throws {
    let trace = try traced(server) { tap in _ = try await tap.response(to: get("/a")) }
    #expect(trace.isClosed && trace.overhead == nil)
  }

  @Test func `the closing line keeps them`() throws {
    let overhead = Overhead(
      deliveries: 116, p50: .microseconds(3), p99: .microseconds(12), max: .microseconds(40))
    let events = [event(0, .launch(1)), event(7, .closed(Closing(events: 1, overhead: overhead)))]
    let cassette = Cassette(header: CassetteHeader(name: "a"), events: events)
    let line = #"{"at":7,"closed":true,"events":1,"overhead":{"deliveries":116,"p50":3,"p99":12,"max":40}}"#
    #expect(String(decoding: cassette.serialized, as: UTF8.self).hasSuffix(line + "\n"))
    #expect(try Cassette(parsing: cassette.serialized, path: "a.cassette").events == events)
  }

  private let server = AnswerTransport { _ in Answer(head: ResponseHead(status: 200), body: [1]) }
}

/// Takes its time to commit, as a slow disk does.
private final class SlowSink: EventSink {
  func append(_ event: Event) {}

  func commit() {
    let end = ContinuousClock.now + .microseconds(200)
    while ContinuousClock.now < end {}
  }
}

extension Trace {
  fileprivate var overhead: Overhead? {
    if case .closed(let closing) = events.last?.kind { closing.overhead } else { nil }
  }
}
