import LaunchHTTP
import TestSupport
import Testing

@Suite struct AcceptEncodingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var lines: [String]
    var allowed: [String]
    var refused: [String]
    var testDescription: String { lines.joined(separator: " | ") }

    init(_ lines: String..., allows allowed: [String], refuses refused: [String]) {
      self.lines = lines
      self.allowed = allowed
      self.refused = refused
    }
  }

  static let cases = [
    Case(allows: ["gzip", "br", "gzip, br", "identity", "new"], refuses: []),
    Case("", allows: ["identity", "", "identity, identity"], refuses: ["gzip", "gzip, identity"]),
    Case("gzip", allows: ["gzip", "x-gzip", "GZip", "identity", "identity, gzip"], refuses: ["br", "gzip, br"]),
    Case("gzip, br", allows: ["gzip", "br", "gzip, br", "br,gzip,br"], refuses: ["zstd", "gzip, zstd"]),
    Case("gzip", "br", allows: ["gzip", "br", "gzip,br"], refuses: ["zstd"]),
    Case("X-GZIP", allows: ["gzip", "x-gzip"], refuses: ["zstd"]),
    Case("x-compress", allows: ["compress"], refuses: ["gzip"]),
    Case("gzip;q=0", allows: ["identity"], refuses: ["gzip", "x-gzip", "br"]),
    Case("gzip;q=0.000, br ; Q=0.001", allows: ["br"], refuses: ["gzip"]),
    Case("gzip;q=1.000;x=y, br;x=y;q=0.", allows: ["gzip"], refuses: ["br"]),
    Case("*", allows: ["gzip", "br", "new", "identity"], refuses: []),
    Case("*;q=0", allows: [], refuses: ["gzip", "identity", ""]),
    Case("*;q=0, gzip", allows: ["gzip"], refuses: ["br", "identity"]),
    Case("*;q=0, identity;q=0.5", allows: ["identity"], refuses: ["gzip"]),
    Case("gzip;q=0, *;q=0.1", allows: ["br", "identity"], refuses: ["gzip", "br, gzip"]),
    Case("identity;q=0", allows: [], refuses: ["identity", "gzip"]),
    Case("identity;q=0, *", allows: ["gzip"], refuses: ["identity"]),
    Case("identity", allows: ["identity"], refuses: ["gzip"]),
    Case(" ,,\tgzip\t; q=0.5 ,", allows: ["gzip", "identity"], refuses: ["br", "q=0.5"]),
    Case(
      "gzip;q=high, br;q=, zstd;q=-1, deflate;q=1.0.0", allows: ["identity"],
      refuses: ["gzip", "br", "zstd", "deflate"]),
    Case("gzip;q=0.5, gzip;q=0", allows: ["gzip"], refuses: []),
  ]

  @Test(arguments: cases) func `codings are allowed as the header says`(row: Case) {
    let accepted = AcceptEncoding(Fields(row.lines.map { Field("accept-encoding", $0) }))
    #expect(row.allowed.filter { !accepted.allows($0) } == [])
    #expect(row.refused.filter { accepted.allows($0) } == [])
    #expect(accepted.isStated == !row.lines.isEmpty)
  }

  @Test(
    arguments: [
      ([:], nil), (["Content-Encoding": ""], nil), (["Content-Encoding": "Identity, identity"], nil),
      (["Content-Encoding": "X-GZip"], "gzip"), (["Content-Encoding": "gz ip"], "gz ip"),
      (["Content-Encoding": " gzip ,, identity,\tBR"], "gzip, br"),
      (["Content-Encoding": "zstd", "ETag": "1", "content-encoding": "gzip"], "zstd, gzip"),
    ] as [(Fields, String?)])
  func `a header names one encoding`(fields: Fields, encoding: String?) {
    #expect(fields.contentEncoding == encoding)
  }

  @Test func `any text is read`() {
    var random = SeededGenerator(seed: 0xACCE)
    let sample = Array("gzip;q=0.5, *;q=0, identity ; q=1, br".utf8)
    for _ in 0..<3_000 {
      let text = String(decoding: random.mutating(sample), as: UTF8.self)
      let accepted = AcceptEncoding(["Accept-Encoding": text])
      #expect(accepted.allows("identity, \(text)") == accepted.allows(text))
    }
  }
}
