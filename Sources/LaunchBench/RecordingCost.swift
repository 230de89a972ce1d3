import Foundation
import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchTrace

/// What recording costs: the same exchanges in process, without the tap and with it, its cassette written to disk.
struct RecordingCost {
  /// Processor time of the whole process, more than without the tap.
  var perExchange: Duration
  /// How long deliveries were held back.
  var overhead: Overhead
  var bytesPerExchange: Int

  /// The best of several rounds, so that what else runs on the machine counts least.
  static func measure(exchanges: Int = 20_000, rounds: Int = 5) async throws -> RecordingCost {
    let folder = try createUniqueFolder(prefix: "launchtape-bench-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var best: RecordingCost?
    for round in 0..<rounds {
      let bare = try await cost { try await run(exchanges, over: server) }
      let path = "\(folder)/\(round).cassette"
      let recorder = Recorder(path: path, by: "LaunchBench")
      let taped = try await cost {
        try await recorder.record(over: server) { tap in try await run(exchanges, over: tap) }
      }
      let cassette = try Cassette(path: path)
      guard case .closed(let closing) = cassette.events.last?.kind, let overhead = closing.overhead else { continue }
      let cost = RecordingCost(
        perExchange: (taped - bare) / exchanges, overhead: overhead,
        bytesPerExchange: try readFile(path).count / exchanges)
      if best.map({ cost.perExchange < $0.perExchange }) ?? true { best = cost }
    }
    guard let best else { throw CocoaError(.fileReadUnknown) }
    return best
  }

  private static func run(_ exchanges: Int, over transport: any Transport) async throws {
    for _ in 0..<exchanges { try await transport.send(request, into: Nobody()) }
  }

  private static func cost(_ work: () async throws -> Void) async throws -> Duration {
    let start = processorTime
    try await work()
    return processorTime - start
  }

  private static var processorTime: Duration {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Head, content and end arrive together, as they mostly do.
  private static let server = AnswerTransport { _ in answer }

  private static let answer: Answer = {
    let body = Array(#"{"data":{"id":"4e208705","tags":{"mmp_id":"ee7333c3","language":"en"}},"ok":true}"#.utf8)
    var answer = Answer(
      head: ResponseHead(
        status: 200,
        fields: ["Content-Type": "application/json", "Content-Length": "\(body.count)", "Cache-Control": "no-store"]),
      body: body)
    answer.connection = Connection(id: 1, address: "127.0.0.1:9001", isReused: true)
    return answer
  }()

  private static let request = Request(
    method: "POST", location: Location(scheme: "https", host: "api.example.com", path: "/apps/1/users"),
    fields: ["Content-Type": "application/json", "Accept": "application/json", "User-Agent": "launch/1"],
    body: Array(#"{"properties":{"language":"en","timezone_id":"Europe/Paris"},"identity":{}}"#.utf8))
}

/// A client that looks at nothing.
private final class Nobody: TransportSink {
  func receive(_ delivery: Delivery) {}
}
