/// The occurrences of one side of which something may still change: a call that is open or may be retried has neither
/// its last fields nor its outcome.
struct Undecided: Sendable {
  private let side: Side
  private var occurrences: [Int: Occurrence] = [:]

  init(_ side: Side) { self.side = side }

  /// Takes a change of the side's name; gives the occurrence back once it is final, if it counts.
  mutating func decide(_ occurrence: Occurrence) -> Occurrence? {
    guard occurrence.isFinal else {
      occurrences[occurrence.id] = occurrence
      return nil
    }
    occurrences[occurrence.id] = nil
    return side.counts(occurrence) ? occurrence : nil
  }

  var isEmpty: Bool { occurrences.isEmpty }

  /// Those that count as things stand, in the order of their starts.
  var counting: [Occurrence] {
    occurrences.values.filter(side.counts).sorted { ($0.start.position, $0.id) < ($1.start.position, $1.id) }
  }
}
