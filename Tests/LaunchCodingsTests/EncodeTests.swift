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
    #expect(try decode([wire], as: encoding) == bytes)
  }

  @Test func `equal contents give equal bytes`() throws {
    #expect(try encode(Content.short.bytes, as: "gzip") == encode(Content.short.bytes, as: "GZIP"))
  }

  @Test func `identity changes nothing`() throws {
    #expect(try encode(Content.short.bytes, as: "Identity") == Content.short.bytes)
  }

  @Test func `an unknown encoding is an error`() {
    #expect(throws: CodingError.unsupported("br")) { _ = try encode([1], as: "br") }
  }
}
