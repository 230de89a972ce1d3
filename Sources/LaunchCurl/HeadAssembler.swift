import LaunchHTTP

/// Puts heads and trailers together from the raw lines libcurl passes on: every informational block, the final head,
/// and, after the body, the trailer lines.
struct HeadAssembler {
  enum Head: Hashable, Sendable {
    case informational(ResponseHead)
    case final(ResponseHead)
  }

  private(set) var trailers = Fields()
  private var block: ResponseHead?
  private var isComplete = false

  /// Takes one line, its line break included or not; returns the head the line completes.
  mutating func take(_ line: [UInt8]) -> Head? {
    let line = line.withoutLineBreak
    guard !isComplete else {
      Self.append(line, to: &trailers)
      return nil
    }
    guard var head = block else {
      block = Self.statusLine(line)
      return nil
    }
    guard line.isEmpty else {
      Self.append(line, to: &head.fields)
      block = head
      return nil
    }
    block = nil
    // After 101 the connection speaks something else: no other head follows (RFC 9110 section 15.2.2).
    isComplete = head.status >= 200 || head.status == 101
    return isComplete ? .final(head) : .informational(head)
  }

  /// `HTTP/1.1 200 OK`; libcurl writes HTTP/2's as `HTTP/2 200 `.
  private static func statusLine(_ line: ArraySlice<UInt8>) -> ResponseHead? {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
    guard words.count >= 2, words[0].starts(with: "HTTP/".utf8), let status = Int(String(wire: words[1])) else {
      return nil
    }
    return ResponseHead(status: status, version: HTTPVersion(wire: words[0].dropFirst(5)))
  }

  private static func append(_ line: ArraySlice<UInt8>, to fields: inout Fields) {
    guard let first = line.first else { return }
    // A folded line goes on with the value before it (RFC 9112 section 5.2).
    if first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), !fields.isEmpty {
      fields[fields.count - 1].value += " " + String(wire: line.trimmed)
      return
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    fields.append(String(wire: line[..<colon].trimmed), String(wire: line[colon...].dropFirst().trimmed))
  }
}

extension HTTPVersion {
  /// The version `digits` spells in a status or request line; 1.1 stands for every other 1.x (RFC 9110 section 2.5).
  init(wire digits: some Sequence<UInt8>) {
    switch String(decoding: Array(digits), as: UTF8.self) {
    case "1.0": self = .http10
    case "2", "2.0": self = .http2
    default: self = .http11
    }
  }
}

extension String {
  /// The bytes as UTF-8 if they are that, else each as one Latin-1 character, so that none is lost (RFC 9110
  /// section 5.5).
  fileprivate init(wire bytes: ArraySlice<UInt8>) {
    self =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
  }
}

extension Array<UInt8> {
  fileprivate var withoutLineBreak: ArraySlice<UInt8> {
    let last = lastIndex { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    return last.map { self[...$0] } ?? []
  }
}

extension ArraySlice<UInt8> {
  /// Without the blanks at both ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let last = lastIndex(where: { !isBlank($0) }) else { return [] }
    return self[...last].drop(while: isBlank)
  }
}
