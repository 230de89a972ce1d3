/// Finds the smallest change to the recorded run that still shows something.
///
/// First every single change is tried alone. If none is enough, neighbours are swapped back, faults and deaths taken out,
/// until every one that is left is needed.
struct Shrinking {
  private let shows: (Judge.Judged) -> Bool
  private let recorded: Explorer.Run

  init(from recorded: Explorer.Run, _ shows: @escaping (Judge.Judged) -> Bool) {
    self.recorded = recorded
    self.shows = shows
  }

  /// How many launches may be run to take out of one run what is not needed.
  private static let patience = 400

  /// - Parameters:
  ///   - run: One that shows it.
  ///   - changes: The single changes, of which those that were tried before are known.
  func smallest(_ run: Explorer.Run, _ changes: inout SingleChanges, _ judge: inout Judge) -> Explorer.Run {
    if shows(judge.judged(recorded)) { return recorded }
    return shorten(changes.first(where: shows, &judge) ?? reduce(run, &judge), &judge)
  }

  private func reduce(_ run: Explorer.Run, _ judge: inout Judge) -> Explorer.Run {
    var best = run
    var isSmaller = true
    var left = Self.patience
    while isSmaller {
      isSmaller = false
      for candidate in smaller(best.steps) where left > 0 {
        left -= 1
        let tried = judge.run(OrderChooser(candidate, from: recorded))
        guard shows(judge.judged(tried)), cost(tried) < cost(best) else { continue }
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
      if shows(judge.judged(tried)), cost(tried) <= cost(best), tried.schedule.changeCount < best.schedule.changeCount {
        best = tried
      }
    }
    return best
  }
}

extension Explorer.Run {
  func place(of turn: Turn?) -> Int? { turn.flatMap { turn in steps.firstIndex { $0.turn == turn } } }
}
