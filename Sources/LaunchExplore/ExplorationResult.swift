public import LaunchContract
import LaunchReport
public import LaunchTrace

/// The smallest launch found that shows something wrong.
public struct Counterexample: Sendable {
  /// What it shows.
  public enum Finding: Hashable, Sendable {
    case broken(Rule)
    /// The launch waits for ever, or never stops; and what it said.
    case unfinished(String)
    /// The launch threw this.
    case failed(String)
  }

  public var finding: Finding
  /// As recorded but for what it takes.
  public var schedule: Schedule
  /// `breaks when the answer to A comes after the answer to B; nothing else need change`
  public var explanation: String
  /// What the launch did. As a cassette it verifies, shows and replays like a recorded one.
  public var trace: Trace
  /// Which of the contract's events matter, as a failing test prints it; empty when it is no rule that is broken.
  public var story: String
  /// In how many schedules it shows.
  public var count: Int
}

/// What an exploration came to.
public struct ExplorationResult: Sendable {
  public var tally: Tally
  /// By rule of the tally.
  public var rules: [Rule]
  /// What can be said now, and what it rests on; the first line is a sentence of its own.
  public var claim: [String]
  /// One for each thing found, rules in the order of their contracts first.
  public var counterexamples: [Counterexample]
  /// Why nothing can be claimed; empty when something can.
  public var withdrawals: [String]

  /// 1 for something broken, 3 when it cannot be told, 4 for an idle rule if `idleFails`, else 0; the first that applies.
  /// Advice never counts, and optional rules may be idle.
  public func exitCode(idleFails: Bool = false) -> Int32 {
    if !failures.isEmpty { return 1 }
    let binding = zip(rules, tally.rules).filter { !$0.0.isAdvice }
    if !withdrawals.isEmpty || binding.contains(where: { $0.1.undecided > 0 }) { return 3 }
    if idleFails, binding.contains(where: { $0.1.isIdle && !$0.0.isOptional }) { return 4 }
    return 0
  }

  /// The counterexamples that fail a run: all but those to advice.
  public var failures: [Counterexample] {
    counterexamples.filter { if case .broken(let rule) = $0.finding { !rule.isAdvice } else { true } }
  }

  /// The rules that no schedule exercised.
  public var idle: [Rule] { zip(rules, tally.rules).filter { $0.1.isIdle }.map(\.0) }
}

extension Tally.RuleCount {
  /// Whether there was a schedule, and none exercised it.
  public var isIdle: Bool { idle > 0 && holds == 0 && broken == 0 && undecided == 0 }
}

extension Exploration {
  /// Runs everything and says what it came to.
  public mutating func run(
    budget: Duration? = nil, progress: (Progress) -> Void = { _ in }
  ) -> ExplorationResult {
    conclude(tally(budget: budget, progress: progress))
  }

  /// What the tally of all parts together comes to. Finds the smallest counterexamples, and for a covering set brings about
  /// what the orders that were tried have left out.
  public mutating func conclude(_ tally: Tally) -> ExplorationResult {
    var tally = tally
    let missing = tally.isCut ? plan.sequences?.count ?? 0 : complete(&tally)
    let rules = judge.contracts.flatMap(\.rules)
    let withdrawals = withdrawals(tally)
    return ExplorationResult(
      tally: tally, rules: rules,
      claim: withdrawals.isEmpty ? Claim(self, tally, missingSequences: missing).lines : [],
      counterexamples: counterexamples(rules, tally), withdrawals: withdrawals)
  }

  /// Orders that do not come about as they were planned, because the launch makes other calls in them, are tried again.
  /// - Returns: How many sequences are left that did not come about.
  private mutating func complete(_ tally: inout Tally) -> Int {
    guard var missing = plan.sequences else { return 0 }
    let known = 0..<plan.dependencies.turns.count
    for order in tally.realized.values where order.allSatisfy(known.contains) { missing.remove(occurringIn: order) }
    for round in 1...3 where missing.count > 0 {
      let before = missing.count
      for order in CoveringOrders(plan.dependencies.order, missing, seed: seed &+ UInt64(round)).orders {
        let run = judge.run(OrderChooser(plan.dependencies.steps(order), from: plan.dependencies.recorded))
        judge.count(run, in: &tally)
        missing.remove(occurringIn: plan.places(of: run))
      }
      if missing.count == before { break }
    }
    return missing.count
  }

  private func withdrawals(_ tally: Tally) -> [String] {
    var reasons: [String] = []
    if case .only(let schedule) = orders, plan.actual != schedule {
      reasons.append(
        "schedule \(schedule) is not one of this launch: it has no such choices; give the code, the cassette and the options "
          + "with which it was printed")
    }
    if tally.differing.count > 0 {
      reasons.append(
        "\(tally.differing.count) of \(tally.schedules) schedules did not run twice alike, so nothing can be claimed: with "
          + "--schedule \(tally.differing.first ?? .recorded), \(tally.differing.note)")
    }
    if tally.misjudged.count > 0 {
      reasons.append(
        "what is visible does not decide what follows: \(tally.misjudged.note); explore without --assume-visible-state")
    }
    if tally.unanswered.count > 0 {
      reasons.append(
        "\(tally.unanswered.count) of \(tally.schedules) schedules are UNANSWERED: they end at a request that has no answer, "
          + "first with --schedule \(tally.unanswered.first ?? .recorded): \(tally.unanswered.note)")
    }
    if orders == .exhaustive, plan.units.isEmpty {
      reasons.append(
        "there are \(prediction) schedules, more than the ceiling of \(ceiling): raise it with --ceiling, or explore fewer with "
          + "--orders 3-way or --orders random")
    } else if tally.isCut {
      reasons.append(
        "time ran out after \(tally.schedules) schedules; what was run is no set of which something could be claimed")
    }
    return reasons
  }

  private mutating func counterexamples(_ rules: [Rule], _ tally: Tally) -> [Counterexample] {
    var examples: [Counterexample] = []
    var changes = SingleChanges(plan.dependencies, judge.explorer.varies)
    for (index, rule) in rules.enumerated() {
      guard let first = tally.rules[index].firstBroken else { continue }
      examples.append(
        example(.broken(rule), from: first, count: tally.rules[index].broken, &changes) {
          $0.verdicts.indices.contains(index) && $0.verdicts[index] == .broken
        })
    }
    if let first = tally.unfinished.first {
      examples.append(
        example(.unfinished(tally.unfinished.note), from: first, count: tally.unfinished.count, &changes) {
          if case .unfinished = $0.run.ending { true } else { false }
        })
    }
    if let first = tally.failed.first {
      examples.append(
        example(.failed(tally.failed.note), from: first, count: tally.failed.count, &changes) {
          if case .threw = $0.run.ending { true } else { false }
        })
    }
    return examples
  }

  private mutating func example(
    _ finding: Counterexample.Finding, from schedule: Schedule, count: Int, _ changes: inout SingleChanges,
    _ shows: @escaping (Judge.Judged) -> Bool
  ) -> Counterexample {
    let found = judge.run(ScheduleChooser(schedule))
    let smallest = Shrinking(from: plan.dependencies.recorded, shows).smallest(found, &changes, &judge)
    let run = smallest.run
    let trace = run.trace(named: judge.explorer.name)
    var finding = finding
    switch run.ending {
    case .unfinished(let error): if case .unfinished = finding { finding = .unfinished("\(error)") }
    case .threw(let error): if case .failed = finding { finding = .failed("\(error)") }
    case .returned, .unanswered: break
    }
    return Counterexample(
      finding: finding, schedule: run.schedule,
      explanation: Explanation(of: smallest, from: plan.dependencies.recorded, judge).sentence,
      trace: trace, story: story(finding, trace), count: count)
  }

  private func story(_ finding: Counterexample.Finding, _ trace: Trace) -> String {
    guard case .broken(let rule) = finding, let contract = judge.contracts.first(where: { $0.rules.contains(rule) })
    else { return "" }
    var verification = contract.verification(of: trace)
    verification.reports = verification.reports.filter { $0.rule == rule }
    return TextReport.story(of: verification)
  }
}
