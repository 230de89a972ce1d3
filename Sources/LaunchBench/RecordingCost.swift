import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What recording costs: the same exchanges in process, without the tap and with it, its cassette written to disk.
func measureRecording() throws -> [Measurement] {
  let exchanges = 20_000
  let plain = try waiting { try await RecordingCost.measure(exchanges, rules: .none) }
  let redacted = try waiting { try await RecordingCost.measure(exchanges, rules: .builtIn) }
  return [
    Measurement("an exchange without the tap", plain.bare, "microseconds of CPU"),
    Measurement("recording an exchange, no redaction", plain.added, "microseconds of CPU", goal: .atMost(10)),
    Measurement("recording an exchange, built-in rules", redacted.added, "microseconds of CPU", goal: .atMost(10)),
    Measurement("delivery held back, no redaction, p50", plain.latency, "microseconds", goal: .atMost(50)),
    Measurement("delivery held back, built-in rules, p50", redacted.latency, "microseconds", goal: .atMost(50)),
    Measurement("recorded exchange", plain.bytes, "bytes"),
  ]
}

private struct RecordingCost {
  /// Microseconds of processor time an exchange takes without the tap, all of the process.
  var bare: Double
  /// How many more it takes with it.
  var added: Double
  /// Microseconds that half of the deliveries were not held back longer than.
  var latency: Double
  /// Of the cassette, for each exchange.
  var bytes: Double

  /// The best of several rounds, so that what else runs on the machine counts least.
  static func measure(_ exchanges: Int, rounds: Int = 5, rules: RedactionRules) async throws -> RecordingCost {
    let folder = try createUniqueFolder(prefix: "launchtape-bench-")
    defer { removeScratch(folder) }
    var cost = RecordingCost(bare: .infinity, added: .infinity, latency: .infinity, bytes: 0)
    for round in 0..<rounds {
      let path = joinPath(folder, "\(round).cassette")
      var recorder = Recorder(path: path, by: "LaunchBench")
      recorder.rules = rules
      let bare = try await processorTime { try await run(exchanges, over: server) }
      let taped = try await processorTime { [recorder] in
        try await recorder.record(over: server) { tap in try await run(exchanges, over: tap) }
      }
      let file = try readFile(path)
      let cassette = try Cassette(parsing: file, path: path)
      guard case .closed(let closing) = cassette.events.last?.kind, let overhead = closing.overhead else { continue }
      cost.bare = min(cost.bare, bare / Double(exchanges))
      cost.added = min(cost.added, (taped - bare) / Double(exchanges))
      cost.latency = min(cost.latency, overhead.p50 / .microseconds(1))
      cost.bytes = Double(file.count) / Double(exchanges)
    }
    return cost
  }

  private static func run(_ exchanges: Int, over transport: any Transport) async throws {
    for _ in 0..<exchanges { try await transport.send(request, into: Nobody()) }
  }

  /// Microseconds that `work` takes of the process.
  private static func processorTime(_ work: () async throws -> Void) async throws -> Double {
    let start = clock()
    try await work()
    return Double(clock() - start) * 1_000_000 / Double(CLOCKS_PER_SEC)
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
