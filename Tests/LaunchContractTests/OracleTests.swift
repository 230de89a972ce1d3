import LaunchContract
import LaunchTrace
import TestSupport
import Testing

/// The monitors against the definitions, on random rules of every form and random small traces.
struct OracleTests {
  /// Whether a rule that the parser refuses is a failure.
  static let refusalsFail = false

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
    for finding in tally.findings { Issue.record("\(finding)") }
    if Self.refusalsFail { #expect(tally.refusals.isEmpty) }
    #expect(tally.pairs >= 200_000)
    // Agreement means nothing where a form never sees a verdict.
    for (form, verdicts) in tally.seen {
      for verdict in OracleTally.possible(form) {
        #expect(verdicts[verdict, default: 0] >= 200, "form \(form), \(verdict): \(verdicts)")
      }
    }
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
  var findings: [String] = []

  mutating func add(_ other: OracleTally) {
    pairs += other.pairs
    for (form, verdicts) in other.seen { seen[form, default: [:]].merge(verdicts, uniquingKeysWith: +) }
    refusals.merge(other.refusals) { ($0.count + $1.count, $0.example) }
    for (form, count) in other.disagreements where disagreements[form, default: 0] < 2 {
      findings += other.findings.filter { $0.hasPrefix("form \(form):") }
      disagreements[form, default: 0] += count
    }
  }

  /// Forms that are never idle: they count, or ask that something happens.
  private static let neverIdle = [8, 9, 21, 25]
  /// Forms of which a cut trace can be broken so far and be repaired.
  private static let repairable = [4, 5, 6, 8, 10, 12, 19, 20, 21, 22, 24, 25]

  /// The verdicts that a form gives often.
  static func possible(_ form: Int) -> [Verdict] {
    [.holds, .broken] + (neverIdle.contains(form) ? [] : [.idle])
      + (repairable.contains(form) ? [.open(leaning: .broken)] : [])
      // A cut launch has never settled so far.
      + (form == 25 ? [] : [.open(leaning: .kept)])
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

/// Two random rules of every form, and traces about the same names.
struct OracleBatch {
  private static let traces = 45
  private var generator: SeededGenerator
  private let seed: UInt64
  private let cast: [String]
  private var tally = OracleTally()

  static func run(seed: UInt64) -> OracleTally {
    var batch = OracleBatch(seed)
    return batch.run()
  }

  private init(_ seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    cast = Array(["m", "n", "o", "a", "b", "c"].shuffled(using: &generator).prefix(3))
  }

  private mutating func run() -> OracleTally {
    let rules = (1...25).flatMap { form in
      (0..<2).map { _ in RandomRule.make(form, about: cast, using: &generator) }
    }
    let contracts = accepted(rules)
    for _ in 0..<Self.traces {
      let trace = RandomLaunch.trace(of: cast, using: &generator)
      let judge = OracleJudge(trace, cast: cast, tries: 5, using: &generator)
      for (contract, rules) in contracts {
        for (rule, report) in zip(rules, contract.reports(on: trace)) {
          tally.pairs += 1
          tally.seen[rule.form, default: [:]][report.verdict, default: 0] += 1
          if judge.complaint(about: report.verdict, on: rule) != nil { note(rule, trace) }
        }
      }
    }
    return tally
  }

  /// The rules that the parser takes, together in one contract where it takes them so.
  private mutating func accepted(_ rules: [OracleRule]) -> [(Contract, [OracleRule])] {
    var good: [OracleRule] = []
    for rule in rules {
      do throws(ContractError) {
        _ = try rule.contract()
        good.append(rule)
      } catch {
        let example = "'\(rule.text)': \(error.diagnostics[0].message)"
        tally.refusals[rule.form] = ((tally.refusals[rule.form]?.count ?? 0) + 1, example)
      }
    }
    let text = OracleNames.declarations + good.map(\.text).joined(separator: "\n") + "\n"
    if let contract = try? Contract(parsing: text, file: "random.contract"), contract.rules.count == good.count {
      return [(contract, good)]
    }
    return good.compactMap { rule in (try? rule.contract()).map { ($0, [rule]) } }
  }

  private mutating func note(_ rule: OracleRule, _ trace: Trace) {
    tally.disagreements[rule.form, default: 0] += 1
    guard tally.disagreements[rule.form, default: 0] == 1 else { return }
    let shrinking = OracleShrinking(rule: rule, cast: cast)
    let smallest = shrinking.smallest(trace)
    guard let complaint = shrinking.complaint(smallest) ?? shrinking.complaint(trace) else {
      tally.findings.append("form \(rule.form): seed \(seed): \(rule.text)\n\(trace.listing)")
      return
    }
    tally.findings.append(
      "form \(rule.form): seed \(seed): \(rule.text)\n"
        + "  the monitor says \(complaint.verdict), but \(complaint.text)\n\(smallest.listing)")
  }
}
