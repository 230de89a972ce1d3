import LaunchCodings
import LaunchHTTP
import Testing

/// The codecs behind an answer's negotiation, as whoever composes a replay puts them there.
@Suite struct NegotiatedAnswerTests {
  static let pieces: [[UInt8]] = [Array("consent ".utf8), [], Array("attribution ".utf8), Array("paywall".utf8)]

  func answer(_ encoding: String, for accepted: String) -> Answer {
    let fields: Fields = ["Content-Encoding": encoding, "Content-Length": "1"]
    let parts: [Answer.Part] =
      [.head(ResponseHead(status: 200, fields: fields))] + Self.pieces.map { .chunk(Chunk($0)) }
      + [.end(Ending(encoding: encoding))]
    let request = Request(
      method: "GET", location: Location(scheme: "https", host: "vendor.test"),
      fields: ["Accept-Encoding": accepted])
    return Answer(parts: parts.map { Answer.TimedPart(at: .zero, $0) }).negotiated(
      for: request, recorded: request, encoding: encoding, encode: { try? encode(pieces: $0, as: $1) })
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, br", "deflate, zstd, gzip"])
  func `each chunk can be decoded when it arrives`(encoding: String) throws {
    let decoder = try #require(ContentDecoder(encoding: encoding))
    var contents: [[UInt8]] = []
    var length = 0
    var declared: String?
    for timed in answer(encoding, for: "*").parts {
      switch timed.part {
      case .head(let head): declared = head.fields["Content-Length"]
      case .chunk(let chunk):
        length += chunk.wire.count
        contents.append(try decoder.decode(chunk.wire))
      default: continue
      }
    }
    try decoder.finish()
    #expect(contents == Self.pieces)
    #expect(declared == String(length))
  }

  @Test(arguments: [("gzip", "br"), ("gzip, br", "br"), ("compress", "compress")])
  func `other clients get the content itself`(encoding: String, accepted: String) {
    let chunks = answer(encoding, for: accepted).parts.compactMap { timed in
      if case .chunk(let chunk) = timed.part { chunk } else { nil }
    }
    #expect(chunks == Self.pieces.map { Chunk($0) })
  }
}
