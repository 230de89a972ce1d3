/// The launches that differ from the recorded one in a single change: one arrival is late or at another place, one exchange
/// fails, one thing outside comes about otherwise, or the process dies once. Each is run when somebody asks for it, once.
struct SingleChanges {
  private let dependencies: Dependencies
  /// Those that change the least first.
  private let choosers: [any Chooser & Sendable]
  private var runs: [Judge.Judged] = []

  init(_ dependencies: Dependencies, _ varies: Variations) {
    self.dependencies = dependencies
    let recorded = dependencies.recorded
    var orders: [(distance: Int, steps: [Step])] = []
    for place in recorded.steps.indices {
      guard case .arrival(let turn, 0) = recorded.steps[place] else { continue }
      for outcome in dependencies.outcomes(of: turn, varies) {
        var steps = recorded.steps
        steps[place] = .arrival(turn, outcome: outcome)
        orders.append((1, steps))
      }
      for goal in recorded.steps.indices where goal != place {
        orders.append((1 + abs(goal - place), dependencies.moved(place, to: goal)))
      }
      if varies.deaths > 0 {
        orders.append((1, Array(recorded.steps[...place]) + [.death] + recorded.steps[(place + 1)...]))
      }
    }
    orders.sort { $0.distance < $1.distance }
    choosers =
      orders.prefix(Self.limit).map { OrderChooser($0.steps, from: recorded) }
      + dependencies.late.map { ScheduleChooser($0) }
  }

  /// More than that nobody waits for.
  private static let limit = 500

  /// The first launch that shows something.
  mutating func first(where shows: (Judge.Judged) -> Bool, _ judge: inout Judge) -> Explorer.Run? {
    for place in choosers.indices {
      if place == runs.count { runs.append(judge.judged(judge.run(choosers[place]))) }
      if shows(runs[place]) { return runs[place].run }
    }
    return nil
  }
}

extension Dependencies {
  /// The usual steps with one at another place. What depends on it is left out, and comes when it is due.
  fileprivate func moved(_ place: Int, to goal: Int) -> [Step] {
    let usual = recorded.steps
    guard let number = turns.firstIndex(where: { $0 == usual[place].turn }) else { return usual }
    var steps: [Step] = []
    for (index, step) in usual.enumerated() where index != place {
      let other = turns.firstIndex { $0 == step.turn }
      if index == goal, goal < place { steps.append(usual[place]) }
      if goal < place || other.map({ !order.isBefore(number, $0) }) ?? true { steps.append(step) }
      if index == goal, goal > place { steps.append(usual[place]) }
    }
    return steps
  }

  /// The ways in which an arrival may come about otherwise.
  fileprivate func outcomes(of turn: Turn, _ varies: Variations) -> Range<Int> {
    if isExchange(turn) { return varies.faults > 0 ? 1..<1 + ExchangeFailure.allCases.count : 1..<1 }
    return varies.outcomes ? 1..<2 : 1..<1
  }
}
