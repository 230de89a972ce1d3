import LaunchCodings
import TestSupport
import Testing

@Suite struct ContentDecoderTests {
  struct Case: CustomTestStringConvertible, Sendable {
    enum Source: Sendable {
      /// Python that makes the encoded bytes from `content`.
      case python(String)
      /// A file of `Tests/Fixtures/codings`.
      case file(String)
    }

    var name: String
    var encoding: String
    var source: Source
    /// What follows the encoded bytes.
    var garbage: [UInt8] = []
    var testDescription: String { name }

    func wire() throws -> [UInt8] {
      switch source {
      case .python(let expression): try Python.encode(CodingFixture.content(), with: expression) + garbage
      case .file(let name): try CodingFixture.bytes(name) + garbage
      }
    }
  }

  static let cases = [
    Case(name: "gzip", encoding: "gzip", source: .python("gzip.compress(content)")),
    Case(name: "gzip by its old name", encoding: "X-GZip", source: .python("gzip.compress(content)")),
    Case(
      name: "two gzip members", encoding: "gzip",
      source: .python("gzip.compress(content[:9]) + gzip.compress(content[9:])")),
    Case(
      name: "an empty gzip member in the middle", encoding: "gzip",
      source: .python("gzip.compress(content[:9]) + gzip.compress(b'') + gzip.compress(content[9:])")),
    Case(name: "stored gzip", encoding: "gzip", source: .python("gzip.compress(content, 0)")),
    Case(
      name: "gzip, then bytes of no meaning", encoding: "gzip", source: .python("gzip.compress(content)"),
      garbage: Array("tail".utf8)),
    Case(
      name: "gzip, then half of a signature", encoding: "gzip", source: .python("gzip.compress(content)"),
      garbage: [0x1F]),
    Case(
      name: "gzip, then zeros", encoding: "gzip", source: .python("gzip.compress(content)"),
      garbage: [UInt8](repeating: 0, count: 40)),
    Case(name: "deflate", encoding: "deflate", source: .python("zlib.compress(content)")),
    Case(name: "deflate, best", encoding: "DEFLATE", source: .python("zlib.compress(content, 9)")),
    Case(name: "bare deflate", encoding: "deflate", source: .python("bare(content, 6)")),
    Case(name: "bare stored deflate", encoding: "deflate", source: .python("bare(content, 0)")),
    Case(
      name: "bare deflate, then bytes of no meaning", encoding: "deflate", source: .python("bare(content, 6)"),
      garbage: Array("tail".utf8)),
    Case(name: "brotli", encoding: "br", source: .file("best.br")),
    Case(name: "brotli with a small window", encoding: "BR", source: .file("fast.br")),
    Case(
      name: "brotli, then bytes of no meaning", encoding: "br", source: .file("best.br"),
      garbage: Array("tail".utf8)),
    Case(name: "zstd", encoding: "zstd", source: .file("best.zst")),
    Case(name: "zstd with a checksum", encoding: "Zstd", source: .file("checked.zst")),
    Case(name: "zstd frames, some to be skipped, members", encoding: "zstd", source: .file("frames.zst")),
    Case(
      name: "zstd, then bytes of no meaning", encoding: "zstd", source: .file("best.zst"),
      garbage: Array("tail".utf8)),
    Case(
      name: "zstd, then most of a signature", encoding: "zstd", source: .file("best.zst"),
      garbage: [0x28, 0xB5, 0x2F]),
    Case(name: "gzip in brotli", encoding: "gzip, br", source: .file("content.gz.br")),
    Case(
      name: "three codings, and one that is none", encoding: " gzip ,zstd,, identity, x-gzip",
      source: .file("content.gz.zst.gz")),
    Case(
      name: "deflate in gzip", encoding: "deflate, gzip", source: .python("gzip.compress(zlib.compress(content))")),
    Case(name: "no coding", encoding: "identity", source: .file("content.txt")),
    Case(name: "no name", encoding: "", source: .file("content.txt")),
  ]

  @Test(arguments: cases) func `what others encode is decoded, wherever it is cut`(row: Case) throws {
    let content = try CodingFixture.content()
    let wire = try row.wire()
    for cut in 0...wire.count {
      #expect(try decode([Array(wire[..<cut]), Array(wire[cut...])], as: row.encoding) == content)
    }
    #expect(try decode(wire.map { [$0] }, as: row.encoding) == content)
  }

  @Test(arguments: cases.filter { $0.garbage.isEmpty && !$0.name.contains("member") && !$0.name.contains("no ") })
  func `an end that comes too early is an error`(row: Case) throws {
    let wire = try row.wire()
    for count in 1..<wire.count {
      let error = try #require(throws: CodingError.self) { _ = try decode([Array(wire[..<count])], as: row.encoding) }
      guard case .truncated(let offset) = error else {
        Issue.record("\(count): \(error)")
        continue
      }
      // The offset of a list is in the bytes of the coding that ended too early.
      #expect(offset == count || row.encoding.contains(","))
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
    ("br", [UInt8]("not brotli at all".utf8)), ("br", [0xFF, 0xFF, 0xFF]),
    ("zstd", [UInt8]("not zstd at all".utf8)),
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD] + [UInt8](repeating: 0xFF, count: 16)),
    // A frame of a version before the format was fixed.
    ("zstd", [0x27, 0xB5, 0x2F, 0xFD, 0, 0, 0, 0, 0, 0, 0]),
    ("gzip, identity", [UInt8]("not gzip at all".utf8)),
  ]) func `corrupt input is an error, again and again`(encoding: String, bytes: [UInt8]) throws {
    let decoder = try #require(ContentDecoder(encoding: encoding))
    let error = try #require(throws: CodingError.self) { _ = try decoder.decode(bytes) }
    if case .corrupt = error {} else { Issue.record("\(error)") }
    #expect(throws: error) { _ = try decoder.decode([1]) }
    #expect(throws: error) { try decoder.finish() }
  }

  @Test func `a wrong checksum is an error`() throws {
    for (encoding, offset) in [("gzip", 5), ("deflate", 1)] {
      var wire = try encode(CodingFixture.content(), as: encoding)
      wire[wire.count - offset] ^= 1
      #expect(throws: CodingError.self) { _ = try decode([wire], as: encoding) }
    }
    var wire = try CodingFixture.bytes("checked.zst")
    wire[wire.count - 1] ^= 1
    #expect(throws: CodingError.self) { _ = try decode([wire], as: "zstd") }
  }

  @Test(arguments: ["long-window.zst", "long-window-small.zst"])
  func `a window that the coding does not allow is an error`(file: String) throws {
    let wire = try CodingFixture.bytes(file)
    #expect(throws: CodingError.self) { _ = try decode([wire], as: "zstd") }
    #expect(throws: CodingError.self) { _ = try decode(wire.map { [$0] }, as: "zstd") }
  }

  static let bombs = [
    ("gzip", "zeros-1g.gz.br", "br"), ("br", "zeros-1g.br", ""), ("zstd", "zeros-1g.zst", ""),
    ("gzip, br", "zeros-1g.gz.br", ""),
  ]

  @Test(arguments: bombs)
  func `a bomb stops at the limit`(encoding: String, file: String, around: String) throws {
    // A gzip stream of a gigabyte of zeros is a megabyte long: brotli keeps it in the repository.
    let bomb = try decode([CodingFixture.bytes(file)], as: around)
    #expect(bomb.count < 1_100_000)
    let limit = 3_000_000
    let whole = try #require(ContentDecoder(encoding: encoding, limit: limit))
    #expect(throws: CodingError.tooLarge(limit: limit)) { _ = try whole.decode(bomb) }

    let decoder = try #require(ContentDecoder(encoding: encoding, limit: limit))
    var given = 0
    let error = #expect(throws: CodingError.self) {
      for byte in bomb { given += try decoder.decode([byte]).count }
    }
    #expect(error == .tooLarge(limit: limit))
    #expect(given <= limit)
  }

  @Test func `a bomb in the middle of a list stops too`() throws {
    // The gzip coding ends after nothing, so all the brotli coding gives is ignored.
    let wire = try encode(encode([], as: "gzip") + [UInt8](repeating: 0, count: 2_000_000), as: "br")
    let decoder = try #require(ContentDecoder(encoding: "gzip, br", limit: 1_000_000))
    #expect(throws: CodingError.tooLarge(limit: 1_000_000)) { _ = try decoder.decode(wire) }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `content of just the limit is let through`(encoding: String) throws {
    let content = try CodingFixture.content()
    let decoder = try #require(ContentDecoder(encoding: encoding, limit: content.count))
    #expect(try decoder.decode(encode(content, as: encoding)) == content)
    try decoder.finish()
  }

  @Test(
    arguments: [
      ("gzip", "gzip"), ("X-GZIP", "gzip"), ("identity", nil), ("", nil), (" , Identity", nil),
      ("gzip,BR", "gzip, br"), ("deflate, identity,\tzstd", "deflate, zstd"),
    ] as [(String, String?)])
  func `a decoder says what it undoes`(field: String, encoding: String?) throws {
    #expect(try #require(ContentDecoder(encoding: field)).encoding == encoding)
  }

  @Test(arguments: ["compress", "gzip, compress", "gz ip", "gzip;q=1", "gzip,gzip,gzip,gzip,gzip,gzip"])
  func `there is no decoder for other encodings`(encoding: String) {
    #expect(ContentDecoder(encoding: encoding) == nil)
  }

  @Test func `no bytes are an empty content`() throws {
    #expect(try decode([], as: "gzip") == [])
    #expect(try decode([[], []], as: "deflate") == [])
    #expect(try decode([], as: "br, zstd") == [])
    #expect(try decode([CodingFixture.bytes("empty.br")], as: "br") == [])
    #expect(try decode([CodingFixture.bytes("empty.zst")], as: "zstd") == [])
  }

  @Test func `mutated input is decoded or refused`() throws {
    var random = SeededGenerator(seed: 0x1A0C)
    let content = try CodingFixture.content()
    var seeds: [(String, [UInt8])] = [
      ("deflate", try Python.encode(content, with: "bare(content, 6)")), ("br", try CodingFixture.bytes("best.br")),
      ("zstd", try CodingFixture.bytes("frames.zst")), ("zstd", try CodingFixture.bytes("checked.zst")),
    ]
    for encoding in ["gzip", "deflate", "br", "zstd", "gzip, br", "br, zstd, deflate"] {
      seeds.append((encoding, try encode(content, as: encoding)))
    }
    for round in 0..<3_000 {
      var (encoding, wire) = seeds[round % seeds.count]
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        wire[Int.random(in: wire.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let cut = Int.random(in: 0...wire.count, using: &random)
      let whole = outcome([wire], as: encoding)
      #expect(outcome([Array(wire[..<cut]), Array(wire[cut...])], as: encoding) == whole)
      #expect(outcome(wire.map { [$0] }, as: encoding) == whole)
    }
  }
}

/// Decodes the pieces one by one and finishes.
func decode(
  _ pieces: [[UInt8]], as encoding: String, limit: Int = 256 << 20
) throws(CodingError) -> [UInt8] {
  guard let decoder = ContentDecoder(encoding: encoding, limit: limit) else { throw .unsupported(encoding) }
  var content: [UInt8] = []
  for piece in pieces { content += try decoder.decode(piece) }
  try decoder.finish()
  return content
}

/// The content, or nil where there is an error; which one may depend on where the wire is cut.
private func outcome(_ pieces: [[UInt8]], as encoding: String) -> [UInt8]? {
  try? decode(pieces, as: encoding, limit: 1 << 20)
}
