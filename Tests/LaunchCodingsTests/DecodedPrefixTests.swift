import LaunchCodings
import Testing

/// What can be had of content that is cut off or broken.
@Suite struct DecodedPrefixTests {
  private static let content = Array(
    String(repeating: "some text that compresses, number after number. ", count: 6).utf8)

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, br", "identity"])
  func `every cut gives a beginning of the content, and more for more`(encoding: String) throws {
    let wire = try encode(Self.content, as: encoding)
    var last = 0
    for count in 0...wire.count {
      let prefix = try #require(ContentDecoder.prefix(of: Array(wire.prefix(count)), encoding: encoding))
      #expect(Self.content.starts(with: prefix.content) && prefix.content.count >= last)
      last = prefix.content.count
      #expect(prefix.fault != nil || prefix.isRead)
      if encoding != "zstd" { #expect(prefix.isRead) }
    }
    #expect(last == Self.content.count)
  }

  @Test func `a wrong checksum takes nothing from the content`() throws {
    for (encoding, place) in [("gzip", 8), ("gzip", 1), ("deflate", 1)] {
      var wire = try encode(Self.content, as: encoding)
      wire[wire.count - place] ^= 0xFF
      let prefix = try #require(ContentDecoder.prefix(of: wire, encoding: encoding))
      #expect(prefix.content == Self.content && prefix.fault != nil && prefix.isRead)
    }
  }

  @Test func `damage in the middle is told, with what came before it`() throws {
    for encoding in ["gzip", "deflate", "br", "zstd"] {
      let wire = try encode(Self.content, as: encoding)
      for place in wire.indices {
        var damaged = wire
        damaged[place] = ~damaged[place]
        let prefix = ContentDecoder.prefix(of: damaged, encoding: encoding, limit: 1 << 16)
        #expect((prefix?.content.count ?? 0) <= 1 << 16)
      }
    }
  }

  @Test func `there is no more than the limit, and an unknown encoding gives nothing`() throws {
    let wire = try encode([UInt8](repeating: 7, count: 1 << 20), as: "gzip")
    let prefix = try #require(ContentDecoder.prefix(of: wire, encoding: "gzip", limit: 100_000))
    #expect(prefix.content.count <= 100_000 && prefix.fault == .tooLarge(limit: 100_000) && !prefix.isRead)
    #expect(ContentDecoder.prefix(of: wire, encoding: "compress") == nil)
  }
}
