import LaunchHTTP
import Testing

@Suite struct AnswerNegotiationTests {
  /// A coding that can be read: each piece stands in brackets of the coding, and a bar ends the encoding.
  static let toy: PieceEncoder = { pieces, encoding in
    guard encoding != "unknown" else { return nil }
    return pieces.map { Array("<\(encoding):".utf8) + $0 + Array(">".utf8) } + [Array("|".utf8)]
  }

  static func request(_ accepted: String? = nil, method: String = "GET") -> Request {
    let fields: Fields = accepted.map { ["Accept-Encoding": $0] } ?? [:]
    return Request(method: method, location: Location(scheme: "https", host: "vendor.test"), fields: fields)
  }

  /// A recorded answer of two chunks and one without content between them.
  static func answer(
    _ fields: Fields, status: Int = 200, encoding: String? = "gzip", isRaw: Bool = false, fault: Answer.Fault? = nil
  ) -> Answer {
    let ending = Ending(trailers: ["X-Sum": "7"], encoding: encoding, isRaw: isRaw)
    return Answer(
      connection: Connection(id: 1, address: "127.0.0.1:9001"),
      parts: [
        Answer.TimedPart(
          at: .milliseconds(1), .informational(ResponseHead(status: 103, fields: ["Content-Length": "9"]))),
        Answer.TimedPart(at: .milliseconds(2), .head(ResponseHead(status: status, fields: fields))),
        Answer.TimedPart(at: .milliseconds(3), .chunk(Chunk(Array("con".utf8)))),
        Answer.TimedPart(at: .milliseconds(4), .chunk(Chunk([]))),
        Answer.TimedPart(at: .milliseconds(5), .chunk(Chunk(Array("sent".utf8)))),
        Answer.TimedPart(at: .milliseconds(6), fault.map { .fault($0) } ?? .end(ending)),
      ])
  }

  static let encoded: Fields = [
    "ETag": "\"1\"", "Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Content-Length": "99",
  ]

  func negotiated(
    _ answer: Answer, for request: Request, recorded: Request = request("gzip"), encoding: String? = "gzip"
  ) -> Answer {
    answer.negotiated(for: request, recorded: recorded, encoding: encoding, encode: Self.toy)
  }

  @Test func `a client that takes the encoding gets it, each chunk at its moment`() {
    let answer = negotiated(Self.answer(Self.encoded), for: Self.request("br, gzip;q=0.5"))
    #expect(answer.wires == ["<gzip:con>", "<gzip:>", "<gzip:sent>|"])
    #expect(answer.contents == ["con", "", "sent"])
    #expect(answer.ending == Ending(trailers: ["X-Sum": "7"], encoding: "gzip"))
    #expect(
      answer.fields == [
        "ETag": "\"1\"", "Content-Encoding": "gzip", "Vary": "Accept-Encoding", "Content-Length": "29",
      ])
    #expect(answer.parts.map(\.offset) == Self.answer(Self.encoded).parts.map(\.offset))
    #expect(answer.parts.first == Self.answer(Self.encoded).parts.first)
    #expect(answer.connection == Self.answer(Self.encoded).connection)
  }

  @Test(arguments: ["", "br", "gzip;q=0", "identity", "*;q=0, identity"])
  func `any other client gets the content itself`(accepted: String) {
    let answer = negotiated(Self.answer(Self.encoded), for: Self.request(accepted))
    #expect(answer.wires == ["con", "", "sent"])
    #expect(answer.contents == answer.wires)
    #expect(answer.ending == Ending(trailers: ["X-Sum": "7"]))
    #expect(answer.fields == ["ETag": "\"1\"", "Vary": "Accept-Encoding", "Content-Length": "7"])
  }

  @Test func `a client that takes neither gets what was recorded`() {
    let answer = negotiated(Self.answer(Self.encoded), for: Self.request("br, identity;q=0"))
    #expect(answer.ending?.encoding == "gzip")
  }

  @Test(
    arguments: [(nil, nil, true), (nil, "gzip", false), ("gzip", nil, true), ("br", nil, false)]
      as [(String?, String?, Bool)])
  func `a client that does not say gets what one that did not say got`(live: String?, then: String?, isEncoded: Bool) {
    let answer = negotiated(Self.answer(Self.encoded), for: Self.request(live), recorded: Self.request(then))
    #expect((answer.ending?.encoding == "gzip") == isEncoded)
  }

  @Test func `a list of encodings is one encoding`() {
    let fields: Fields = ["Content-Encoding": "gzip", "content-encoding": "br"]
    let recorded = Self.answer(fields, encoding: "gzip, br")
    let encoded = negotiated(recorded, for: Self.request("br, gzip"), encoding: "gzip, br")
    #expect(encoded.wires == ["<gzip, br:con>", "<gzip, br:>", "<gzip, br:sent>|"])
    #expect(encoded.fields == fields)
    let plain = negotiated(recorded, for: Self.request("gzip"), encoding: "gzip, br")
    #expect(plain.wires == ["con", "", "sent"])
    #expect(plain.fields == [:])
  }

  @Test func `without a codec the client gets the content itself`() {
    let recorded = Self.answer(["Content-Encoding": "unknown"], encoding: "unknown")
    let answer = negotiated(recorded, for: Self.request("unknown"), encoding: "unknown")
    #expect(answer.wires == ["con", "", "sent"])
    #expect(answer.fields == [:])
  }

  @Test func `a raw body and a plain one go out as they are`() {
    for recorded in [
      Self.answer(["Content-Encoding": "gzip", "Content-Length": "7"], encoding: nil, isRaw: true),
      Self.answer(["Content-Length": "7"], encoding: nil), Self.answer(["Transfer-Encoding": "chunked"], encoding: nil),
    ] {
      #expect(negotiated(recorded, for: Self.request("br"), encoding: nil) == recorded)
    }
  }

  @Test(
    arguments: [
      (["Content-Length": "5"], ["Content-Length": "7"]), (["Content-Length": "many"], ["Content-Length": "7"]),
      (["Content-Length": "7", "content-length": "8"], ["Content-Length": "7"]),
      (["Content-Length": "7", "Transfer-Encoding": "chunked"], ["Transfer-Encoding": "chunked"]),
    ] as [(Fields, Fields)]) func `a length that is wrong is corrected`(recorded: Fields, fields: Fields)
  {
    #expect(negotiated(Self.answer(recorded), for: Self.request(), encoding: nil).fields == fields)
  }

  @Test(arguments: [("GET", 204), ("GET", 304), ("HEAD", 200)])
  func `an answer without content has no chunks`(method: String, status: Int) {
    let recorded = Self.answer(Self.encoded, status: status)
    let answer = negotiated(recorded, for: Self.request("gzip", method: method))
    #expect(answer.wires == [])
    #expect(answer.fields == Self.encoded)
    #expect(answer.ending == Ending(trailers: ["X-Sum": "7"]))
  }

  @Test func `an encoded body without chunks stays empty`() {
    var recorded = Self.answer(Self.encoded)
    recorded.parts.removeSubrange(2...4)
    let answer = negotiated(recorded, for: Self.request("gzip"))
    #expect(answer.wires == [])
    #expect(answer.fields?["Content-Length"] == "0")
    #expect(answer.ending == Ending(trailers: ["X-Sum": "7"]))
  }

  @Test(
    arguments: [("gzip", "99", "99"), ("gzip", "20", nil), ("br", "99", nil), ("gzip", nil, nil)]
      as [(String, String?, String?)])
  func `an answer that is cut off has no end, and no length that it would reach`(
    accepted: String, recorded: String?, length: String?
  ) {
    var fields = Self.encoded
    fields["Content-Length"] = recorded
    let answer = negotiated(Self.answer(fields, fault: .truncate), for: Self.request(accepted))
    #expect(answer.fields?["Content-Length"] == length)
    #expect(answer.wires.last == (accepted == "gzip" ? "<gzip:sent>" : "sent"))
    #expect(answer.parts.last?.part == .fault(.truncate))
  }

  @Test func `an answer that fails before its head stays`() {
    let recorded = Answer(parts: [Answer.TimedPart(at: .zero, .fault(.reset))])
    #expect(negotiated(recorded, for: Self.request("gzip")) == recorded)
  }
}

extension Answer {
  fileprivate var fields: Fields? {
    for timed in parts {
      if case .head(let head) = timed.part { return head.fields }
    }
    return nil
  }

  fileprivate var ending: Ending? { if case .end(let ending) = parts.last?.part { ending } else { nil } }
  fileprivate var wires: [String] { chunks.map { String(decoding: $0.wire, as: UTF8.self) } }
  fileprivate var contents: [String] { chunks.map { String(decoding: $0.content, as: UTF8.self) } }

  private var chunks: [Chunk] {
    parts.compactMap { if case .chunk(let chunk) = $0.part { chunk } else { nil } }
  }
}
