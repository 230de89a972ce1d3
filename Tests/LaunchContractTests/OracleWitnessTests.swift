import LaunchContract
import LaunchTrace
import TestSupport
import Testing

/// The events that a report names are enough: without all others the rule is still broken.
struct OracleWitnessTests {
  /// The rule, the trace and what is wrong with the witness.
  private struct Finding: Sendable {
    var form: Int
    var text: String
  }

  @Test func `the witness alone breaks the rule`() async {
    let (checked, findings) = await withTaskGroup(of: ([Int: Int], [Finding]).self) { group in
      for lane in 0..<UInt64(4) { group.addTask { Self.run(seed: 411 + lane) } }
      return await group.reduce(into: ([Int: Int](), [Finding]())) { all, lane in
        all.0.merge(lane.0, uniquingKeysWith: +)
        all.1 += lane.1
      }
    }
    print(
      "witnesses checked by form: " + checked.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: ", "))
    for (_, findings) in Dictionary(grouping: findings, by: \.form) {
      Issue.record("\(findings.count) like form \(findings[0].form): \(findings[0].text)")
    }
    for form in 1...25 where !OracleTests.refusalsFail || form > 0 {
      if OracleTests.refusalsFail { #expect(checked[form, default: 0] >= 20, "form \(form)") }
    }
  }

  private static func run(seed: UInt64) -> ([Int: Int], [Finding]) {
    var generator = SeededGenerator(seed: seed)
    var checked: [Int: Int] = [:]
    var findings: [Finding] = []
    for _ in 0..<40 {
      let cast = Array(["m", "n", "o", "a", "b", "c"].shuffled(using: &generator).prefix(3))
      let traces = (0..<12).map { _ in RandomLaunch.trace(of: cast, using: &generator) }
      for form in 1...25 {
        let rule = RandomRule.make(form, about: cast, using: &generator)
        guard let contract = try? rule.contract() else { continue }
        for trace in traces where trace.isClosed {
          let report = contract.reports(on: trace)[0]
          guard report.verdict == .broken else { continue }
          checked[form, default: 0] += 1
          guard let complaint = complaint(about: report, rule, contract, trace) else { continue }
          findings.append(Finding(form: form, text: "\(rule.text)\n  \(complaint)\n\(trace.listing)"))
        }
      }
    }
    return (checked, findings)
  }

  private static func complaint(
    about report: RuleReport, _ rule: OracleRule, _ contract: Contract, _ trace: Trace
  ) -> String? {
    let places = report.witness.map(\.position)
    if places.count > 5 { return "\(places.count) events are more than five" }
    if places != places.sorted() { return "the events \(places) are not in recorded order" }
    let bounds = ["makes the rule apply", "begins the stretch", "ends the stretch"]
    if rule.needsOnlyAKey, report.witness.allSatisfy({ bounds.contains($0.remark) }) { return nil }
    let kept = kept(places, rule, trace)
    let rest = trace.without(Set(trace.events.indices).subtracting(kept))
    let again = contract.reports(on: rest)[0].verdict
    let definition = rule.closed(OracleScene.launches(of: rest))
    if again == .broken, definition == .broken { return nil }
    let events = report.witness.map { "\($0.position) \($0.name) \($0.remark)" }.joined(separator: "; ")
    return "with \(kept.sorted()) alone, for [\(events)], it is \(again), by definition \(definition)"
  }

  /// The named events, the calls they belong to, and what bounds the stretch the rule looks at.
  private static func kept(_ places: [Int], _ rule: OracleRule, _ trace: Trace) -> Set<Int> {
    let boundaries = trace.events.indices.filter { index in
      switch trace.events[index].kind {
      case .launch, .closed: true
      case .mark, .call: false
      }
    }
    let bounding = Set((rule.scope?.names ?? []) + [rule.guardian?.mark].compactMap { $0 })
    var kept = Set(boundaries + places.filter { $0 >= 0 })
    // Nothing lies before what comes first of all.
    if case .before = rule.scope { kept.insert(0) }
    // Every call before can be what keeps an earlier moment from being quiet.
    if case .settles = rule.sentence, let first = places.first { kept.formUnion(0..<max(0, first)) }
    for scene in OracleScene.launches(of: trace) {
      for (name, occurrences) in scene.occurrences {
        for occurrence in occurrences where bounding.contains(name) || !kept.isDisjoint(with: occurrence.events) {
          kept.formUnion(occurrence.events.filter { $0 >= 0 })
        }
      }
    }
    return kept
  }
}

extension OracleRule {
  /// Whether something must happen for each key. Without it there is nothing to show, and what gives the key may have
  /// no part in the rule.
  fileprivate var needsOnlyAKey: Bool {
    switch sentence {
    case .count, .choice: per != nil
    default: false
    }
  }
}
