/// One name in a rule: which of its occurrences count, and at which of their two instants.
struct Side: Hashable, Sendable {
  enum Filter: Hashable, Sendable {
    /// Whatever the outcome, open included.
    case any
    /// A final response came, with one of these statuses if any are named.
    case answered(StatusSet?)
    case ok
  }

  enum Moment: Hashable, Sendable {
    case start, end
  }

  /// The name's number in the contract.
  var name: Int
  var label: String
  var filter: Filter
  var moment: Moment
  /// A mark: its two instants are one, and it has no outcome.
  var isPoint = false

  /// Whether the occurrence counts, if nothing more happened to it.
  func counts(_ occurrence: Occurrence) -> Bool {
    switch (filter, occurrence.outcome) {
    case (.any, _), (.ok, .ok): true
    case (.answered(let statuses), .ok), (.answered(let statuses), .failed):
      statuses.map { $0.contains(occurrence.status ?? 0) } ?? true
    case (.answered, _), (.ok, _): false
    }
  }

  /// Whether nothing that may still happen changes `counts` or `point`.
  func isSettled(_ occurrence: Occurrence) -> Bool {
    (filter == .any && moment == .start) || occurrence.isFinal
  }

  /// The instant the rule means; nil for an end that has not come.
  func point(_ occurrence: Occurrence) -> Point? {
    moment == .start ? occurrence.start : occurrence.end
  }

  /// What a requirement on this side asks for, as a rule would write it: `tags (ok)`.
  var demand: String {
    switch filter {
    case .any: label
    case .answered(let statuses): "\(label) (answered\(statuses.map { " \($0.text)" } ?? ""))"
    case .ok: "\(label) (ok)"
    }
  }

  /// The same with the instant: `the start of tags (ok)`.
  var momentDemand: String { moment == .start && !isPoint ? "the start of \(demand)" : demand }

  /// Why a rule about this side was not exercised.
  var absence: String {
    switch filter {
    case .any: "\(label) never " + (moment == .start ? "came" : "ended")
    case .answered(let statuses): "\(label) was never answered" + (statuses.map { " \($0.text)" } ?? "")
    case .ok: "\(label) was never ok"
    }
  }

  /// Why a rule that compares two of them was not exercised.
  func scarcity(of number: Int) -> String {
    number == 0 ? absence : "there is one \(demand), and the rule is about two"
  }
}
