import LaunchHTTP
import Synchronization
import Testing

@testable import LaunchServer

struct StreamedAnswerTests {
  static let clients: [(request: RequestHead, writes: [String], ending: WireAnswer.Ending)] = [
    (
      RequestHead(method: "GET", target: "/"),
      [
        "HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nhello\r\n", "", "1\r\n!\r\n",
        "0\r\n\r\n",
      ], .keepAlive
    ),
    (RequestHead(method: "HEAD", target: "/"), ["HTTP/1.1 200 OK\r\nA: b\r\n\r\n"], .keepAlive),
    (
      RequestHead(method: "GET", target: "/", version: .http10),
      ["HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\n", "hello", "", "!", ""], .close
    ),
  ]

  @Test(arguments: clients)
  func `each piece is written as it comes`(
    client: (request: RequestHead, writes: [String], ending: WireAnswer.Ending)
  ) throws {
    let head = ResponseHead(status: 200, fields: ["A": "b", "Content-Length": "3"])
    let answer = StreamedAnswer(head: head, content: ["hello", "", "!"].map { Array($0.utf8) })
    var content = try StreamedContent(answer, to: client.request)
    var writes = [String(decoding: Array(content.head.joined()), as: UTF8.self)]
    while let pieces = content.next() { writes.append(String(decoding: Array(pieces.joined()), as: UTF8.self)) }
    #expect(writes == client.writes)
    #expect(content.ending == client.ending)
    #expect(answer.answer == Answer(head: head, body: Array("hello!".utf8)))
  }

  @Test func `a piece is made when the client has taken the one before it`() {
    let pieces = CountedPieces(count: 100)
    let now = Moment(nanoseconds: 0)
    var conversation = Conversation(address: "127.0.0.1:1", limits: .standard, at: now) { arrival in
      if arrival.request.location.path == "/other" { return Reply(Answer(head: ResponseHead(status: 204))) }
      return Reply(StreamedAnswer(head: ResponseHead(status: 200), content: pieces))
    }
    let requests = ["/", "/other"].map { "GET \($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined()
    conversation.received(Array(requests.utf8)[...], at: now)
    var output: [UInt8] = []
    while case .send = conversation.next(at: now) {
      let (first, second, _) = conversation.outbox.next
      #expect(pieces.made.withLock { $0 } <= output.count / CountedPieces.pieceBytes + 1)
      output += Array(first + second)
      conversation.sent(first.count + second.count, at: now)
    }
    #expect(pieces.made.withLock { $0 } == 100)
    #expect(output.count > 100 * CountedPieces.pieceBytes)
    let ending = "\r\n0\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
    #expect(String(decoding: output.suffix(ending.utf8.count), as: UTF8.self) == ending)
  }

  @Test func `a client that leaves ends the stream`() {
    let pieces = CountedPieces(count: 100)
    let now = Moment(nanoseconds: 0)
    var conversation = Conversation(address: "127.0.0.1:1", limits: .standard, at: now) { _ in
      Reply(StreamedAnswer(head: ResponseHead(status: 200), content: pieces))
    }
    conversation.received(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)[...], at: now)
    guard case .send = conversation.next(at: now) else {
      Issue.record("there is nothing to send")
      return
    }
    let isInRequest = conversation.isInRequest
    #expect(isInRequest)
    conversation.broke(at: now)
    guard case .close = conversation.next(at: now) else {
      Issue.record("the connection is not closed")
      return
    }
    #expect(pieces.made.withLock { $0 } == 0)
  }
}

/// Large pieces that are counted when they are made.
private final class CountedPieces: Sequence, Sendable {
  static let pieceBytes = 10_000

  let count: Int
  let made = Mutex(0)

  init(count: Int) { self.count = count }

  func makeIterator() -> AnyIterator<[UInt8]> {
    AnyIterator { [self] in
      made.withLock { made in
        guard made < count else { return nil }
        made += 1
        return [UInt8](repeating: 7, count: Self.pieceBytes)
      }
    }
  }
}
