/// Why bytes are no HTTP/1.1 message, or why a message cannot be written as one.
///
/// Reading is strict wherever two readers could disagree about where a message ends (RFC 9112 section 11.2).
public struct CodecError: Error, Hashable, Sendable {
  /// What is wrong there.
  public enum Reason: Hashable, Sendable {
    /// A first line that does not have the parts of a request or status line, separated by single spaces.
    case malformedStartLine
    case malformedMethod
    /// A request target with a byte that has to be percent-encoded, or of a form the method does not have.
    case malformedTarget
    /// Neither `HTTP/1.0` nor `HTTP/1.1`; a later 1.x counts as 1.1.
    case malformedVersion
    case unsupportedVersion(String)
    /// A status that is not a number from 100 to 999.
    case malformedStatus
    /// A field line without colon, with white space before it, or whose name is no token.
    case malformedField
    /// A control byte in a field value or reason phrase; a lone CR and NUL are such bytes.
    case forbiddenByte(UInt8)
    /// A field line continued on the next one, in a request (RFC 9112 section 5.2).
    case foldedField
    /// A line that ends with LF alone.
    case bareLineFeed
    /// A head, trailer section or chunk size line longer than the parser's limit.
    case oversizedHead
    /// A Content-Length that is no decimal number of bytes.
    case malformedLength(String)
    /// Content-Length lines that disagree.
    case conflictingLengths
    /// Content-Length and Transfer-Encoding in one head.
    case lengthWithCoding
    /// Transfer codings in an impossible order, in HTTP/1.0, or with parameters.
    case malformedCoding(String)
    /// A transfer coding other than `chunked`.
    case unsupportedCoding(String)
    case malformedChunkSize
    /// A chunk not followed by CRLF.
    case missingChunkEnd
    /// An HTTP/1.1 request without a `Host` line.
    case missingHost
    case duplicateHost
    /// A `Host` that is not a host with an optional port.
    case malformedHost(String)
    /// The connection was closed inside a message.
    case truncated
  }

  public var reason: Reason
  /// The byte of the stream, counted from the first one the parser saw, where the offending byte or line begins. For
  /// mistakes of a whole head, and for messages that cannot be written, where that head begins.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension CodecError: CustomStringConvertible {
  public var description: String { "\(reason) (byte \(offset))" }
}

extension CodecError.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .malformedStartLine: "the first line is neither a request line nor a status line"
    case .malformedMethod: "the method is not a token"
    case .malformedTarget: "the request target is malformed"
    case .malformedVersion: "the first line names no HTTP version"
    case .unsupportedVersion(let version): "\(version) is not supported here"
    case .malformedStatus: "the status is not a number from 100 to 999"
    case .malformedField: "a field line is not a name, a colon and a value"
    case .forbiddenByte(let byte): "control byte \(byte) stands in a field value or reason phrase"
    case .foldedField: "a field line is folded"
    case .bareLineFeed: "a line ends with LF instead of CRLF"
    case .oversizedHead: "the head is too long"
    case .malformedLength(let value): "Content-Length \"\(value)\" is not a number of bytes"
    case .conflictingLengths: "two Content-Length lines disagree"
    case .lengthWithCoding: "Content-Length and Transfer-Encoding stand in one head"
    case .malformedCoding(let value): "Transfer-Encoding \"\(value)\" does not end the message"
    case .unsupportedCoding(let coding): "transfer coding \"\(coding)\" is not supported"
    case .malformedChunkSize: "a chunk does not begin with its size"
    case .missingChunkEnd: "a chunk does not end with CRLF"
    case .missingHost: "the request has no Host line"
    case .duplicateHost: "the request has two Host lines"
    case .malformedHost(let value): "Host \"\(value)\" is not a host with an optional port"
    case .truncated: "the connection was closed inside a message"
    }
  }
}
