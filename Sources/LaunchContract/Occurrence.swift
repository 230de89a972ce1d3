import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// A place in a trace: the order decides what came before, the time only how far apart.
struct Point: Hashable, Sendable {
  /// The index of the event in its launch.
  var position: Int
  var at: Instant

  /// Strictly before in recorded order.
  func precedes(_ other: Point) -> Bool { position < other.position }

  /// Microseconds from `other` until this point, kept within 64 bits.
  func microseconds(since other: Point) -> Int64 { at.microseconds.minusClamped(other.at.microseconds) }
}

extension Int64 {
  func minusClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  func plusClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }
}

/// One mark, or one logical call with all its attempts and redirects, as it is at one moment.
///
/// Never changes, so that the many places that rules keep it in cost a pointer each; what happens next makes another one
/// with the same `id`.
struct Occurrence: Sendable {
  enum Outcome: Hashable, Sendable {
    /// A mark, or a call answered with a status that is ok.
    case ok
    case failed(status: Int)
    case error(TransportError.Reason)
    case cancelled
    /// Not ended.
    case open
  }

  /// What it looked like.
  enum Subject: Hashable, Sendable {
    case mark(JSONObject)
    /// Behind one pointer: what a request matched has it in common, and each of its moments has it again.
    indirect case call(method: String, host: String, path: String)
    case launch
  }

  /// What of its request a retry cannot change.
  enum Lasting: Hashable, Sendable {
    case nothing
    /// Method, query and content, as they tell which attempts are of one call.
    case content
    /// All of it: an attempt is never tried again.
    case request
  }

  private final class Kept: Sendable {
    let facts: Facts
    init(_ facts: consuming Facts) { self.facts = facts }
  }

  private let kept: Kept

  init(_ facts: consuming Facts) { kept = Kept(facts) }

  /// All of it, to go on from.
  var facts: Facts { kept.facts }

  var id: Int { kept.facts.id }
  var name: Int { kept.facts.name }
  var names: [Int] { kept.facts.names }
  var subject: Subject { kept.facts.subject }
  var start: Point { kept.facts.start }
  var end: Point? { kept.facts.end }
  var outcome: Outcome { kept.facts.outcome }
  var attempts: Int { kept.facts.attempts }
  var group: Int { kept.facts.group }
  var status: Int? { kept.facts.status }
  var isFinal: Bool { kept.facts.isFinal }
  var retryAfter: Int64? { kept.facts.retryAfter }
  var values: FieldValues { kept.facts.values }

  /// Whether the field is what it will be, though the call goes on.
  func hasForGood(_ field: FieldPath) -> Bool {
    switch kept.facts.lasting {
    case .nothing: false
    case .content: [.method, .query, .form, .body].contains(field.root)
    case .request: !field.root.isOfAnswer
    }
  }

  /// The same with other values.
  func with(_ values: FieldValues) -> Occurrence {
    var facts = facts
    facts.values = values
    return Occurrence(facts)
  }
}

extension Occurrence {
  struct Facts: Sendable {
    /// Unique in its launch.
    var id: Int
    /// The number of the name it occurs under.
    var name: Int
    /// The numbers of all names that the same event matched, its own included.
    var names: [Int]
    var subject: Subject
    /// Where the first attempt started.
    var start: Point
    /// Where the last attempt ended; nil while it is open.
    var end: Point?
    var outcome: Outcome
    /// How many attempts it took so far; of an attempt, which one it is.
    var attempts = 1
    /// The logical call that an attempt belongs to, by its id; its own for everything else.
    var group: Int
    /// The status of the last response.
    var status: Int?
    /// Nothing more can happen to it: no retry, no redirect.
    var isFinal: Bool
    /// How long the answer asks to wait before the next attempt, in microseconds; nil when it does not say.
    var retryAfter: Int64?
    var lasting = Lasting.nothing
    /// The fields that some rule asks for, as far as they are known: the request's with the start, the answer's with the
    /// end. A logical call has the request fields of its last attempt, and the answer fields of its last answer.
    var values = FieldValues()
  }
}

/// The values of a few fields of one occurrence.
struct FieldValues: Sendable {
  private var fields: [(field: FieldPath, values: [JSON])] = []

  /// Every value the field has, in order; empty when the occurrence lacks it.
  subscript(field: FieldPath) -> [JSON] {
    get { fields.first { $0.field == field }?.values ?? [] }
    set {
      if let index = fields.firstIndex(where: { $0.field == field }) {
        fields[index].values = newValue
      } else {
        fields.append((field, newValue))
      }
    }
  }
}

/// What changed at one event, in terms of the contract's names.
struct Signal: Sendable {
  enum Change: Sendable {
    /// It began; a mark is over at once.
    case started
    case ended
    /// It had ended, and a retry or a redirect goes on with it.
    case resumed
  }

  var change: Change
  /// As it is after the change.
  var occurrence: Occurrence
}
