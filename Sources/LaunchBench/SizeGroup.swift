import LaunchCassette
import LaunchHTTP
import LaunchTrace

/// How large recordings get.
func measureSize() throws -> [Measurement] {
  let small = Double(SyntheticCassette.small(exchanges: 10_000).serialized.count)
  let json = Array(repeating: UInt8(ascii: "x"), count: 280)
  let noise = (0..<20_480).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 7) }
  return [Measurement("10,000 small exchanges", small / 1_000_000, "MB", goal: .atMost(6))]
    + written("300-byte JSON", Content(Array(#"{"data":""#.utf8) + json + Array(#""}"#.utf8)), "application/json")
    + written("5 KB of gzip JSON", gzipJSON, "application/json")
    + written("20 KB binary", Content(noise), "application/octet-stream")
}

/// 25 KB of JSON that were 5 KB on the wire.
private let gzipJSON: Content = {
  let rows = (0..<250).map {
    #"{"id":\#($0),"title":"Onboarding","price":"9.99","currency":"EUR","trial":true,"period":"week"}"#
  }
  return Content(Array("[\(rows.joined(separator: ","))]".utf8), encoding: "gzip", wireBytes: 5120)
}()

/// A recording is written once, line by line: what it takes on disk is what is written.
private func written(_ name: String, _ content: Content, _ type: String) -> [Measurement] {
  let empty = Cassette(header: CassetteHeader(name: "single", by: "LaunchBench"), events: []).serialized.count
  let bytes = SyntheticCassette.single(content, type: type).serialized.count - empty
  let wire = content.wireBytes ?? content.body.count
  return [
    Measurement("exchange with \(name)", Double(bytes), "bytes"),
    Measurement("exchange with \(name), written", Double(bytes) / Double(wire), "bytes for each of the wire"),
  ]
}
