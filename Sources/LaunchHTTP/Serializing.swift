extension RequestHead {
  /// The request line and header as they go on the wire, the empty line included.
  /// - Throws: `CodecError` for anything that would not be read back as it is: a method or name that is no token, a
  ///   target with blanks, a value with CR, LF or another control byte.
  public func serialized() throws(CodecError) -> [UInt8] {
    guard method.isToken else { throw CodecError(.malformedMethod, at: 0) }
    guard target.isTarget(of: method) else { throw CodecError(.malformedTarget, at: 0) }
    return Array("\(method) \(target) \(try version.name())\r\n".utf8) + (try fields.serialized())
  }
}

extension ResponseHead {
  /// The status line and header as they go on the wire, the empty line included.
  /// - Throws: `CodecError` for anything that would not be read back as it is: a status outside 100...999, a name that
  ///   is no token, a value with CR, LF or another control byte.
  public func serialized() throws(CodecError) -> [UInt8] {
    guard (100...999).contains(status) else { throw CodecError(.malformedStatus, at: 0) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + fields.wireBytes)
    bytes += try version.name().utf8
    bytes += [0x20, 0x30 + UInt8(status / 100), 0x30 + UInt8(status / 10 % 10), 0x30 + UInt8(status % 10), 0x20]
    bytes += reasonPhrase.utf8
    bytes += [carriageReturn, lineFeed]
    try fields.write(into: &bytes)
    return bytes
  }

  /// RFC 9110 section 15 for the common ones, empty for the rest.
  package var reasonPhrase: String {
    switch status {
    case 100: "Continue"
    case 103: "Early Hints"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 413: "Content Too Large"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

/// Writes content in the chunked transfer coding (RFC 9112 section 7.1).
public enum ChunkedCoding {
  /// One chunk; nothing for no content, because an empty chunk would end the message.
  public static func chunk(_ content: [UInt8]) -> [UInt8] {
    content.isEmpty ? [] : Array("\(String(content.count, radix: 16))\r\n".utf8) + content + [carriageReturn, lineFeed]
  }

  /// What ends the message: the last chunk and the trailer section.
  /// - Throws: `CodecError` for a trailer that would not be read back as it is.
  public static func end(trailers: Fields = [:]) throws(CodecError) -> [UInt8] {
    Array("0\r\n".utf8) + (try trailers.serialized())
  }
}

extension Fields {
  /// The lines and the empty line behind them. Nothing in a field can begin another line.
  fileprivate func serialized() throws(CodecError) -> [UInt8] {
    var bytes: [UInt8] = []
    try write(into: &bytes)
    return bytes
  }

  fileprivate func write(into bytes: inout [UInt8]) throws(CodecError) {
    for field in self {
      guard field.name.isToken else { throw CodecError(.malformedField, at: 0) }
      if let forbidden = field.value.utf8.first(where: { !$0.isFieldByte }) {
        throw CodecError(.forbiddenByte(forbidden), at: 0)
      }
      bytes += field.name.utf8
      bytes.append(0x3A)
      if !field.value.isEmpty { bytes.append(0x20) }
      bytes += field.value.utf8
      bytes += [carriageReturn, lineFeed]
    }
    bytes += [carriageReturn, lineFeed]
  }

  /// About how many bytes the lines take.
  fileprivate var wireBytes: Int { reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 } }
}

extension HTTPVersion {
  fileprivate func name() throws(CodecError) -> String {
    guard self != .http2 else { throw CodecError(.unsupportedVersion("HTTP/2"), at: 0) }
    return self == .http10 ? "HTTP/1.0" : "HTTP/1.1"
  }
}

extension String {
  fileprivate var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}
