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
  /// Everything the rule says holds within one value of this field; nil for the launch as a whole.
  let key: KeyField?
  /// The rule applies only to launches in which this happened; nil for every launch.
  let guardian: Guard?
}

extension Rule {
  /// What the sentence means. A form that the language learns is a case here, a branch in the rule parser, and a
  /// monitor. The numbers are those of the table in the language reference.
  enum Form: Hashable, Sendable {
    /// Every `trigger` has a `requirement` before it (rules 1 and 2).
    case precedence(trigger: Side, requirement: Side)
    /// The i-th `trigger` has at least i of `requirement` before it (rule 3).
    case ownPrecedence(trigger: Side, requirement: Side)
    /// Every `trigger` has a `requirement` after it, in so many microseconds and the tolerance if a bound is given
    /// (rules 4 and 6).
    case response(trigger: Side, requirement: Side, bound: Int64?, tolerance: Int64)
    /// Both are kept (rule 5, `A then B`).
    indirect case both(Form, Form)
    /// `late` starts at least so many microseconds after the last `early` before it has ended (rule 7).
    case gap(late: Side, early: Side, least: Int64)
    /// How many there are (rules 8 and 9).
    case count(Side, Count, except: [Int])
    /// The two strictly alternate, `first` first (rule 11).
    case turns(first: Side, second: Side)
    /// Of the names in `among`, `next` comes directly after each `first` (rule 12).
    case succession(first: Side, next: Side, among: [Int])
    /// No instant lies in more than `most` of them (rule 13, `one at a time` and `at most N open`).
    case concurrency(Side, most: Int)
    /// None of one overlaps one of the other (rule 13).
    case separation(Side, Side)
    /// They start in the order of a field's values, or each is over before the next starts (rule 14).
    case order(Side, by: FieldPath, isSerial: Bool, isGapless: Bool)
    /// How the attempts of each logical call follow each other (rule 15). The side names the attempts.
    case backoff(Side, Backoff)
    /// No window of so many microseconds holds more than `most` starts (rule 16).
    case rate(Side, most: Int, window: Int64)
    /// A field carries the value that another had in the last `source` before (rule 17).
    case transfer(Side, FieldPath, source: Side, FieldPath)
    /// A field has one value in all of them, or another in each (rule 18).
    case sameness(Side, FieldPath, isSame: Bool)
    /// Each of them passes the condition (rule 19).
    case field(Side, Condition)
    /// Each of them is answered with one of the statuses (rule 19).
    case status(Side, StatusSet)
    /// If the first happens, the second does too, or must not (rule 20).
    case coexistence(Side, Side, isForbidden: Bool)
    /// At least one of them happens, or exactly one (rule 21).
    case choice([Side], isExclusive: Bool)
    /// A `requirement` comes so many microseconds after `trigger` at most, or else `fallback` at that moment (rule 22).
    case fallback(trigger: Side, requirement: Side, bound: Int64, tolerance: Int64, fallback: Side)
    /// Of all calls it starts first (rule 23).
    case firstCall(Side)
    /// No call starts after the first of them is over (rule 23).
    case nothingAfter(Side)
    /// Every call is one of these (rule 23).
    case onlyCalls([Int])
    /// In so many microseconds from the launch's begin, calls come to rest (rule 25).
    case settling(bound: Int64, quiet: Int64)
  }

  /// How many a rule allows.
  enum Count: Hashable, Sendable {
    case exactly(Int)
    case atMost(Int)
    case atLeast(Int)
  }

  /// The stretch of a launch that a rule looks at; calls belong to it by their start (rule 10).
  enum Scope: Hashable, Sendable {
    /// Until the first one starts; to the end when none does.
    case before(Side)
    /// From where the first one ended.
    case after(Side)
    /// From where one ended to where the next of the other starts, or to the end; again after that.
    case afterUntil(Side, Side)
    /// The same, and a stretch that nothing closes does not count.
    case between(Side, Side)
    /// While at least one of them is open.
    case whileOpen(Side)
  }

  /// How long to wait between attempts (rule 15). Times are microseconds.
  struct Backoff: Hashable, Sendable {
    var first: Int64
    /// What each wait is longer by than the one before, in thousandths: 2000 doubles.
    var factor: Int64 = 1000
    var cap: Int64?
    var jitter = Jitter.thousandths(0)
    var mostTries: Int?
    var tolerance: Int64 = 0

    enum Jitter: Hashable, Sendable {
      /// The wait lies so far around its length.
      case thousandths(Int64)
      /// The wait is anything from nothing to its length.
      case full
    }
  }

  /// What `per` names.
  enum KeyField: Hashable, Sendable {
    /// The field that each name declares with `key`.
    case declared
    case field(FieldPath)
  }

  /// The head of a `when` block.
  struct Guard: Hashable, Sendable {
    /// The mark.
    var name: Int
    var condition: Condition
    /// The head as written, without its colon.
    var text: String
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
