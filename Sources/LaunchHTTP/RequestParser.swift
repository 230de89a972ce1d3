/// Reads HTTP/1.1 requests from bytes that arrive in any pieces, pipelined or not.
///
/// ```swift
/// var parser = RequestParser()
/// parser.append(received)
/// while let piece = try parser.next() { handle(piece) }
/// ```
///
/// Strict, because a server must not guess where a request ends: folded field lines, lines ending with LF alone and
/// every doubtful framing are errors. After an error the parser only repeats it. No input makes it trap.
public struct RequestParser: Sendable {
  /// What a request is read as: its head, any number of pieces of content, its end.
  public enum Piece: Hashable, Sendable {
    case head(RequestHead)
    /// Content with transfer coding undone, as it arrived; never empty.
    case content([UInt8])
    /// The request is complete; the next piece belongs to another one.
    case end(trailers: Fields)
  }

  private var reader: MessageReader
  private var line: RequestLine?
  private var known: KnownFraming?
  private var failure: CodecError?

  /// - Parameter headBytes: How long a head, a trailer section or a chunk size line may be.
  public init(headBytes: Int = 64 * 1024) { reader = MessageReader(.request, headBytes: headBytes) }

  /// What was appended and belongs to no piece yet. After a CONNECT request, whose head is the last piece, the first
  /// bytes of the tunnel.
  public var unread: [UInt8] { Array(reader.unread) }

  /// Whether nothing of another request has arrived behind the last one that ended.
  public var isBetweenRequests: Bool { reader.isBetweenMessages }

  /// How many bytes of content the client has said it will send and has not: the rest of it, or that of one chunk. Who
  /// does not want so many need not wait for them.
  package var announcedBytes: Int { reader.announcedBytes }

  /// Adds the next bytes of the stream, cut anywhere. Reads nothing yet: `next()` does.
  public mutating func append(_ bytes: some Collection<UInt8>) { append(Array(bytes)[...]) }

  /// The same without a copy in between.
  public mutating func append(_ bytes: ArraySlice<UInt8>) { reader.append(bytes) }

  /// Says that no more bytes follow: from now on `next()` throws `truncated` inside a message.
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
      case .startLine(let bytes, let offset): line = try RequestLine(bytes, at: offset)
      case .header(let fields):
        guard let line else { preconditionFailure("a header follows a first line") }
        let head = RequestHead(method: line.method, target: line.target, fields: fields, version: line.version)
        reader.frame(as: try framing(of: head, at: line.offset))
        return .head(head)
      case .content(let content): return .content(content)
      case .end(let trailers): return .end(trailers: trailers)
      }
    }
    return nil
  }

  /// A header that the last request had too, which the reader returns as the very same one, is not searched again.
  private mutating func framing(of head: RequestHead, at offset: Int) throws(CodecError) -> MessageReader.Framing {
    if let known, known.version == head.version, known.fields == head.fields, head.method != "CONNECT" {
      return known.framing
    }
    let framing = try head.framing(at: offset)
    if head.method != "CONNECT" {
      known = KnownFraming(version: head.version, fields: head.fields, framing: framing)
    }
    return framing
  }
}

/// What follows a header that was read before.
private struct KnownFraming: Sendable {
  var version: HTTPVersion
  var fields: Fields
  var framing: MessageReader.Framing
}

private struct RequestLine: Sendable {
  var method: String
  var target: String
  var version: HTTPVersion
  var offset: Int

  init(_ line: ArraySlice<UInt8>, at offset: Int) throws(CodecError) {
    guard let first = line.firstIndex(of: 0x20), let second = line[(first + 1)...].firstIndex(of: 0x20),
      !line[(second + 1)...].contains(0x20)
    else { throw CodecError(.malformedStartLine, at: offset) }
    let name = line[..<first]
    guard !name.isEmpty, name.allSatisfy(\.isTokenByte) else { throw CodecError(.malformedMethod, at: offset) }
    version = try HTTPVersion(line[(second + 1)...], at: offset + second + 1 - line.startIndex)
    method = String(decoding: name, as: UTF8.self)
    guard let target = String(validating: line[(first + 1)..<second], as: UTF8.self), target.isTarget(of: method) else {
      throw CodecError(.malformedTarget, at: offset + first + 1 - line.startIndex)
    }
    self.target = target
    self.offset = offset
  }
}

extension RequestHead {
  fileprivate func framing(at offset: Int) throws(CodecError) -> MessageReader.Framing {
    switch fields.values("Host").count {
    case 0 where version == .http11: throw CodecError(.missingHost, at: offset)
    case 0, 1: break
    default: throw CodecError(.duplicateHost, at: offset)
    }
    let framing = try fields.framing(version: version, headAt: offset)
    return method == "CONNECT" ? .switched : framing ?? .length(0)
  }
}

extension String {
  /// Whether this can be the target of a request line with `method` (RFC 9112 section 3.2).
  func isTarget(of method: String) -> Bool {
    guard !isEmpty, utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x23 }) else { return false }
    if method == "CONNECT" { return !utf8.contains(0x2F) }
    return utf8.first == 0x2F || utf8.first?.isLetter == true || method == "OPTIONS" && self == "*"
  }
}

extension HTTPVersion {
  /// Reads `HTTP/1.1` and its relatives.
  init(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(CodecError) {
    let digits = bytes.dropFirst(5)
    guard bytes.starts(with: "HTTP/".utf8), digits.count == 3, let major = digits.first, let minor = digits.last,
      major.isDigit, minor.isDigit, digits.dropFirst().first == 0x2E
    else { throw CodecError(.malformedVersion, at: offset) }
    guard major == 0x31 else {
      throw CodecError(.unsupportedVersion(String(decoding: bytes, as: UTF8.self)), at: offset)
    }
    self = minor == 0x30 ? .http10 : .http11
  }
}
