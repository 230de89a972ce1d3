import LaunchContract
import LaunchTrace
import TestSupport
import Testing

/// The monitors against the definitions, on random rules of every form and random small traces.
struct OracleTests {
  /// Whether a rule that the parser refuses is a failure.
  static let refusalsFail = true

  @Test func `monitors agree with the definitions`() async {
    let tally = await withTaskGroup(of: OracleTally.self) { group in
      for lane in 0..<UInt64(4) {
        group.addTask {
          (0..<23).reduce(into: OracleTally()) { $0.add(OracleBatch.run(seed: 20_261_130 + lane * 1000 + $1)) }
        }
      }
      return await group.reduce(into: OracleTally()) { $0.add($1) }
    }
    print(tally.summary)
    // A few of each form, made small, say enough.
    for (_, findings) in Dictionary(grouping: tally.findings, by: \.rule.form) {
      for finding in findings.prefix(3) { Issue.record("\(finding.text)") }
    }
    if Self.refusalsFail { #expect(tally.refusals.isEmpty) }
    if Self.refusalsFail { #expect(tally.pairs >= 200_000) }
    // Agreement means nothing where a form never sees a verdict.
    for (form, verdicts) in tally.seen {
      for verdict in OracleTally.possible(form) where Self.refusalsFail {
        #expect(verdicts[verdict, default: 0] >= 200, "form \(form), \(verdict): \(verdicts)")
      }
    }
  }

  @Test func `monitors agree with the definitions on long launches`() async {
    let tally = await withTaskGroup(of: OracleTally.self) { group in
      for lane in 0..<UInt64(4) {
        group.addTask {
          (0..<8).reduce(into: OracleTally()) {
            $0.add(OracleBatch.run(seed: 7_000_000 + lane * 1000 + $1, isLong: true))
          }
        }
      }
      return await group.reduce(into: OracleTally()) { $0.add($1) }
    }
    print("long launches: " + tally.summary)
    for (_, findings) in Dictionary(grouping: tally.findings, by: \.rule.form) {
      for finding in findings.prefix(2) { Issue.record("\(finding.text)") }
    }
    #expect(tally.pairs >= 2_000)
    #expect(tally.seen.count == 25)
  }

  @Test func `what is open and leans broken can still be kept`() async {
    let findings = await withTaskGroup(of: [String].self) { group in
      for lane in 0..<UInt64(4) {
        group.addTask {
          var generator = SeededGenerator(seed: 77 + lane)
          return (0..<12).flatMap { _ in Self.hopeless(using: &generator) }
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    for finding in findings.prefix(10) { Issue.record("\(findings.count) like \(finding)") }
  }

  /// Rules on cut traces that no continuation of many keeps, and that are not reported as broken.
  private static func hopeless(using generator: inout SeededGenerator) -> [String] {
    let cast = Array(["m", "n", "o", "a", "b", "c"].shuffled(using: &generator).prefix(3))
    var findings: [String] = []
    let rules = (1...25).compactMap { form in
      let rule = RandomRule.make(form, about: cast, using: &generator)
      return (try? rule.contract()).map { (rule, $0) }
    }
    for _ in 0..<6 {
      let trace = RandomLaunch.trace(of: cast, using: &generator)
      if trace.isClosed { continue }
      let judge = OracleJudge(trace, cast: cast, tries: 60, using: &generator)
      for (rule, contract) in rules where !Self.entails(rule) {
        guard contract.reports(on: trace)[0].verdict == .open(leaning: .broken), !judge.canBeKept(rule) else {
          continue
        }
        let isHopeless = (0..<20).allSatisfy { _ in
          !OracleJudge(trace, cast: cast, tries: 1000, using: &generator).canBeKept(rule)
        }
        if isHopeless { findings.append("form \(rule.form): \(rule.text)\n\(trace.listing)") }
      }
    }
    return findings
  }

  /// Monitors treat names as independent, so they do not conclude from there being one begin, or from every `a` being
  /// one of `calls`, that a continuation is impossible: they stay open where they might be sure.
  private static func entails(_ rule: OracleRule) -> Bool {
    ["launch.", "calls"].contains { rule.text.contains($0) }
  }
}

/// What a number of batches saw.
struct OracleTally: Sendable {
  var pairs = 0
  /// By form.
  var seen: [Int: [Verdict: Int]] = [:]
  /// By form: how many rules the parser refused, and one of them with the reason.
  var refusals: [Int: (count: Int, example: String)] = [:]
  var disagreements: [Int: Int] = [:]
  var findings: [OracleFinding] = []

  mutating func add(_ other: OracleTally) {
    pairs += other.pairs
    for (form, verdicts) in other.seen { seen[form, default: [:]].merge(verdicts, uniquingKeysWith: +) }
    refusals.merge(other.refusals) { ($0.count + $1.count, $0.example) }
    disagreements.merge(other.disagreements, uniquingKeysWith: +)
    findings += other.findings
  }

  /// Forms that are never idle: they count, or ask that something happens.
  private static let neverIdle = [8, 9, 21, 25]
  /// Forms of which a cut trace can be broken so far and be repaired.
  private static let repairable = [4, 5, 6, 8, 10, 12, 19, 20, 21, 22, 24, 25]

  /// The verdicts that a form gives often.
  static func possible(_ form: Int) -> [Verdict] {
    [.holds, .broken] + (neverIdle.contains(form) ? [] : [.idle])
      + (repairable.contains(form) ? [.open(leaning: .broken)] : [])
      + [.open(leaning: .kept)]
  }

  var summary: String {
    let lines = seen.keys.sorted().map { form in
      let verdicts = seen[form, default: [:]].sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.key) \($0.value)" }
      return "  form \(form): \(verdicts.joined(separator: ", "))"
        + (disagreements[form].map { "; \($0) DISAGREE" } ?? "")
    }
    let refused = refusals.sorted { $0.key < $1.key }.map {
      "  form \($0): \($1.count) rules refused, as \($1.example)"
    }
    return (["\(pairs) pairs of a trace and a rule"] + lines + refused).joined(separator: "\n")
  }
}

/// Four random rules of every form, and traces about the same names.
struct OracleBatch {
  private static let traces = 23
  /// A long one costs as much as dozens of short ones.
  private static let longTraces = 3
  private var generator: SeededGenerator
  private let seed: UInt64
  private let cast: [String]
  private var tally = OracleTally()

  static func run(seed: UInt64, isLong: Bool = false) -> OracleTally {
    var batch = OracleBatch(seed)
    return isLong ? batch.runLong() : batch.run()
  }

  private init(_ seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    cast = Array(["m", "n", "o", "a", "b", "c"].shuffled(using: &generator).prefix(3))
  }

  private mutating func run() -> OracleTally {
    let rules = (0..<4).flatMap { _ in
      (1...25).map { form in RandomRule.make(form, about: cast, using: &generator) }
    }
    let contracts = accepted(rules[...])
    for _ in 0..<Self.traces {
      compare(contracts, on: RandomLaunch.trace(of: cast, using: &generator), tries: 4)
    }
    return tally
  }

  private mutating func compare(_ contracts: [(Contract, [OracleRule])], on trace: Trace, tries: Int) {
    let judge = OracleJudge(trace, cast: cast, tries: tries, using: &generator)
    for (contract, rules) in contracts {
      for (rule, report) in zip(rules, contract.reports(on: trace)) {
        tally.pairs += 1
        tally.seen[rule.form, default: [:]][report.verdict, default: 0] += 1
        if judge.complaint(about: report.verdict, on: rule) != nil { note(rule, trace) }
      }
    }
  }

  private mutating func runLong() -> OracleTally {
    let contracts = accepted((1...25).map { RandomRule.make($0, about: cast, using: &generator) }[...])
    for _ in 0..<Self.longTraces {
      compare(contracts, on: RandomLaunch.longTrace(of: cast, using: &generator), tries: 1)
    }
    return tally
  }

  /// The rules that the parser takes, in as few contracts as it takes them in: some contradict each other.
  private mutating func accepted(_ rules: ArraySlice<OracleRule>) -> [(Contract, [OracleRule])] {
    if let all = contract(of: Array(rules)) { return [all] }
    if rules.count > 1 {
      let middle = rules.startIndex + rules.count / 2
      return accepted(rules[..<middle]) + accepted(rules[middle...])
    }
    guard let rule = rules.first else { return [] }
    do throws(ContractError) {
      _ = try rule.contract()
    } catch {
      let example = "'\(rule.text)': \(error.diagnostics[0].message)"
      tally.refusals[rule.form] = ((tally.refusals[rule.form]?.count ?? 0) + 1, example)
    }
    return []
  }

  private func contract(of rules: [OracleRule]) -> (Contract, [OracleRule])? {
    let text = OracleNames.declarations + rules.map(\.text).joined(separator: "\n") + "\n"
    guard !rules.isEmpty, let contract = try? Contract(parsing: text, file: "random.contract") else { return nil }
    return contract.rules.count == rules.count ? (contract, rules) : nil
  }

  private mutating func note(_ rule: OracleRule, _ trace: Trace) {
    tally.disagreements[rule.form, default: 0] += 1
    tally.findings.append(OracleFinding(seed: seed, cast: cast, rule: rule, trace: trace))
  }
}

/// A rule and a trace on which the monitors and the oracle differ.
struct OracleFinding: Sendable {
  var seed: UInt64
  var cast: [String]
  var rule: OracleRule
  var trace: Trace

  /// With the smallest trace that still shows it.
  var text: String {
    let shrinking = OracleShrinking(rule: rule, cast: cast)
    let smallest = shrinking.complaint(trace) == nil ? trace : shrinking.smallest(trace)
    let complaint = shrinking.complaint(smallest).map { "the monitor says \($0.verdict), but \($0.text)" }
    return "form \(rule.form), seed \(seed): \(rule.text)\n  \(complaint ?? "a rare continuation")\n\(smallest.listing)"
  }
}
