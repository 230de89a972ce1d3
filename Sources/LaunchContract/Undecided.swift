/// The occurrences of one side of which something may still change: a call that is open or may be retried has neither
/// its outcome nor, unless it lasts, the field a rule is about.
struct Undecided: Sendable {
  private let side: Side
  /// The field in question; nil when it is the outcome.
  private let field: FieldPath?
  private var occurrences = NumberTable<Occurrence>()
  /// The ids of those that go on, and are decided.
  private var decided: Set<Int> = []

  init(_ side: Side, field: FieldPath? = nil) {
    self.side = side
    self.field = field
  }

  /// Takes a change of the side's name; gives the occurrence back once, when nothing about it is open, if it counts.
  mutating func decide(_ occurrence: Occurrence) -> Occurrence? {
    if side.filter == .any, let field, occurrence.hasForGood(field) {
      if occurrence.isFinal { return decided.remove(occurrence.id) == nil ? occurrence : nil }
      return decided.insert(occurrence.id).inserted ? occurrence : nil
    }
    guard occurrence.isFinal else {
      occurrences[occurrence.id] = occurrence
      return nil
    }
    occurrences.take(occurrence.id)
    return side.counts(occurrence) ? occurrence : nil
  }

  /// Whether nothing more is to come of what was taken.
  var isEmpty: Bool { occurrences.isEmpty && decided.isEmpty }

  /// Those that count as things stand, in the order of their starts.
  var counting: [Occurrence] {
    occurrences.values.filter(side.counts).sorted { ($0.start.position, $0.id) < ($1.start.position, $1.id) }
  }
}
