public import LaunchDiagnostics
import LaunchHTTP
public import LaunchJSON
public import LaunchTrace

/// Replaces secrets in events by pseudonyms of the same shape and length, before anything is written.
///
/// ```swift
/// var redactor = Redactor(rules: .builtIn)
/// let safe = redactor.redact(event)
/// ```
///
/// A rule finds a value; from then on the value is replaced wherever and in whatever form it stands. Equal secrets get
/// equal pseudonyms, different ones different ones, numbered by first sight: the same events give the same
/// pseudonyms in every run. A value that stood in events before its rule found it is dealt with by `finish(file:)`,
/// or by `redact(_:)` of a whole list.
public struct Redactor: Sendable {
  private let rules: RedactionRules
  private var hostRules: [String?: HostRules] = [:]
  /// Those asked for last: a launch makes several calls to a host in a row.
  private var lastRules: (host: String?, rules: HostRules)?
  var table = SecretTable()
  /// What was made of short texts seen lately.
  var memory = TextMemory()
  /// What was made of header lists seen lately.
  var lists = FieldsMemory<RedactedFields>()
  /// The call that began last, while it is under way: most calls end before the next one begins.
  private var lastCall: (number: Int, rules: HostRules)?
  /// The rules for the other calls under way.
  private var callRules: [Int: HostRules] = [:]
  /// Which of all rules found something.
  var isUsed: [Bool]
  /// Looks into compressed content; without it, nothing does.
  let unpacker: Unpacker?
  /// Whether content was kept that is packed, and so has to be looked at again when more is known.
  var holdsPackedContent = false
  /// How many URLs are open around the text at hand.
  var urlDepth = 0

  /// - Parameters:
  ///   - pseudonyms: Those of an earlier recording that may stand in what is redacted, by kind, as a closing event lists
  ///     them; where they stand, they stay as they are.
  ///   - unpacker: Looks into compressed content: bodies of requests, and those whose encoding could not be undone.
  public init(
    rules: RedactionRules = .builtIn, keeping pseudonyms: JSONObject = [:], unpacker: Unpacker? = nil
  ) {
    self.rules = rules
    self.unpacker = unpacker
    isUsed = Array(repeating: false, count: rules.rules.count)
    for list in pseudonyms.members { for text in list.value.array ?? [] { expect(text) } }
  }

  /// Makes `value` a secret before any rule has found it: it is replaced from the first event on. A trivial value is none;
  /// one under 6 characters is replaced only where a rule points.
  public mutating func know(_ value: String, kind: String) { _ = table.learn(value.utf8, kind: kind) }

  private mutating func expect(_ pseudonym: JSON) {
    if let text = pseudonym.string { table.expect(Array(text.utf8)) }
  }

  /// The event with every secret replaced that is known by now. A closing event gets the pseudonyms by kind.
  public mutating func redact(_ event: Event) -> Event { redacted(event) ?? event }

  /// What stands for the event; nil when it stays as it is.
  mutating func redacted(_ event: Event) -> Event? {
    if isIdle, !event.kind.isClosing { return nil }
    return redacted(event, learning: rules.findAnything)
  }

  /// Whether no rule finds anything, and nothing is known that is searched for.
  private var isIdle: Bool { !rules.findAnything && !table.isSearching }

  /// The events of a whole recording with every secret replaced, also where it stands before its rule found it.
  ///
  /// Pseudonyms that a closing event lists are those of an earlier redaction and stay as they are.
  public mutating func redact(_ events: [Event]) -> [Event] {
    var header = JSONObject()
    return redact(events, beside: &header)
  }

  /// The same for a recording whose header has foreign members.
  mutating func redact(_ events: [Event], beside header: inout JSONObject) -> [Event] {
    for event in events {
      if case .closed(let closing) = event.kind { keep(closing.redacted) }
    }
    let rules = self.rules.findAnything ? self.rules(for: nil) : nil
    var learntFrom = header
    redact(&learntFrom, rules)
    for event in events { _ = redact(event) }
    redact(&header, rules)
    return events.map { redact($0) }
  }

  /// A warning for each rule of a file that has found nothing yet, in the order in which the rules count.
  public var unusedRules: [Diagnostic] {
    zip(rules.rules, isUsed).compactMap { rule, isUsed in
      guard !isUsed, let source = rule.source else { return nil }
      return Diagnostic(
        file: source.file, line: source.line, column: source.column, severity: .warning,
        message: "the rule finds nothing", sourceLine: source.text)
    }
  }

  /// The pseudonyms of each kind, in order of first sight: what a closing event carries.
  public var redacted: JSONObject {
    var object = JSONObject()
    var places: [String: Int] = [:]
    var lists: [[JSON]] = []
    for secret in table.secrets {
      let place = places[secret.kind] ?? object.members.count
      if place == object.members.count {
        places[secret.kind] = place
        object.members.append(JSONObject.Member(secret.kind, []))
        lists.append([])
      }
      lists[place].append(.string(String(decoding: secret.replacement, as: UTF8.self)))
    }
    for (place, list) in lists.enumerated() { object.members[place].value = .array(list) }
    return object
  }

  /// How many secrets of each kind were found, in order of first sight, less those of an earlier redaction.
  public var counts: [(kind: String, count: Int)] {
    var counts: [(kind: String, count: Int)] = []
    for secret in table.secrets where !secret.isKept {
      if let index = counts.firstIndex(where: { $0.kind == secret.kind }) {
        counts[index].count += 1
      } else {
        counts.append((secret.kind, 1))
      }
    }
    return counts
  }

  private mutating func keep(_ redacted: JSONObject) {
    for member in redacted.members {
      for pseudonym in member.value.array ?? [] {
        if let text = pseudonym.string { table.keep(Array(text.utf8), kind: member.key) }
      }
    }
  }

  /// The same.
  /// - Parameter learning: Whether rules are looked at; if not, what is known is replaced.
  mutating func redacted(_ event: Event, learning: Bool) -> Event? {
    // Most events hold numbers only.
    if event.isPlain, !event.kind.holdsText { return nil }
    if case .call(let call, let step) = event.kind, event.isPlain {
      let rules = learning ? self.rules(for: call, step) : nil
      guard let redacted = redacted(step, isForm: false, rules) else { return nil }
      var event = event
      event.replaceStep(of: call, by: redacted)
      return event
    }
    var event = event
    switch event.kind {
    case .launch: break
    case .mark(var mark):
      let rules = learning ? self.rules(for: nil) : nil
      redact(&mark.fields, rules)
      redact(&mark.name, rules)
      event.kind = .mark(mark)
    case .call(let call, let step):
      let rules = learning ? self.rules(for: call, step) : nil
      if let redacted = redacted(step, isForm: event.unknown.sayForm, rules) {
        event.replaceStep(of: call, by: redacted)
      }
      if !event.unknownInside.isEmpty { redact(&event.unknownInside, rules) }
      if event.unknown[HARTape.patchKey] != nil { redact(&event.unknown, rules) }
    case .closed(var closing):
      closing.redacted = redacted
      event.kind = .closed(closing)
    }
    // What a HAR says was judged by the rules for its call.
    if !event.unknown.isEmpty, event.unknown[HARTape.patchKey] == nil || event.kind.isNoCall {
      redact(&event.unknown, learning ? rules(for: nil) : nil)
    }
    return event
  }

  /// The rules for calls to `host`; for marks, and whatever else belongs to no host, nil.
  mutating func rules(for host: String?) -> HostRules {
    if let last = lastRules, last.host == host { return last.rules }
    let rules = findRules(for: host)
    lastRules = (host, rules)
    return rules
  }

  private mutating func findRules(for host: String?) -> HostRules {
    if let known = hostRules[host] { return known }
    let isApplicable = rules.areApplicable(to: host)
    // Many hosts are one vendor's.
    let new = hostRules.values.first { $0.isApplicable == isApplicable } ?? HostRules(rules, isApplicable)
    hostRules[host] = new
    return new
  }

  private mutating func rules(for call: Int, _ step: Event.Step) -> HostRules {
    switch step {
    case .request(let request, _):
      if let lastCall { callRules[lastCall.number] = lastCall.rules }
      let new = rules(for: request.location.host)
      lastCall = (call, new)
      return new
    case .end, .error:
      if let last = lastCall, last.number == call {
        lastCall = nil
        return last.rules
      }
      return callRules.removeValue(forKey: call) ?? rules(for: nil)
    default:
      if let lastCall, lastCall.number == call { return lastCall.rules }
      return callRules[call] ?? rules(for: nil)
    }
  }

  /// Learns `value`, and puts its pseudonym in its place.
  mutating func replace(_ value: inout [UInt8], kind: String) {
    guard let index = table.learn(value, kind: kind) else { return }
    value = table.secrets[index].replacement(for: value)
  }
}

extension Event {
  fileprivate mutating func replaceStep(of call: Int, by redacted: Redactor.RedactedStep) {
    kind = .call(call, redacted.step)
    if let reason = redacted.withheld { withheld = reason }
  }
}

extension Event.Kind {
  fileprivate var isNoCall: Bool { if case .call = self { false } else { true } }

  fileprivate var isClosing: Bool { if case .closed = self { true } else { false } }

  /// Whether anything in it may be a secret.
  fileprivate var holdsText: Bool {
    switch self {
    case .launch, .call(_, .sent), .call(_, .chunk): false
    case .mark, .call, .closed: true
    }
  }
}
