/// Finds the smallest change to the recorded run that still shows something.
///
/// First every single change that the run has is tried alone. If none is enough, neighbours are swapped back, faults and
/// deaths taken out, until every one that is left is needed.
struct Shrinking {
  private let shows: (Explorer.Run) -> Bool
  private let recorded: Explorer.Run

  private let dependencies: Dependencies

  init(_ dependencies: Dependencies, _ shows: @escaping (Explorer.Run) -> Bool) {
    self.dependencies = dependencies
    recorded = dependencies.recorded
    self.shows = shows
  }

  /// - Parameter run: One that shows it.
  func smallest(_ run: Explorer.Run, _ judge: inout Judge) -> Explorer.Run {
    if shows(recorded) { return recorded }
    let reduced = singleChange(of: run, &judge) ?? reduce(run, &judge)
    return shorten(reduced, &judge)
  }

  /// A run with one of the changes of `run`, those over the shortest way first.
  private func singleChange(of run: Explorer.Run, _ judge: inout Judge) -> Explorer.Run? {
    let usual = recorded.steps
    var candidates: [(distance: Int, steps: [Step])] = []
    for place in usual.indices {
      guard case .arrival(let turn, 0) = usual[place] else { continue }
      for case .arrival(turn, let outcome) in run.steps where outcome > 0 {
        var steps = usual
        steps[place] = .arrival(turn, outcome: outcome)
        candidates.append((0, steps))
      }
      let isLater = usual.indices.contains { $0 > place && run.turns(place, $0, areOtherwiseThan: usual) }
      let isEarlier = usual.indices.contains { $0 < place && run.turns(place, $0, areOtherwiseThan: usual) }
      for goal in usual.indices where goal > place ? isLater : goal < place && isEarlier {
        candidates.append((abs(goal - place), moved(place, to: goal)))
      }
    }
    for place in run.steps.indices where run.steps[place] == .death {
      guard let before = run.steps[..<place].last(where: usual.contains), let goal = usual.firstIndex(of: before)
      else { continue }
      candidates.append((0, Array(usual[...goal]) + [.death] + usual[(goal + 1)...]))
    }
    for candidate in candidates.sorted(by: { $0.distance < $1.distance }).prefix(1_000) {
      let tried = judge.run(OrderChooser(candidate.steps, from: recorded))
      if shows(tried) { return tried }
    }
    for schedule in dependencies.late {
      let tried = judge.run(ScheduleChooser(schedule))
      if shows(tried) { return tried }
    }
    return nil
  }

  /// The usual steps with one at another place. What depends on it is left out, and comes when it is due.
  private func moved(_ place: Int, to goal: Int) -> [Step] {
    let usual = recorded.steps
    guard let number = dependencies.turns.firstIndex(where: { $0 == usual[place].turn }) else { return usual }
    var steps: [Step] = []
    for (index, step) in usual.enumerated() where index != place {
      let other = dependencies.turns.firstIndex { $0 == step.turn }
      if index == goal, goal < place { steps.append(usual[place]) }
      if goal < place || other.map({ !dependencies.order.isBefore(number, $0) }) ?? true { steps.append(step) }
      if index == goal, goal > place { steps.append(usual[place]) }
    }
    return steps
  }

  private func reduce(_ run: Explorer.Run, _ judge: inout Judge) -> Explorer.Run {
    var best = run
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smaller(best.steps) {
        let tried = judge.run(OrderChooser(candidate, from: recorded))
        guard shows(tried), cost(tried) < cost(best) else { continue }
        best = tried
        isSmaller = true
        break
      }
    }
    return best
  }

  /// The same steps with one thing less.
  private func smaller(_ steps: [Step]) -> [[Step]] {
    var smaller: [[Step]] = []
    for place in steps.indices {
      var candidate = steps
      switch steps[place] {
      case .death: candidate.remove(at: place)
      case .arrival(let turn, let outcome) where outcome > 0: candidate[place] = .arrival(turn, outcome: 0)
      case .arrival, .wake:
        guard place + 1 < steps.endIndex, isInverted(steps[place], steps[place + 1]) else { continue }
        candidate.swapAt(place, place + 1)
      }
      smaller.append(candidate)
    }
    return smaller
  }

  private func isInverted(_ first: Step, _ second: Step) -> Bool {
    guard let one = recorded.place(of: first.turn), let other = recorded.place(of: second.turn) else { return false }
    return one > other
  }

  /// Faults and deaths, then how many pairs are in the other order.
  private func cost(_ run: Explorer.Run) -> (Int, Int) {
    let upsets = run.steps.count {
      if case .arrival(_, 0) = $0 { false } else if case .wake = $0 { false } else { true }
    }
    let places = run.steps.compactMap { recorded.place(of: $0.turn) }
    let inversions = places.indices.reduce(0) { sum, place in sum + places[place...].count { $0 < places[place] } }
    return (upsets, inversions)
  }

  /// The same with as many choices as recorded as possible.
  private func shorten(_ run: Explorer.Run, _ judge: inout Judge) -> Explorer.Run {
    var best = run
    for place in run.choices.indices.reversed() where best.choices.indices.contains(place) && best.choices[place] != 0 {
      var choices = best.choices
      choices[place] = 0
      let tried = judge.run(ScheduleChooser(Schedule(choices)))
      if shows(tried), cost(tried) <= cost(best), tried.schedule.changeCount < best.schedule.changeCount {
        best = tried
      }
    }
    return best
  }
}

extension Explorer.Run {
  func place(of turn: Turn?) -> Int? { turn.flatMap { turn in steps.firstIndex { $0.turn == turn } } }

  /// Whether the turns at two places of `usual` come in the other order here.
  fileprivate func turns(_ first: Int, _ second: Int, areOtherwiseThan usual: [Step]) -> Bool {
    guard let one = place(of: usual[first].turn), let other = place(of: usual[second].turn) else { return false }
    return (one < other) != (first < second)
  }
}
