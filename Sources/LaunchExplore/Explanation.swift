/// Says in one sentence what is otherwise in a run than in the recorded one.
struct Explanation {
  private let judge: Judge
  private let recorded: Explorer.Run
  private let run: Explorer.Run

  init(of run: Explorer.Run, from recorded: Explorer.Run, _ judge: Judge) {
    self.run = run
    self.recorded = recorded
    self.judge = judge
  }

  /// `breaks when the attribution comes after the mark "paywall timeout"; nothing else need change`
  var sentence: String {
    let changes = changes.isEmpty ? delays + missing : changes
    if changes.isEmpty { return "breaks as recorded; nothing need change" }
    return "breaks when \(changes.joined(separator: ", and ")); nothing else need change"
  }

  private var changes: [String] { moves + upsets }

  private var moves: [String] {
    let usual = recorded.steps.compactMap(\.turn)
    let order = run.steps.compactMap(\.turn).filter(usual.contains)
    let kept = longestCommonSubsequence(order, usual.filter(order.contains))
    return order.indices.compactMap { place in
      let turn = order[place]
      guard !kept.contains(turn), let home = usual.firstIndex(of: turn) else { return nil }
      // What it has come past: the last one that was behind it, or the first one that was before it.
      if let passed = order[..<place].last(where: { kept.contains($0) && (usual.firstIndex(of: $0) ?? 0) > home }) {
        return "\(name(turn)) comes after \(name(passed))"
      }
      if let passed = order[place...].first(where: { kept.contains($0) && (usual.firstIndex(of: $0) ?? .max) < home }) {
        return "\(name(turn)) comes before \(name(passed))"
      }
      return nil
    }
  }

  /// Where nothing has come past anything else: what is late, or early, by more than a moment.
  private var delays: [String] {
    zip(run.steps, run.delays).compactMap { step, delay in
      guard case .arrival(let turn, _) = step, delay > .milliseconds(500) || delay < .milliseconds(-500) else {
        return nil
      }
      let tenths = Int((delay / .milliseconds(100)).rounded())
      return "\(name(turn)) comes \(abs(tenths) / 10).\(abs(tenths) % 10) s \(tenths > 0 ? "late" : "early")"
    }
  }

  /// The answers that the launch still waited for when it was over.
  private var missing: [String] {
    recorded.steps.compactMap { step in
      guard case .arrival(let turn, _) = step, run.requests[turn] != nil, run.place(of: turn) == nil else { return nil }
      return "\(name(turn)) does not come as long as the launch lasts"
    }
  }

  private var upsets: [String] {
    run.steps.indices.compactMap { place in
      switch run.steps[place] {
      case .arrival(let turn, let outcome) where outcome > 0:
        guard let request = run.requests[turn] else { return "\(name(turn)) is another one" }
        return "\(judge.name(of: request) ?? request.turnName) \(ExchangeFailure.allCases[outcome - 1])"
      case .death:
        let before = run.steps[..<place].last { $0.turn != nil }?.turn
        return "the process dies \(before.map { "after \(name($0))" } ?? "at once")"
      case .arrival, .wake: return nil
      }
    }
  }

  private func name(_ turn: Turn) -> String { judge.name(of: turn, in: run.requests[turn] == nil ? recorded : run) }
}

/// The elements of a longest sequence that both lists have in this order; each element stands once in a list.
private func longestCommonSubsequence(_ first: [Int], _ second: [Int]) -> Set<Int> {
  var lengths = Array(repeating: Array(repeating: 0, count: second.count + 1), count: first.count + 1)
  for row in first.indices.reversed() {
    for column in second.indices.reversed() {
      lengths[row][column] =
        first[row] == second[column]
        ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
    }
  }
  var kept: Set<Int> = []
  var (row, column) = (0, 0)
  while row < first.count, column < second.count {
    if first[row] == second[column] {
      kept.insert(first[row])
      (row, column) = (row + 1, column + 1)
    } else if lengths[row + 1][column] >= lengths[row][column + 1] {
      row += 1
    } else {
      column += 1
    }
  }
  return kept
}
