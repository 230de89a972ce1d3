/// Something that was made otherwise than in the recorded run. What else is otherwise then follows from it.
enum Change: Hashable, Sendable {
  /// The arrival comes, early or late, once others have; as soon as it can for none.
  case move(Turn, behind: [Turn])
  /// The arrival does not come as long as anything else happens.
  case hold(Turn)
  /// The arrival has another outcome than usual.
  case outcome(Turn, Int)
  /// The process dies right behind a turn; at once for nil.
  case death(behind: Turn?)
}

/// Makes some changes, and lets everything else happen as in the recording.
struct ChangeChooser: Chooser, Sendable {
  /// In the order in which they are made when several can be.
  private var moves: [(turn: Turn, behind: [Turn])] = []
  /// What may not come by itself.
  private var held: Set<Turn> = []
  private var outcomes: [Turn: Int] = [:]
  private var deaths: [Turn?] = []
  private var hasHappened: Set<Turn> = []

  init(_ changes: [Change]) {
    for change in changes {
      switch change {
      case .move(let turn, let others):
        moves.append((turn, others))
        held.insert(turn)
      case .hold(let turn): held.insert(turn)
      case .outcome(let turn, let outcome): outcomes[turn] = outcome
      case .death(let turn): deaths.append(turn)
      }
    }
  }

  mutating func took(_ step: Step) {
    if let turn = step.turn { hasHappened.insert(turn) }
  }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    if let place = options.firstIndex(of: .death),
      let death = deaths.firstIndex(where: { $0.map(hasHappened.contains) ?? true })
    {
      deaths.remove(at: death)
      return place
    }
    for move in moves where move.behind.allSatisfy(hasHappened.contains) {
      if let place = options.firstIndex(of: .arrival(move.turn, outcome: 0)) { return arrival(place, options) }
    }
    let usual = options.indices.first { place in
      switch options[place] {
      case .arrival(let turn, outcome: 0): !held.contains(turn)
      case .wake, .job: true
      case .arrival, .death: false
      }
    }
    return arrival(usual ?? 0, options)
  }

  /// The option at a place, with the outcome that is wanted if it is an arrival.
  private func arrival(_ place: Int, _ options: [Option]) -> Int {
    guard case .arrival(let turn, _) = options[place], let outcome = outcomes[turn] else { return place }
    return options.firstIndex(of: .arrival(turn, outcome: outcome)) ?? place
  }
}
