/// Which schedules an exploration runs, and so what it can claim.
///
/// ```swift
/// Orders(parsing: "3-way")  // .covering(3)
/// ```
public enum Orders: Hashable, Sendable {
  /// Every one there is.
  case exhaustive
  /// So few that each order of so many of the turns occurs that can: of 2, 3 or 4.
  case covering(Int)
  /// Drawn by chance: so many, to find what takes at most `depth` orders between two turns.
  case random(runs: Int, depth: Int)

  /// This one.
  case only(Schedule)

  /// What `init(parsing:)` reads; the schedule for `only`.
  public var word: String {
    switch self {
    case .exhaustive: "exhaustive"
    case .covering(let strength): "\(strength)-way"
    case .random: "random"
    case .only(let schedule): "\(schedule)"
    }
  }

  /// `exhaustive`, `2-way`, `3-way`, `4-way` or `random`; nil for any other word.
  public init?(parsing word: String) {
    switch word {
    case "exhaustive": self = .exhaustive
    case "2-way": self = .covering(2)
    case "3-way": self = .covering(3)
    case "4-way": self = .covering(4)
    case "random": self = .random(runs: 500, depth: 2)
    default: return nil
    }
  }

  /// What `init(parsing:)` takes, in the order in which to list it.
  public static let words = ["exhaustive", "2-way", "3-way", "4-way", "random"]
}
