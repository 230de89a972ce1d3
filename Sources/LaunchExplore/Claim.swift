import LaunchContract

/// What an exploration can claim, in the words of its grade, and what the claim rests on.
struct Claim {
  private let exploration: Exploration
  private let tally: Tally
  private let missingSequences: Int

  init(_ exploration: Exploration, _ tally: Tally, missingSequences: Int) {
    self.exploration = exploration
    self.tally = tally
    self.missingSequences = missingSequences
  }

  var lines: [String] { [sentence, verdicts, classes] + [skipped, lent].compactMap(\.self) + assumptions }

  private var plan: ExplorationPlan { exploration.plan }
  private var name: String { exploration.judge.explorer.name }

  private var turns: String {
    let arrivals = plan.dependencies.arrivals.count
    let others = plan.dependencies.turns.count - arrivals
    return "\(count(arrivals, "arrival"))\(others > 0 ? " and \(count(others, "step")) of the app's timers" : "")"
  }

  private var sentence: String {
    switch exploration.orders {
    case .exhaustive:
      return
        "all \(count(tally.schedules, "order")) \(tally.skipped > 0 ? "that were not skipped " : "")of the \(turns) of \(name) were run, each twice with equal events"
    case .covering(let strength):
      let wanted = plan.sequences?.count ?? 0
      let strength = plan.sequences?.strength ?? strength
      let left =
        missingSequences == 0
        ? "" : ", but for \(missingSequences) of \(wanted) that did not come about when they were tried"
      return
        "every feasible order of every \(strength) of the \(turns) seen of \(name) occurred in one of \(count(tally.schedules, "launch", "launches"))\(left), and each arrival came as much as a minute late; each launch was run twice with equal events"
    case .only(let schedule):
      return "schedule \(schedule) of \(name) was run, twice with equal events"
    case .random(_, let depth):
      return
        "\(count(tally.schedules, "random launch", "random launches")) of \(name), seed \(exploration.seed), depth \(depth), each run twice with equal events: what takes at most \(count(depth, "order")) between two turns would be missed with probability below \(missBound(depth))"
    }
  }

  /// Of one run at least 1/(w·n^(d−1)) find it, with w chains and n steps.
  private func missBound(_ depth: Int) -> String {
    let width = Double(plan.chains.count + 1)
    var odds = width
    for _ in 1..<max(depth, 1) { odds *= Double(max(plan.stepCount, 1)) }
    var missed = 1.0
    for _ in 0..<tally.schedules { missed *= 1 - 1 / odds }
    return "(1 − 1/\(spaced(odds)))^\(tally.schedules) = \(percent(missed))"
  }

  private var verdicts: String {
    let broken = zip(exploration.judge.contracts.flatMap(\.rules), tally.rules).filter { $0.1.broken > 0 }.map(\.0)
    let advice = broken.count(where: \.isAdvice)
    let idle = tally.rules.count(where: \.isIdle)
    return
      "\(count(tally.rules.count, "rule")) × \(count(tally.schedules, "verdict")): \(broken.count - advice) broken, "
      + "\(advice == 0 ? "" : "\(advice) advice broken, ")\(idle) idle"
  }

  private var classes: String {
    let possible = plan.classCount.map { " of \(max($0, tally.classes.count)) possible" } ?? ""
    return "orders of the calls that rules name: \(tally.classes.count)\(possible) seen"
  }

  private var skipped: String? {
    guard exploration.assumesVisibleState else { return nil }
    return
      "\(tally.skipped) branches were skipped because the same was visible at \(tally.audited) choices as at others before them; each of these was followed as recorded, and went on alike"
  }

  private var lent: String? {
    guard tally.lent.count > 0 else { return nil }
    return
      "in \(tally.lent.count) of \(count(tally.schedules, "launch", "launches")) something else answered what the cassette has no answer for, first \(tally.lent.note) with --schedule \(tally.lent.first ?? .recorded)"
  }

  private var assumptions: [String] {
    [
      "this assumes that the launch does the same when the order and virtual time are the same (checked: every schedule twice), "
        + "that answers are those of the cassette whatever the order, that only order matters and no duration apart from the "
        + "app's own timers, that all traffic goes through the harness, and that an answer arrives when the app has nothing "
        + "left to do"
    ]
  }
}

func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
  "\(number) \(number == 1 ? one : many ?? one + "s")"
}

/// A large number to two digits, a small one in full: `1330560`, `6.3e13`.
func spaced(_ number: Double) -> String {
  guard number >= 1e9 else { return "\(Int(number.rounded()))" }
  var (mantissa, exponent) = (number, 0)
  while mantissa >= 10 { (mantissa, exponent) = (mantissa / 10, exponent + 1) }
  return "\(Int(mantissa)).\(Int((mantissa * 10).rounded(.down)) % 10)e\(exponent)"
}

/// `0.25 %`
private func percent(_ fraction: Double) -> String {
  let hundredths = Int((fraction * 10_000).rounded(.up))
  let rest = hundredths % 100
  return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
}
