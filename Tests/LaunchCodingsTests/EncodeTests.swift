import LaunchCodings
import TestSupport
import Testing

@Suite struct EncodeTests {
  enum Content: String, CaseIterable, Sendable {
    case empty, short, even, random

    var bytes: [UInt8] {
      switch self {
      case .empty: return []
      case .short: return Array("consent".utf8)
      case .even: return [UInt8](repeating: 7, count: 100_000)
      case .random:
        var random = SeededGenerator(seed: 1)
        return (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
    }
  }

  @Test(arguments: ["gzip", "x-gzip", "deflate"], Content.allCases)
  func `Python decodes what is encoded`(encoding: String, content: Content) throws {
    let bytes = content.bytes
    let wire = try encode(bytes, as: encoding)
    let python = encoding == "deflate" ? "zlib.decompress(content)" : "gzip.decompress(content)"
    #expect(try Python.encode(wire, with: python) == bytes)
  }

  @Test(
    .enabled(if: Python.hasTool("brotli") && Python.hasTool("zstd"), "needs the command line tools brotli and zstd"),
    arguments: ["br", "zstd"], Content.allCases)
  func `the tools decode what is encoded`(encoding: String, content: Content) throws {
    let bytes = content.bytes
    let tool = encoding == "br" ? "['brotli', '-dc']" : "['zstd', '-dqc']"
    let python = "subprocess.run(\(tool), input=content, stdout=subprocess.PIPE, check=True).stdout"
    #expect(try Python.encode(encode(bytes, as: encoding), with: python) == bytes)
  }

  static let encodings = ["gzip", "deflate", "br", "zstd", "gzip, br", "zstd, deflate, br", "identity"]

  @Test(arguments: encodings, Content.allCases)
  func `what is encoded can be decoded`(encoding: String, content: Content) throws {
    let wire = try encode(content.bytes, as: encoding)
    #expect(try decode([wire], as: encoding) == content.bytes)
    #expect(encoding == "identity" || content != .even || wire.count < 500)
  }

  @Test(arguments: encodings) func `each flushed piece can be decoded at once`(encoding: String) throws {
    let encoder = try #require(ContentEncoder(encoding: encoding))
    let decoder = try #require(ContentDecoder(encoding: encoding))
    for piece in [Content.short.bytes, [], [1], Content.random.bytes, Content.even.bytes, Content.short.bytes] {
      let half = piece.count / 2
      let wire = try encoder.encode(piece[..<half]) + encoder.encode(piece[half...], flush: true)
      #expect(try decoder.decode(wire) == piece)
      #expect(try encoder.encode([], flush: true) == [])
    }
    #expect(try decoder.decode(encoder.finish()) == [])
    try decoder.finish()
  }

  @Test(arguments: encodings) func `pieces are encoded one by one, and their end behind them`(encoding: String) throws {
    let pieces = [Content.short.bytes, [], Content.random.bytes, Content.short.bytes]
    let wires = try encode(pieces: pieces.map { $0[...] }, as: encoding)
    let decoder = try #require(ContentDecoder(encoding: encoding))
    #expect(try wires.map { try decoder.decode($0) } == pieces + [[]])
    try decoder.finish()
  }

  @Test(arguments: encodings) func `equal contents give equal bytes`(encoding: String) throws {
    #expect(
      try encode(Content.random.bytes, as: encoding) == encode(Content.random.bytes, as: encoding.uppercased()))
  }

  @Test func `an unknown encoding is an error`() {
    #expect(throws: CodingError.unsupported("compress")) { _ = try encode([1], as: "compress") }
    #expect(throws: CodingError.unsupported("gzip, x")) { _ = try encode(pieces: [], as: "gzip, x") }
    #expect(ContentEncoder(encoding: "compress") == nil)
  }
}
