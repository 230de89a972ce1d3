/// Says in one sentence what was made otherwise than in the recorded run.
struct Explanation {
  private let judge: Judge
  private let recorded: Explorer.Run
  private let run: Explorer.Run
  private let changes: [Change]
  private let areEnough: Bool

  init(of changed: ChangedRun, from recorded: Explorer.Run, _ judge: Judge) {
    run = changed.run
    changes = changed.changes
    areEnough = changed.areEnough
    self.recorded = recorded
    self.judge = judge
  }

  /// `breaks when the attribution comes after the mark "paywall timeout"; nothing else need change`
  var sentence: String {
    var clauses = changes.map(clause)
    if !areEnough, judge.explorer.varies.jobs { clauses.append("jobs that are ready together run in another order") }
    if clauses.isEmpty { return "breaks as recorded; nothing need change" }
    let rest = areEnough || changes.isEmpty ? "nothing else need change" : "what of it is needed is not known"
    return "breaks when \(clauses.joined(separator: ", and ")); \(rest)"
  }

  private func clause(_ change: Change) -> String {
    switch change {
    case .move(let turn, let others): place(of: turn, behind: others)
    case .hold(let turn): place(of: turn, behind: [])
    case .outcome(let turn, let outcome):
      if let request = run.requests[turn] {
        "\(judge.name(of: request) ?? request.turnName) \(ExchangeFailure.allCases[outcome - 1])"
      } else {
        "\(name(turn)) is another one"
      }
    case .death(let turn): "the process dies \(turn.map { "after \(name($0))" } ?? "at once")"
    }
  }

  private func place(of turn: Turn, behind others: [Turn]) -> String {
    guard let place = run.place(of: turn) else {
      return "\(name(turn)) does not come as long as the launch lasts"
    }
    if case .wake = run.steps[place] { return "\(name(turn)) does not come in time" }
    // The last that it has waited for, or the first that it has not waited for any more.
    let (before, after) = (run.steps[..<place].compactMap(\.turn), run.steps[place...].dropFirst().compactMap(\.turn))
    let home = recorded.place(of: turn)
    let late = before.last { passed in recorded.place(of: passed).map { $0 > home ?? -1 } ?? others.contains(passed) }
    if let late { return "\(name(turn)) comes after \(name(late))" }
    let early = after.first { passed in recorded.place(of: passed).map { $0 < home ?? 0 } ?? false }
    if let early { return "\(name(turn)) comes before \(name(early))" }
    let tenths = Int((run.delays[place] / .milliseconds(100)).rounded())
    return "\(name(turn)) comes \(abs(tenths) / 10).\(abs(tenths) % 10) s \(tenths < 0 ? "early" : "late")"
  }

  private func name(_ turn: Turn) -> String { judge.name(of: turn, in: run.requests[turn] == nil ? recorded : run) }
}
