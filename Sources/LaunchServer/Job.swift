/// One answer under way: what of it was written, and when the rest is due.
struct Job {
  /// What the report calls the answer.
  let number: Int
  private let start: Moment
  private let answer: WireAnswer
  private var write = 0
  private var piece = 0
  private var sentBytes = 0

  /// - Parameter start: What the offsets of `answer` count from.
  init(_ answer: WireAnswer, number: Int = 0, from start: Moment) {
    self.number = number
    self.answer = answer
    self.start = start
  }

  /// When the next write is due, counted as in the answer.
  var offset: Duration { answer.writes.indices.contains(write) ? answer.writes[write].offset : answer.endOffset }

  /// When the next write is due, or the ending when nothing is left to be written.
  var deadline: Moment { start + offset }

  /// Whether the next write has a moment of its own, instead of being due at once.
  var isTimed: Bool { offset > .zero }

  /// Whether nothing of the next write was written yet.
  var isAtStartOfWrite: Bool { piece == 0 && sentBytes == 0 }

  /// The next bytes, `limit` at most and never none, and whether more of the same write follow; nil when all is written.
  func next(upTo limit: Int) -> (bytes: ArraySlice<UInt8>, isFollowed: Bool)? {
    guard answer.writes.indices.contains(write) else { return nil }
    let pieces = answer.writes[write].pieces
    let bytes = pieces[piece].dropFirst(sentBytes)
    return (bytes.prefix(limit), bytes.count > limit || piece + 1 < pieces.count)
  }

  /// Takes note that `count` of the next bytes were written.
  mutating func advance(by count: Int) {
    sentBytes += count
    guard sentBytes >= answer.writes[write].pieces[piece].count else { return }
    (piece, sentBytes) = (piece + 1, 0)
    guard piece == answer.writes[write].pieces.count else { return }
    (write, piece) = (write + 1, 0)
  }
}
