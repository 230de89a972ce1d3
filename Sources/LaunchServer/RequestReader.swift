import LaunchHTTP

/// Reads the requests of one connection, each with its whole content.
struct RequestReader {
  enum Outcome {
    case request(RequestHead, body: [UInt8])
    /// What to answer instead of handing the request on; the connection closes afterwards.
    case refused(WireAnswer)
    /// The client closed the connection, or sent nothing for too long, between two requests.
    case closed
  }

  private let limits: LaunchServer.Limits
  private var parser: RequestParser

  init(limits: LaunchServer.Limits) {
    self.limits = limits
    parser = RequestParser(headBytes: limits.headBytes)
  }

  /// - Parameter onInput: Called when bytes of this request are there.
  mutating func next(from socket: borrowing Socket, onInput: () -> Void) -> Outcome {
    var request = PartialRequest(limits: limits)
    if !parser.isBetweenRequests { onInput() }
    do throws(CodecError) {
      while true {
        while let piece = try parser.next() {
          switch request.add(piece) {
          case .more: break
          case .accepted(let head):
            if head.expectsContinue, parser.unread.isEmpty, !socket.send(continuing) { return .closed }
          case .done(let outcome): return outcome
          }
        }
        switch socket.receive(until: .now + limits.idle) {
        case .bytes(let bytes):
          onInput()
          parser.append(bytes)
        case .closed:
          // Throws inside a request: a client that only closed its sending side gets to know.
          parser.finish()
          _ = try parser.next()
          return .closed
        case .timedOut:
          guard !parser.isBetweenRequests else { return .closed }
          return .refused(WireAnswer(status: 408, "the request did not arrive in time", to: request.method))
        }
      }
    } catch {
      return .refused(WireAnswer(status: error.reason.status, error.description, to: request.method))
    }
  }
}

/// `100 Continue`, without any fields.
private let continuing = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

/// The pieces of one request that have arrived.
private struct PartialRequest {
  enum Step {
    case more
    /// The head is fine, content follows.
    case accepted(RequestHead)
    case done(RequestReader.Outcome)
  }

  let limits: LaunchServer.Limits
  private(set) var head: RequestHead?
  private var body: [UInt8] = []

  init(limits: LaunchServer.Limits) { self.limits = limits }

  var method: String { head?.method ?? "GET" }

  mutating func add(_ piece: RequestParser.Piece) -> Step {
    switch piece {
    case .head(let head):
      self.head = head
      if head.method == "CONNECT" { return refuse(501, "no TLS is spoken here; use http://, or a base URL") }
      let length = head.fields["Content-Length"].flatMap { Int($0) } ?? 0
      return length > limits.bodyBytes ? tooLong : .accepted(head)
    case .content(let content):
      body += content
      return body.count > limits.bodyBytes ? tooLong : .more
    case .end:
      guard let head else { preconditionFailure("a request ends after its head") }
      return .done(.request(head, body: body))
    }
  }

  private var tooLong: Step { refuse(413, "the content is longer than \(limits.bodyBytes) bytes") }

  private func refuse(_ status: Int, _ text: String) -> Step {
    .done(.refused(WireAnswer(status: status, text, to: method)))
  }
}

extension CodecError.Reason {
  /// The status that tells a client about this mistake (RFC 9110 section 15).
  fileprivate var status: Int {
    switch self {
    case .oversizedHead: 431
    case .unsupportedVersion: 505
    case .unsupportedCoding: 501
    default: 400
    }
  }
}
