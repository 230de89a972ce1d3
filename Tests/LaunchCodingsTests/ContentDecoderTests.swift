import LaunchCodings
import TestSupport
import Testing

@Suite struct ContentDecoderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var encoding: String
    /// Python that makes the encoded bytes from `content`.
    var python: String
    /// What follows the encoded bytes.
    var garbage: [UInt8] = []
    var testDescription: String { name }
  }

  static let content = Array("Attribution, consent and a paywall; consent, attribution and a paywall.".utf8)

  static let cases = [
    Case(name: "gzip", encoding: "gzip", python: "gzip.compress(content)"),
    Case(name: "gzip by its old name", encoding: "X-GZip", python: "gzip.compress(content)"),
    Case(name: "two gzip members", encoding: "gzip", python: "gzip.compress(content[:9]) + gzip.compress(content[9:])"),
    Case(
      name: "an empty gzip member in the middle", encoding: "gzip",
      python: "gzip.compress(content[:9]) + gzip.compress(b'') + gzip.compress(content[9:])"),
    Case(name: "stored gzip", encoding: "gzip", python: "gzip.compress(content, 0)"),
    Case(
      name: "gzip, then bytes of no meaning", encoding: "gzip", python: "gzip.compress(content)",
      garbage: Array("tail".utf8)),
    Case(
      name: "gzip, then half of a signature", encoding: "gzip", python: "gzip.compress(content)", garbage: [0x1F]),
    Case(
      name: "gzip, then zeros", encoding: "gzip", python: "gzip.compress(content)",
      garbage: [UInt8](repeating: 0, count: 40)),
    Case(name: "deflate", encoding: "deflate", python: "zlib.compress(content)"),
    Case(name: "deflate, best", encoding: "DEFLATE", python: "zlib.compress(content, 9)"),
    Case(name: "bare deflate", encoding: "deflate", python: "bare(content, 6)"),
    Case(name: "bare stored deflate", encoding: "deflate", python: "bare(content, 0)"),
    Case(
      name: "bare deflate, then bytes of no meaning", encoding: "deflate", python: "bare(content, 6)",
      garbage: Array("tail".utf8)),
  ]

  @Test(arguments: cases) func `what Python encodes is decoded, wherever it is cut`(row: Case) throws {
    let wire = try Python.encode(Self.content, with: row.python) + row.garbage
    for cut in 0...wire.count {
      #expect(try decode([Array(wire[..<cut]), Array(wire[cut...])], as: row.encoding) == Self.content)
    }
    #expect(try decode(wire.map { [$0] }, as: row.encoding) == Self.content)
  }

  @Test(arguments: cases.filter { $0.garbage.isEmpty && !$0.name.contains("member") })
  func `an end that comes too early is an error`(row: Case) throws {
    let wire = try Python.encode(Self.content, with: row.python)
    for count in 1..<wire.count {
      #expect(throws: CodingError.truncated(offset: count)) {
        _ = try decode([Array(wire[..<count])], as: row.encoding)
      }
    }
  }

  @Test func `each flushed piece gives its content at once`() throws {
    let pieces = try Python.pieces(["first ", "second ", "third"])
    let decoder = try #require(ContentDecoder(encoding: "gzip"))
    let contents = try pieces.map { String(decoding: try decoder.decode($0), as: UTF8.self) }
    try decoder.finish()
    #expect(contents == ["first ", "second ", "third"])
  }

  @Test(arguments: [
    ("gzip", [UInt8]("not gzip at all".utf8)), ("gzip", [0x1F, 0x8B, 9, 0, 0, 0, 0, 0, 0, 0]),
    ("deflate", [0x78, 0x9C, 0xFF, 0xFF, 0xFF]), ("deflate", [0xFF, 0xFF, 0xFF]),
    // A preset dictionary, which HTTP has no way to agree on.
    ("deflate", [0x78, 0xBB, 1, 2, 3, 4, 5]),
  ]) func `corrupt input is an error, again and again`(encoding: String, bytes: [UInt8]) throws {
    let decoder = try #require(ContentDecoder(encoding: encoding))
    let error = try #require(throws: CodingError.self) { _ = try decoder.decode(bytes) }
    if case .corrupt = error {} else { Issue.record("\(error)") }
    #expect(throws: error) { _ = try decoder.decode([1]) }
    #expect(throws: error) { try decoder.finish() }
  }

  @Test func `a wrong checksum is an error`() throws {
    var wire = try encode(Self.content, as: "gzip")
    wire[wire.count - 5] ^= 1
    #expect(throws: CodingError.self) { _ = try decode([wire], as: "gzip") }
  }

  @Test func `a bomb stops at the limit`() throws {
    let bomb = try encode([UInt8](repeating: 0, count: 20_000_000), as: "gzip")
    #expect(bomb.count < 40_000)
    let decoder = try #require(ContentDecoder(encoding: "gzip", limit: 1_000_000))
    #expect(throws: CodingError.tooLarge(limit: 1_000_000)) { _ = try decoder.decode(bomb) }
  }

  @Test func `content of just the limit is let through`() throws {
    let decoder = try #require(ContentDecoder(encoding: "gzip", limit: Self.content.count))
    #expect(try decoder.decode(encode(Self.content, as: "gzip")) == Self.content)
    try decoder.finish()
  }

  @Test(arguments: ["br", "zstd", "identity", "", "gzip, gzip"])
  func `there is no decoder for other encodings`(encoding: String) {
    #expect(ContentDecoder(encoding: encoding) == nil)
  }

  @Test func `no bytes are an empty content`() throws {
    #expect(try decode([], as: "gzip") == [])
    #expect(try decode([[], []], as: "deflate") == [])
  }

  @Test func `mutated input is decoded or refused`() throws {
    var random = SeededGenerator(seed: 0x1A0C)
    let seeds = [
      ("gzip", try encode(Self.content, as: "gzip")), ("deflate", try encode(Self.content, as: "deflate")),
      ("deflate", try Python.encode(Self.content, with: "bare(content, 6)")),
    ]
    for round in 0..<6_000 {
      var (encoding, wire) = seeds[round % seeds.count]
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        wire[Int.random(in: wire.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let cut = Int.random(in: 0...wire.count, using: &random)
      do throws(CodingError) {
        _ = try decode([Array(wire[..<cut]), Array(wire[cut...])], as: encoding)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}

/// Decodes the pieces one by one and finishes.
func decode(_ pieces: [[UInt8]], as encoding: String) throws(CodingError) -> [UInt8] {
  guard let decoder = ContentDecoder(encoding: encoding) else { throw .unsupported(encoding) }
  var content: [UInt8] = []
  for piece in pieces { content += try decoder.decode(piece) }
  try decoder.finish()
  return content
}
