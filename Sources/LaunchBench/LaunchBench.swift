import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Measures the parts a user waits for, on the shipped cassette; run from the package's folder by `make bench`.
///
/// Best of several rounds on one core: compare ratios between runs on one machine, not figures across machines.
@main
enum LaunchBench {
  static func main() throws {
    let path = "cassettes/first-launch.cassette"
    let cassette = try Cassette(path: path)
    let contract = try Contract(parsing: readFile("contracts/launch.contract"), file: "contracts/launch.contract")
    let lines = Lines(try readFile(path), repeated: 1000)
    print("\(path): \(cassette.events.count) events, \(lines.bytes.count / 1000) bytes")

    report("JSON, walk lines with bodies as slices", try best { try lines.walk() }, bytes: lines.bytes.count)
    report("JSON, skip whole lines", try best { try lines.skip() }, bytes: lines.bytes.count)
    report("JSON, build trees", try best { try lines.parse() }, bytes: lines.bytes.count)

    let bytes = cassette.serialized
    let reads = 200
    report(
      "cassette, read", try best { for _ in 0..<reads { _ = try Cassette(parsing: bytes, path: path) } },
      bytes: bytes.count * reads)
    report(
      "cassette, write", best { for _ in 0..<reads { _ = cassette.serialized } }, bytes: bytes.count * reads)

    let verifications = 200
    let verifying = best { for _ in 0..<verifications { _ = contract.reports(on: cassette.trace) } }
    let perSecond = Double(cassette.events.count * verifications) / verifying.seconds
    print(row("contract, \(contract.rules.count) rules", "\(Int(perSecond / 1000)) thousand events/s"))

    let scenario = LaunchScenario(events: cassette.events)
    let replaying = try best {
      _ = try Deck(cassette).simulate { launch in
        try await AppLaunch(transport: launch.transport, scenario: scenario).run()
      }
    }
    let recorded = cassette.trace.end.microseconds / 1000
    print(row("replay in virtual time", "\(milliseconds(replaying)) ms for \(recorded) ms"))
  }

  private static func report(_ name: String, _ duration: Duration, bytes: Int) {
    print(row(name, "\(Int(Double(bytes) / 1_000_000 / duration.seconds)) MB/s"))
  }

  private static func row(_ name: String, _ figure: String) -> String {
    "  \(name)\(String(repeating: " ", count: max(1, 44 - name.count)))\(figure)"
  }

  private static func milliseconds(_ duration: Duration) -> String {
    let tenths = Int((duration.seconds * 10_000).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func best<Failure: Error>(of rounds: Int = 7, _ body: () throws(Failure) -> Void) throws(Failure)
    -> Duration
  {
    var best = Duration.seconds(3600)
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      try body()
      best = min(best, ContinuousClock.now - start)
    }
    return best
  }
}

/// A cassette's lines many times over, read as a cassette reader reads them.
private struct Lines {
  let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ cassette: [UInt8], repeated count: Int) {
    bytes = Array(repeating: cassette, count: count).flatMap { $0 }
    var ranges: [Range<Int>] = []
    var start = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      ranges.append(start..<index)
      start = index + 1
    }
    self.ranges = ranges
  }

  func walk() throws(JSONError) {
    for range in ranges {
      var reader = JSONReader(bytes, in: range)
      try reader.beginObject()
      while try reader.nextKey() {
        if reader.equals("at") { _ = try reader.readInteger() } else { try reader.skipValue() }
      }
      try reader.finish()
    }
  }

  func skip() throws(JSONError) {
    for range in ranges {
      var reader = JSONReader(bytes, in: range)
      try reader.skipValue()
    }
  }

  func parse() throws(JSONError) {
    for range in ranges { _ = try JSON(parsing: bytes, in: range) }
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
