/// Something that happens to the app at a moment of its own: an answer arrives, something outside comes about, or time
/// wakes the app and it does something that is seen.
///
/// A number within one exploration: the same thing has the same one in every run.
typealias Turn = Int

/// One step of a run from outside: whose turn it was, and how it went.
enum Step: Hashable, Sendable {
  /// With the number of the outcome, 0 for the recorded or usual one.
  case arrival(Turn, outcome: Int)
  /// Time passed until the app did this.
  case wake(Turn)
  /// The process died and started again.
  case death

  /// Nil for a death.
  var turn: Turn? {
    switch self {
    case .arrival(let turn, _), .wake(let turn): turn
    case .death: nil
    }
  }
}

/// What the turns of an exploration are, numbered by first sight.
struct TurnTable: Sendable {
  /// What tells turns apart: the `occurrence`-th with one name in a run, counted from 1.
  private struct Key: Hashable {
    var name: String
    var occurrence: Int
  }

  private var numbers: [Key: Turn] = [:]
  private var names: [String] = []
  private var occurrences: [Int] = []

  /// The turn that is the `occurrence`-th called `name`.
  mutating func turn(_ name: String, _ occurrence: Int) -> Turn {
    let key = Key(name: name, occurrence: occurrence)
    if let number = numbers[key] { return number }
    numbers[key] = names.count
    names.append(name)
    occurrences.append(occurrence)
    return names.count - 1
  }

  /// What the turn is called in sentences.
  /// - Parameter name: What to call it instead.
  func name(of turn: Turn, as name: String? = nil) -> String {
    let occurrence = occurrences[turn]
    return (name ?? names[turn]) + (occurrence == 1 ? "" : " (\(ordinal(occurrence)))")
  }
}

private func ordinal(_ number: Int) -> String {
  switch (number % 10, number % 100) {
  case (1, let rest) where rest != 11: "\(number)st"
  case (2, let rest) where rest != 12: "\(number)nd"
  case (3, let rest) where rest != 13: "\(number)rd"
  default: "\(number)th"
  }
}
