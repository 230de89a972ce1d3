/// Bytes on their way to a client: the answers to one request or to several that came together.
struct Outbox {
  /// What is sent with one system call, so that a large answer does not hold up other connections for long. A quarter of
  /// it made a large answer take half as long again.
  static let sliceBytes = 256 * 1024

  private var pieces = Pieces()
  private var piece = 0
  private var sentBytes = 0
  /// How many bytes were not sent yet.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The next bytes, at most `sliceBytes`, and whether more follow: as a rule a head and its content, which lie apart
  /// where the content is large. Empty when everything was sent.
  var next: (first: ArraySlice<UInt8>, second: ArraySlice<UInt8>, isFollowed: Bool) {
    guard piece < pieces.count else { return ([], [], false) }
    let first = pieces[piece].dropFirst(sentBytes).prefix(Self.sliceBytes)
    let isWhole = sentBytes + first.count == pieces[piece].count && piece + 1 < pieces.count
    let second = isWhole ? pieces[piece + 1].prefix(Self.sliceBytes - first.count) : []
    return (first, second, first.count + second.count < count)
  }

  /// Adds an answer, or a part of one, behind all others.
  mutating func append(_ more: Pieces) {
    if isEmpty {
      (pieces, piece, sentBytes) = (more, 0, 0)
    } else {
      for piece in more { pieces.append(piece) }
    }
    for piece in more { count += piece.count }
  }

  /// Takes note that the first `sent` bytes of what remains were sent.
  mutating func advance(by sent: Int) {
    count -= sent
    sentBytes += sent
    while piece < pieces.count, sentBytes >= pieces[piece].count {
      sentBytes -= pieces[piece].count
      piece += 1
    }
    if isEmpty { removeAll() }
  }

  mutating func removeAll() { self = Outbox() }
}
