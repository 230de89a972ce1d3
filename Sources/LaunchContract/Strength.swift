public import LaunchTrace

/// How much of a kept trace a contract protects.
///
/// One event of the trace at a time is deleted, swapped with the next, delayed, doubled, made to fail, or has a field that
/// rules look at changed or taken away. A rule that held and is broken by such a mutant has caught it. A rule that catches none is decoration, and an event that no rule
/// protects may be lost without anyone noticing. What belongs to one call counts as one event here.
///
/// ```swift
/// let strength = contract.strength(on: trace)
/// print("\(strength.caught) of \(strength.mutants) mutants caught")
/// ```
public struct Strength: Hashable, Sendable {
  /// How many mutants a rule caught.
  public struct RuleStrength: Hashable, Sendable {
    public var rule: Rule
    public var caught: Int
  }

  /// A mark or a call.
  public struct Subject: Hashable, Sendable {
    /// A mark's text, or `POST /session`.
    public var name: String
    /// Its time in the trace, a call's start.
    public var at: Instant
  }

  /// The contract's name.
  public var contract: String
  /// The trace's name.
  public var trace: String
  /// How many mutants there were.
  public var mutants: Int
  /// How many of them at least one rule caught.
  public var caught: Int
  /// The rules that held on the trace itself, in the order of the file; advice is left out, as it never fails a run.
  public var rules: [RuleStrength]
  /// What no rule protects, in the order of the trace: none of its mutants was caught.
  public var unprotected: [Subject]
}

extension Contract {
  /// Mutates `trace` and counts what the rules catch.
  ///
  /// Costs one verification for each mutant: some five for each mark and call, and two for each of its
  /// fields that a rule looks at.
  public func strength(on trace: Trace) -> Strength {
    let held = verdicts(on: trace).enumerated().filter { $1 == .holds && !rules[$0].isAdvice }.map(\.offset)
    var counts = Array(repeating: 0, count: rules.count)
    var (mutants, caught) = (0, 0)
    let mutation = Mutation(trace.events, fields: fields)
    var isProtected = Array(repeating: false, count: mutation.subjects.count)
    for mutant in mutation.subjects.indices.lazy.flatMap(mutation.mutants(of:)) {
      mutants += 1
      let verdicts = verdicts(on: Trace(name: trace.name, events: mutant.events))
      let catchers = held.filter { verdicts[$0] == .broken }
      for rule in catchers { counts[rule] += 1 }
      if catchers.isEmpty { continue }
      caught += 1
      for subject in mutant.subjects { isProtected[subject] = true }
    }
    let unprotected = isProtected.indices.filter { !isProtected[$0] }.map(mutation.description(of:))
    return Strength(
      contract: name, trace: trace.name, mutants: mutants, caught: caught,
      rules: held.map { Strength.RuleStrength(rule: rules[$0], caught: counts[$0]) }, unprotected: unprotected)
  }

  /// Every field that some rule that can fail looks at.
  private var fields: [FieldPath] {
    let paths = rules.filter { !$0.isAdvice }.flatMap { $0.fields(in: names).map(\.field) }
    // However each is written.
    var seen: Set<FieldPath> = []
    return paths.filter { seen.insert(FieldPath($0.root, $0.steps, text: "")).inserted }
  }

  private func verdicts(on trace: Trace) -> [Verdict] { reports(on: trace).map(\.verdict) }
}
