import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchProxy
@testable import LaunchServer

/// A served replay on a clock that the test moves: what the server paces its writes by, without thread and socket.
struct DriftTests {
  @Test func `ten thousand events over ten minutes end on the exact deadline at a hundred times the speed`() throws {
    var recording = Recording()
    let head = ResponseHead(status: 200, fields: ["Content-Length": "9999"])
    let content = Content(Array(repeating: 7, count: 9999))
    try recording.call(
      "GET", "https://a.test/long",
      [(0, .response(head))] + (1...9999).map { (60 * $0, .chunk(bytes: 1)) } + [(600_000, .end(content))])
    let responder = ReplayResponder(recording.trace, speed: .times(100))
    let start = Moment(nanoseconds: 1_000_000_007)
    let reply = responder.respond(
      to: Arrival(try request("GET", "http://a.test/long"), at: start), for: responder.origins.all[0], through: .base)

    var pacer = Pacer(patience: .seconds(1))
    let question = RequestHead(method: "GET", target: "/long")
    pacer.add(Job(try WireAnswer(reply.answer, to: question), number: reply.number, from: start), id: 1)
    var now = start
    var deadlines: [Int64] = []
    var samples: [PacingReport.Sample] = []
    loop: while true {
      switch pacer.next(at: now) {
      case .wait(let deadline):
        deadlines.append(deadline.nanoseconds - start.nanoseconds)
        // The thread wakes late, by another time each time.
        now = Moment(nanoseconds: deadline.nanoseconds + Int64(deadlines.count * 7919 % 300_000))
      case .write(let id, let bytes, _):
        // Writing takes time, too.
        now = Moment(nanoseconds: now.nanoseconds + 20_000)
        if let sample = pacer.wrote(bytes.count, of: id, at: now) { samples.append(sample) }
      case .end(_, let isWritten):
        #expect(isWritten)
        break loop
      }
    }
    #expect(deadlines == (1...10_000).map { $0 * 600_000 })
    #expect(now == Moment(nanoseconds: start.nanoseconds + 6_000_000_000 + 10_000 * 7919 % 300_000))
    let report = responder.lateness(PacingReport(samples: samples, slowClients: 0, schedulingClass: .ordinary))
    #expect(report.samples.count == 9999)
    #expect(report.samples.last?.lateness == .nanoseconds(9999 * 7919 % 300_000 + 20_000))
  }
}
