/// The launches that differ from the recorded one in a single change: one arrival is late or early, one exchange fails, one
/// thing outside comes about otherwise, or the process dies once. Each is run when somebody asks for it, once.
struct SingleChanges {
  /// Those that change the least first.
  private let changes: [Change]
  private var runs: [Judge.Judged] = []

  init(_ dependencies: Dependencies, _ varies: Variations) {
    let steps = dependencies.recorded.steps
    var upsets: [Change] = []
    var moves: [(distance: Int, change: Change)] = []
    var holds: [Change] = []
    for (place, step) in steps.enumerated() {
      if varies.deaths > 0, let turn = step.turn { upsets.append(.death(behind: turn)) }
      guard case .arrival(let turn, _) = step else { continue }
      upsets += dependencies.outcomes(of: turn, varies).map { .outcome(turn, $0) }
      moves += dependencies.goals(of: turn, at: place).map {
        (abs($0 + 1 - place), .move(turn, behind: steps[$0].turn.map { [$0] } ?? []))
      }
      moves.append((place, .move(turn, behind: [])))
      holds.append(.hold(turn))
    }
    moves.sort { $0.distance < $1.distance }
    changes = upsets + moves.prefix(Self.limit).map(\.change) + holds
  }

  /// More moves than that nobody waits for.
  private static let limit = 500

  /// The first launch that shows something.
  mutating func first(where shows: (Judge.Judged) -> Bool, _ judge: inout Judge) -> ChangedRun? {
    for place in changes.indices {
      if place == runs.count { runs.append(judge.judged(judge.run(ChangeChooser([changes[place]])))) }
      if shows(runs[place]) { return ChangedRun(run: runs[place].run, changes: [changes[place]]) }
    }
    return nil
  }
}

extension Dependencies {
  /// The places that a turn can come right behind: neither those that it waits for nor those that wait for it.
  fileprivate func goals(of turn: Turn, at place: Int) -> [Int] {
    guard let number = turns.firstIndex(of: turn) else { return [] }
    return recorded.steps.indices.filter { goal in
      guard goal != place, goal + 1 != place, let other = turns.firstIndex(where: { $0 == recorded.steps[goal].turn })
      else { return false }
      return !order.isBefore(number, other) && !order.isBefore(other, number)
    }
  }

  /// The ways in which an arrival may come about otherwise.
  fileprivate func outcomes(of turn: Turn, _ varies: Variations) -> Range<Int> {
    if isExchange(turn) { return varies.faults > 0 ? 1..<1 + ExchangeFailure.allCases.count : 1..<1 }
    return varies.outcomes ? 1..<2 : 1..<1
  }
}
