import LaunchHTTP
import LaunchTrace

/// What an exchange answers at once where that is the same to every client: a final head, its content and the end.
///
/// Most exchanges are of this kind. It is read off the recording, where making an answer of all its parts would cost more
/// than everything else about a request.
struct PlainAnswer {
  let head: ResponseHead
  let content: Content
  /// The lengths of the chunks that the content comes in.
  let chunks: [Int]

  /// - Returns: nil for an exchange that has more to it: informational heads, trailers, an error, an encoding that was
  ///   undone, a redirect that has to lead back here, a length that is not the content's.
  init?(_ number: Int, of exchanges: ExchangeList) {
    guard exchanges.request(of: number).method != "HEAD" else { return nil }
    var head: ResponseHead?
    var recorded: [Int] = []
    for place in 0..<exchanges.stepCount(of: number) {
      switch exchanges.step(place, of: number) {
      case .connection, .sent: continue
      case .response(let response) where head == nil && response.isPlain: head = response
      case .chunk(let bytes) where head != nil: recorded.append(bytes)
      case .end(let content):
        guard let head, content.isPlain, head.fields.agree(onLength: content.body.count) else { return nil }
        self.head = head
        self.content = content
        chunks = Self.chunks(of: content.body.count, recorded)
        return
      default: return nil
      }
    }
    return nil
  }

  /// How many events of a trace it is.
  var eventCount: Int { 2 + chunks.count }

  /// What it is in a trace.
  var steps: [Event.Step] {
    let received = Content(content.body, encoding: content.encoding, isRaw: content.isRaw)
    return [.response(head)] + chunks.map { .chunk(bytes: $0) } + [.end(received)]
  }

  /// The recorded chunks as far as the content goes, and one more for what is left of it.
  private static func chunks(of contentLength: Int, _ recorded: [Int]) -> [Int] {
    var chunks: [Int] = []
    chunks.reserveCapacity(recorded.count + 1)
    var rest = contentLength
    for bytes in recorded {
      let length = min(max(0, bytes), rest)
      if length > 0 || bytes == 0 { chunks.append(length) }
      rest -= length
    }
    if rest > 0 { chunks.append(rest) }
    return chunks
  }
}

extension ResponseHead {
  /// Whether it is a final one, before content, that leads nowhere.
  fileprivate var isPlain: Bool { !isWithoutContent(answering: "GET") && !(300..<400).contains(status) }
}

extension Content {
  fileprivate var isPlain: Bool { !isMissing && trailers.isEmpty && (encoding == nil || isRaw) }
}

extension Fields {
  /// Whether they say nothing about the length of the content, or just this.
  fileprivate func agree(onLength length: Int) -> Bool {
    guard self["Transfer-Encoding"] == nil else { return false }
    guard let declared = self["Content-Length"] else { return true }
    return Int(declared) == length && values("Content-Length").count == 1
  }
}
