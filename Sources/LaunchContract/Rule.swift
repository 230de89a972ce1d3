public import LaunchTrace

/// One sentence of a contract.
public struct Rule: Hashable, Sendable {
  /// What stands in brackets before the sentence (`R10`); nil without.
  public let name: String?
  /// The sentence as the author wrote it, without name, modifiers and comment.
  public let sentence: String
  /// The file's name as given to the parser.
  public let file: String
  /// Counted from 1.
  public let line: Int
  /// Reported, and never fails a run.
  public let isAdvice: Bool
  /// Being idle is nothing to warn about.
  public let isOptional: Bool
  /// The author's `# because …`, without the word; nil when there is none.
  public let reason: String?

  let form: Form
  let scope: Scope?

  /// What the sentence means. A form that the language learns is a case here, a branch in the rule parser, and a
  /// monitor.
  enum Form: Hashable, Sendable {
    /// Every `trigger` has a `requirement` before it (rules 1 and 2).
    case precedence(trigger: Side, requirement: Side)
    /// Every `trigger` has a `requirement` after it, in so many microseconds if a bound is given (rules 4 and 6).
    case response(trigger: Side, requirement: Side, bound: Int64?)
    /// Both are kept (rule 5, `A then B`).
    indirect case both(Form, Form)
    /// How many there are (rules 8 and 9).
    case count(Side, Count, except: [Int])
  }

  /// How many a rule allows.
  enum Count: Hashable, Sendable {
    case exactly(Int)
    case atMost(Int)
    case atLeast(Int)
  }

  /// The stretch of a launch that a rule looks at; calls belong to it by their start.
  enum Scope: Hashable, Sendable {
    /// Until the first one starts; to the end when none does.
    case before(Side)
    /// From where the first one ended.
    case after(Side)
  }
}

extension Rule.Form {
  func makeMonitor() -> any RuleMonitor {
    switch self {
    case .precedence(let trigger, let requirement): PrecedenceMonitor(trigger: trigger, requirement: requirement)
    case .response(let trigger, let requirement, let bound):
      ResponseMonitor(trigger: trigger, requirement: requirement, bound: bound)
    case .both(let first, let second): BothMonitor(first.makeMonitor(), second.makeMonitor())
    case .count(let side, let count, let except): CountMonitor(side: side, count: count, except: except)
    }
  }
}

extension Rule {
  func makeMonitor() -> any RuleMonitor {
    switch scope {
    case nil: form.makeMonitor()
    case .before(let side): BeforeMonitor(until: side, form.makeMonitor())
    case .after(let side): AfterMonitor(from: side, form.makeMonitor())
    }
  }
}

/// How one rule fared on one trace.
///
/// ```swift
/// for report in contract.reports(on: trace) where report.verdict == .broken {
///   print(report.rule.sentence, report.distance ?? "")  // adjust.session only after att.answered 852 ms too late
/// }
/// ```
public struct RuleReport: Hashable, Sendable {
  public var rule: Rule
  public var verdict: Verdict
  /// Why the rule is idle or open, in one sentence; nil otherwise.
  public var note: String?
  /// The few events that decide, in recorded order; empty unless something is wrong. At most five.
  public var witness: [WitnessEvent]
  /// How far from being kept, such as `852 ms too late`; nil where there is no distance.
  public var distance: String?
  /// What almost kept the rule; nil when nothing did.
  public var nearMiss: String?
}

/// An event that a verdict rests on.
///
/// ```swift
/// for event in report.witness {
///   print(event.at.microseconds, event.name, event.what, event.remark)
/// }
/// // 60000 adjust.session POST /session starts needs att.answered before it
/// ```
public struct WitnessEvent: Hashable, Sendable {
  /// The index of the event in its trace; -1 for a launch's begin that no event marks.
  public var position: Int
  /// The event's time in its trace, a call's start or end.
  public var at: Instant
  /// The contract's name for it.
  public var name: String
  /// What happened: `POST /session starts`, `{status: 2}`.
  public var what: String
  /// What it means for the rule; empty when nothing need be said.
  public var remark: String
}
