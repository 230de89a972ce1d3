/// A launch with the changes that brought it about.
struct ChangedRun {
  var run: Explorer.Run
  var changes: [Change]
  /// Whether these bring it about with everything else as recorded. An order of ready jobs is none of them.
  var areEnough = true
}

/// Finds the smallest change to the recorded run that still shows something.
///
/// First every single change is tried alone. If none is enough, the changes of a run that shows it are taken back, in halves
/// and in ever smaller parts, until every one that is left is needed; and those are made as small as can be.
struct Shrinking {
  private let shows: (Judge.Judged) -> Bool
  private let recorded: Explorer.Run

  init(from recorded: Explorer.Run, _ shows: @escaping (Judge.Judged) -> Bool) {
    self.recorded = recorded
    self.shows = shows
  }

  /// How many launches may be run to take out of one run what is not needed.
  private static let patience = 600

  /// - Parameters:
  ///   - run: One that shows it.
  ///   - singles: The single changes, of which those that were tried before are known.
  func smallest(_ run: Explorer.Run, _ singles: inout SingleChanges, _ judge: inout Judge) -> ChangedRun {
    if shows(judge.judged(recorded)) { return ChangedRun(run: recorded, changes: []) }
    var smallest = singles.first(where: shows, &judge) ?? reduce(run, &judge)
    smallest.run = shorten(smallest.run, &judge)
    return smallest
  }

  private func reduce(_ found: Explorer.Run, _ judge: inout Judge) -> ChangedRun {
    var left = Self.patience
    func attempt(_ changes: [Change], _ judge: inout Judge) -> ChangedRun? {
      guard left > 0 else { return nil }
      left -= 1
      let run = judge.run(ChangeChooser(changes))
      return shows(judge.judged(run)) ? ChangedRun(run: run, changes: changes) : nil
    }
    func attempt(_ differences: [Difference], _ judge: inout Judge) -> ChangedRun? {
      attempt(changes(differences, of: found, isClose: true), &judge)
        ?? attempt(changes(differences, of: found, isClose: false), &judge)
    }

    var needed = differences(of: found)
    guard var best = attempt(needed, &judge) else {
      return ChangedRun(run: found, changes: changes(needed, of: found, isClose: true), areEnough: false)
    }
    var size = max(1, needed.count / 2)
    while true {
      let count = needed.count
      var start = 0
      while start < needed.count {
        var rest = needed
        rest.removeSubrange(start..<min(start + size, rest.count))
        if let smaller = attempt(rest, &judge) {
          (needed, best) = (rest, smaller)
        } else {
          start += size
        }
      }
      if size == 1, needed.count == count { break }
      size = max(1, size / 2)
    }
    for change in best.changes {
      guard let place = best.changes.firstIndex(of: change) else { continue }
      let smaller = [[]] + nearer(change, best.run).map { [$0] }
      for replacement in smaller {
        var changes = best.changes
        changes.replaceSubrange(place...place, with: replacement)
        guard let tried = attempt(changes, &judge) else { continue }
        best = tried
        break
      }
    }
    return best
  }

  /// Where a run is otherwise than it would have been by itself.
  private enum Difference: Hashable {
    /// Something came about otherwise, or the process died.
    case upset(Int)
    /// Something arrived that was not due, or that stood at another place; or it should have arrived.
    case move(Int)

    /// In the run's steps.
    var place: Int {
      switch self {
      case .upset(let place), .move(let place): place
      }
    }
  }

  private func differences(of run: Explorer.Run) -> [Difference] {
    let kept = run.turnsInPlace(of: recorded)
    let moves = run.steps.indices.filter { place in
      switch run.steps[place] {
      case .arrival(let turn, _): return run.delays[place] != .zero || !kept.contains(turn)
      // An answer that did not come in time.
      case .wake(let turn): return run.requests[turn] != nil && !recorded.steps.contains(run.steps[place])
      case .death: return false
      }
    }
    return upsets(of: run).map(Difference.upset) + moves.map(Difference.move)
  }

  private func upsets(of run: Explorer.Run) -> [Int] {
    run.steps.indices.filter { place in
      switch run.steps[place] {
      case .arrival(_, let outcome): outcome > 0
      case .death: true
      case .wake: false
      }
    }
  }

  /// What brings about some of a run's differences.
  /// - Parameter isClose: Whether each comes right behind what it came behind in the run; else what is late comes once all
  ///   have that it has let pass there.
  private func changes(_ differences: [Difference], of run: Explorer.Run, isClose: Bool) -> [Change] {
    // What is no longer moved is nothing to come behind.
    let others = Set(self.differences(of: run)).subtracting(differences)
    let anchors = run.steps.indices.filter { run.steps[$0].turn != nil && !others.contains(.move($0)) }
    return differences.sorted { $0.place < $1.place }.map { difference in
      let place = difference.place
      let behind = anchors.last { $0 < place }.flatMap { run.steps[$0].turn }
      switch (difference, run.steps[place]) {
      case (.upset, .arrival(let turn, let outcome)): return .outcome(turn, outcome)
      case (.move, .arrival(let turn, _)):
        // What came at its last moment was not chosen.
        if run.delays[place] >= Situation.patience { return .hold(turn) }
        let passed = isClose ? [] : passed(by: turn, at: place, in: run)
        return .move(turn, behind: passed.isEmpty ? behind.map { [$0] } ?? [] : passed)
      case (_, .wake(let turn)): return .hold(turn)
      case (_, .death): return .death(behind: behind)
      }
    }
  }

  /// What came before something that is late, and would not have.
  private func passed(by turn: Turn, at place: Int, in run: Explorer.Run) -> [Turn] {
    guard let home = recorded.place(of: turn) else { return [] }
    let usual = recorded.steps[..<home].compactMap(\.turn)
    return run.steps[..<place].compactMap(\.turn).filter { !usual.contains($0) }
  }

  /// The same change made smaller, the smallest first.
  private func nearer(_ change: Change, _ run: Explorer.Run) -> [Change] {
    guard case .move(let turn, _) = change, let place = run.place(of: turn), let home = recorded.place(of: turn) else {
      return []
    }
    let late = passed(by: turn, at: place, in: run)
    if !late.isEmpty { return late.map { .move(turn, behind: [$0]) } }
    let usual = recorded.steps[..<home].compactMap(\.turn)
    let early = run.steps[(place + 1)...].compactMap(\.turn).filter(usual.contains)
    return early.dropLast().reversed().map { .move(turn, behind: [$0]) }
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

  /// Faults and deaths, then how many pairs are in the other order.
  private func cost(_ run: Explorer.Run) -> (Int, Int) {
    let places = run.steps.compactMap { recorded.place(of: $0.turn) }
    let inversions = places.indices.reduce(0) { sum, place in sum + places[place...].count { $0 < places[place] } }
    return (upsets(of: run).count, inversions)
  }
}

extension Explorer.Run {
  func place(of turn: Turn?) -> Int? { turn.flatMap { turn in steps.firstIndex { $0.turn == turn } } }

  /// The turns that another run has in the same order: as many as there can be. Of an arrival and something that
  /// time brought about, it is the arrival that is out of place.
  fileprivate func turnsInPlace(of other: Explorer.Run) -> Set<Turn> {
    let first = steps.filter { $0.turn != nil }
    let second = other.steps.compactMap(\.turn)
    let unit = first.count + 1
    var weights = Array(repeating: Array(repeating: 0, count: second.count + 1), count: first.count + 1)
    for row in first.indices.reversed() {
      let weight = if case .wake = first[row] { unit + 1 } else { unit }
      for column in second.indices.reversed() {
        weights[row][column] =
          first[row].turn == second[column]
          ? weights[row + 1][column + 1] + weight : max(weights[row + 1][column], weights[row][column + 1])
      }
    }
    var kept: Set<Turn> = []
    var (row, column) = (0, 0)
    while row < first.count, column < second.count {
      if first[row].turn == second[column] {
        kept.insert(second[column])
        (row, column) = (row + 1, column + 1)
      } else if weights[row + 1][column] >= weights[row][column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return kept
  }
}
