import LaunchHTTP

/// Reads the requests of one connection, each with its whole content. Pure: bytes and moments go in, requests and the
/// moment at which the client has to have sent more come out.
struct RequestReader {
  enum Step {
    case request(RequestHead, body: [UInt8])
    /// What to answer instead of handing the request on; the connection closes afterwards.
    case refused(WireAnswer)
    /// The client waits for `100 Continue`.
    case expectation
    /// More bytes are needed.
    case starved
    /// The client closed the connection, or sent nothing for too long, between two requests.
    case closed
  }

  private let limits: LaunchServer.Limits
  private var parser: RequestParser
  private var request: PartialRequest
  /// When the last bytes arrived.
  private(set) var lastInput = Moment.never
  /// When the first bytes of the request in progress arrived; nil between two requests.
  private(set) var requestBegan: Moment?
  private var isClosed = false
  private var isTimedOut = false

  init(limits: LaunchServer.Limits) {
    self.limits = limits
    parser = RequestParser(headBytes: limits.headBytes)
    request = PartialRequest(limits: limits)
  }

  /// When the client has to have sent the head it has begun, so that no trickle holds a connection for ever. Nil between
  /// requests and inside content, where it may take the time limit for each piece.
  var deadline: Moment? { request.head == nil ? requestBegan.map { $0 + limits.idle } : nil }

  /// Adds what the client has sent.
  mutating func append(_ bytes: ArraySlice<UInt8>, at now: Moment) {
    lastInput = now
    if requestBegan == nil { requestBegan = now }
    parser.append(bytes)
  }

  /// Says that the client has closed its side.
  mutating func close() {
    parser.finish()
    isClosed = true
  }

  /// Says that the client took too long.
  mutating func timeOut() { isTimedOut = true }

  /// What to do next.
  mutating func next() -> Step {
    do throws(CodecError) {
      while let piece = try parser.next() {
        switch request.add(piece) {
        case .more: break
        case .accepted(let head):
          if head.expectsContinue, parser.unread.isEmpty { return .expectation }
        case .done(let step):
          request = PartialRequest(limits: limits)
          requestBegan = parser.isBetweenRequests ? nil : lastInput
          return step
        }
      }
      if request.isTooLong(with: parser.announcedBytes) { return .refused(request.refusalOfLength) }
      if isClosed { return .closed }
      if !isTimedOut { return .starved }
      guard !parser.isBetweenRequests else { return .closed }
      return .refused(WireAnswer(status: 408, "the request did not arrive in time", to: request.method))
    } catch {
      return .refused(WireAnswer(status: error.reason.status, error.description, to: request.method))
    }
  }
}

/// The pieces of one request that have arrived.
private struct PartialRequest {
  enum Step {
    case more
    /// The head is fine, content follows.
    case accepted(RequestHead)
    case done(RequestReader.Step)
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
      if head.method == "CONNECT" {
        let text = "no TLS is spoken here; use http://, or a base URL"
        return .done(.refused(WireAnswer(status: 501, text, to: method)))
      }
      let length = head.fields["Content-Length"].flatMap { Int($0) } ?? 0
      return isTooLong(with: length) ? .done(.refused(refusalOfLength)) : .accepted(head)
    case .content(let content):
      if body.isEmpty { body = content } else { body += content }
      return isTooLong(with: 0) ? .done(.refused(refusalOfLength)) : .more
    case .end:
      guard let head else { preconditionFailure("a request ends after its head") }
      return .done(.request(head, body: body))
    }
  }

  /// Whether there is more content than is wanted when so many bytes follow.
  func isTooLong(with more: Int) -> Bool { body.count > limits.bodyBytes || more > limits.bodyBytes - body.count }

  var refusalOfLength: WireAnswer {
    WireAnswer(status: 413, "the content is longer than \(limits.bodyBytes) bytes", to: method)
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
