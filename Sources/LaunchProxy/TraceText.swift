import LaunchCassette
import LaunchJSON
import LaunchTrace

/// What a replay has served as the text of a cassette, made line by line: a long trace need not be in memory as a whole.
struct TraceText: Sequence, Sendable {
  let header: CassetteHeader
  let events: ServedTrace

  /// Makes pieces of whole lines. All but the last hold `pieceBytes` or more.
  struct Iterator: IteratorProtocol {
    private var events: ServedTrace.Iterator
    private var encoder = EventEncoder()
    private var writer = JSONWriter()

    fileprivate init(_ text: TraceText) {
      events = text.events.makeIterator()
      text.header.encode(into: &writer)
    }

    mutating func next() -> [UInt8]? {
      while writer.bytes.count < TraceText.pieceBytes, let event = events.next() {
        encoder.encode(event, into: &writer)
      }
      guard !writer.bytes.isEmpty else { return nil }
      defer { writer = JSONWriter() }
      return writer.bytes
    }
  }

  /// Small enough to be made between two answers to others.
  static let pieceBytes = 32 * 1024

  func makeIterator() -> Iterator { Iterator(self) }
}
