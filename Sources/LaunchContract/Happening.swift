/// Whether a side has happened: the first of its occurrences that counts for good, and until there is one, those that
/// may come to.
struct Happening: Sendable {
  private(set) var side: Side
  /// Counts whatever comes.
  private(set) var certain: Occurrence?
  private var candidates = NumberTable<Occurrence>()
  /// The last that does not count.
  private var unfit: Occurrence?

  /// What happens has begun, so only an outcome that the side asks for has to be waited for.
  init(_ side: Side) {
    self.side = side
    self.side.moment = .start
  }

  mutating func take(_ signals: [Signal]) {
    guard certain == nil else { return }
    for signal in signals where signal.occurrence.name == side.name { take(signal.occurrence) }
  }

  private mutating func take(_ occurrence: Occurrence) {
    candidates.take(occurrence.id)
    if !side.isSettled(occurrence) {
      candidates[occurrence.id] = occurrence
    } else if side.counts(occurrence) {
      certain = occurrence
      candidates = [:]
    } else {
      unfit = occurrence
    }
  }

  /// The first that counts as things stand.
  var current: Occurrence? {
    certain ?? candidates.values.filter(side.counts).min { $0.start.position < $1.start.position }
  }

  /// `tags came, answered 500 at 0.020 s`, where something came and does not count; nil otherwise.
  var nearMiss: String? {
    guard current == nil else { return nil }
    let failed = candidates.values.max { $0.start.position < $1.start.position } ?? unfit
    return failed.map { "\(side.label) came, \($0.fate)" }
  }
}
