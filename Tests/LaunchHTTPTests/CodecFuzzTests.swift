import LaunchHTTP
import TestSupport
import Testing

struct CodecFuzzTests {
  @Test func `mutated requests read the same however they are split`() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<4_000 {
      let first = RequestParserTests.samples.randomElement(using: &random) ?? []
      let second = RequestParserTests.samples.randomElement(using: &random) ?? []
      let bytes = random.mutating(first + second)
      let whole = readRequests(bytes, headBytes: 80)
      #expect(readRequests(bytes, cuts: random.cuts(of: bytes), headBytes: 80) == whole, "\(bytes)")
      for case .head(let head) in whole.pieces {
        #expect(readRequests(try head.serialized(), isClosed: false).pieces.first == .head(head), "\(bytes)")
        _ = try? head.location(scheme: "http", fallback: "h")
      }
    }
  }

  @Test func `mutated responses read the same however they are split`() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<4_000 {
      let sample = ResponseParserTests.samples.randomElement(using: &random) ?? ([], [])
      let bytes = random.mutating(sample.0)
      let whole = readResponses(bytes, to: sample.1)
      #expect(readResponses(bytes, to: sample.1, cuts: random.cuts(of: bytes)) == whole, "\(bytes)")
    }
  }
}

extension SeededGenerator {
  /// Up to four ascending places to cut `bytes` at.
  fileprivate mutating func cuts(of bytes: [UInt8]) -> [Int] {
    (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &self) }.sorted()
  }
}
