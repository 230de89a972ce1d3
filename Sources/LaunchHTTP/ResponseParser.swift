/// Reads HTTP/1.1 responses from bytes that arrive in any pieces.
///
/// ```swift
/// var parser = ResponseParser()
/// parser.expect(answerTo: "HEAD")
/// parser.append(received)
/// while let piece = try parser.next() { handle(piece) }
/// ```
///
/// Folded field lines are joined, as a client has to do; doubtful framing is an error. After an error the parser only
/// repeats it. No input makes it trap.
public struct ResponseParser: Sendable {
  /// What a response is read as: any number of 1xx heads, its head, any number of pieces of content, its end.
  public enum Piece: Hashable, Sendable {
    /// A 1xx head; the final one follows.
    case informational(ResponseHead)
    /// The final head. 101 is one, too: another protocol follows it.
    case head(ResponseHead)
    /// Content with transfer coding undone, as it arrived; never empty.
    case content([UInt8])
    /// The response is complete; the next piece belongs to another one.
    case end(trailers: Fields)
  }

  private var reader: MessageReader
  private var line: StatusLine?
  private var failure: CodecError?
  /// The methods of the requests whose responses have not begun, oldest first.
  private var methods: [String] = []

  /// - Parameter headBytes: How long a head, a trailer section or a chunk size line may be.
  public init(headBytes: Int = 64 * 1024) { reader = MessageReader(.response, headBytes: headBytes) }

  /// What was appended and belongs to no piece yet. After `101 Switching Protocols` or a CONNECT that succeeded, whose
  /// heads are the last piece, the first bytes of the other protocol.
  public var unread: [UInt8] { Array(reader.unread) }

  /// Says that a request was sent: responses to HEAD and CONNECT have no content. A response nobody announced is taken
  /// for one to GET.
  public mutating func expect(answerTo method: String) {
    methods.append(method)
    reader.isMessageDue = true
  }

  /// Adds the next bytes of the stream, cut anywhere. Reads nothing yet: `next()` does.
  public mutating func append(_ bytes: some Collection<UInt8>) { reader.append(Array(bytes)[...]) }

  /// Says that the connection was closed: ends content that lasts until then, and from now on `next()` throws
  /// `truncated` inside any other message, after a 1xx head, and when an expected answer has not begun.
  public mutating func finish() { reader.close() }

  /// The next piece; nil until more bytes are appended, or at the end.
  /// - Throws: `CodecError` with what is wrong and where.
  public mutating func next() throws(CodecError) -> Piece? {
    if let failure { throw failure }
    do throws(CodecError) {
      return try nextPiece()
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func nextPiece() throws(CodecError) -> Piece? {
    while let piece = try reader.next() {
      switch piece {
      case .startLine(let bytes, let offset): line = try StatusLine(bytes, at: offset)
      case .header(let fields):
        guard let line else { preconditionFailure("a header follows a first line") }
        return try begin(ResponseHead(status: line.status, fields: fields, version: line.version), at: line.offset)
      case .content(let content): return .content(content)
      case .end(let trailers): return .end(trailers: trailers)
      }
    }
    return nil
  }

  private mutating func begin(_ head: ResponseHead, at offset: Int) throws(CodecError) -> Piece {
    if head.isInformational {
      reader.skipContent()
      reader.isMessageDue = true
      return .informational(head)
    }
    let method = methods.isEmpty ? "GET" : methods.removeFirst()
    reader.isMessageDue = !methods.isEmpty
    reader.frame(as: try head.framing(answering: method, at: offset))
    return .head(head)
  }
}

private struct StatusLine: Sendable {
  var version: HTTPVersion
  var status: Int
  var offset: Int

  /// The reason phrase may be empty or missing, and is not kept: HTTP/2 has none (RFC 9113 section 8.3.2).
  init(_ line: ArraySlice<UInt8>, at offset: Int) throws(CodecError) {
    let parts = line.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2 else { throw CodecError(.malformedStartLine, at: offset) }
    version = try HTTPVersion(parts[0], at: offset)
    guard parts[1].count == 3, parts[1].allSatisfy(\.isDigit),
      let status = Int(String(decoding: parts[1], as: UTF8.self)),
      status >= 100
    else { throw CodecError(.malformedStatus, at: offset + parts[1].startIndex - line.startIndex) }
    if let forbidden = line.firstIndex(where: { !$0.isFieldByte }) {
      throw CodecError(.forbiddenByte(line[forbidden]), at: offset + forbidden - line.startIndex)
    }
    self.status = status
    self.offset = offset
  }
}

extension ResponseHead {
  /// A 1xx head that a final one follows; after 101 the connection speaks another protocol.
  public var isInformational: Bool { (100..<200).contains(status) && status != 101 }

  /// Whether the server keeps the connection open, as far as the head tells.
  public var keepsAlive: Bool { fields.keepsAlive(version: version) }

  /// Whether a response with this status has no content, whatever its header says (RFC 9112 section 6.3, point 1).
  public func isWithoutContent(answering method: String) -> Bool {
    method == "HEAD" || status < 200 || status == 204 || status == 304
  }

  fileprivate func framing(answering method: String, at offset: Int) throws(CodecError) -> MessageReader.Framing {
    if status == 101 || method == "CONNECT" && (200..<300).contains(status) { return .switched }
    if isWithoutContent(answering: method) { return .length(0) }
    return try fields.framing(version: version, headAt: offset) ?? .untilClose
  }
}
