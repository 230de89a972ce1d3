import LaunchHTTP

/// Finds out from the bytes libcurl reports as sent which version the request has, and when its last byte has left.
///
/// libcurl may report the end of a long head as body, so the head's end is looked for in the bytes themselves.
struct RequestMeter {
  /// Known once the request line has left.
  private(set) var version: HTTPVersion?

  private var remaining: Int
  private var requestLine: [UInt8] = []
  /// How many bytes of the blank line that ends the head have been seen.
  private var matched = 0

  /// `bodyBytes` is how many bytes follow the head.
  init(bodyBytes: Int) { remaining = bodyBytes }

  /// Whether the whole request has left.
  var isComplete: Bool { matched == Self.headEnd.count && remaining <= 0 }

  mutating func take(_ bytes: some RandomAccessCollection<UInt8>) {
    var rest = bytes[...]
    while matched < Self.headEnd.count, let byte = rest.popFirst() {
      matched = byte == Self.headEnd[matched] ? matched + 1 : byte == Self.headEnd[0] ? 1 : 0
      if version == nil {
        if byte == UInt8(ascii: "\r") {
          // `GET /path HTTP/1.1`
          version = HTTPVersion(wire: requestLine.split(separator: UInt8(ascii: "/")).last ?? [])
          requestLine = []
        } else {
          requestLine.append(byte)
        }
      }
    }
    remaining -= rest.count
  }

  private static let headEnd = Array("\r\n\r\n".utf8)
}
