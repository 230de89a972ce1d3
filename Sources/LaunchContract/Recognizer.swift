import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Turns the events of one launch into occurrences of the contract's names: redirect chains become one call, and
/// attempts become one logical call.
///
/// Remembers calls that are open, may be redirected, or ended in a way that a client retries; nothing else.
struct Recognizer: Sendable {
  /// A call as the trace numbers it; a redirect hop takes over the exchange of the call it follows.
  private struct Exchange {
    /// The step with the first request of a redirect chain, which costs a pointer.
    var first: Event.Step
    /// What is going on with it.
    var occurrences: [Occurrence]
    /// Every name that the chain has matched, ended or not.
    var names: [Int]
    /// The steps with the requests of later hops, by the names that began with them.
    var hops: [Int: Event.Step] = [:]
    /// The step with the head of the answer.
    var answer: Event.Step?

    var head: ResponseHead? { if case .response(let head) = answer { head } else { nil } }

    /// The request that a name began with.
    func request(of name: Int) -> RequestView? { RequestView(hops.isEmpty ? first : hops[name] ?? first) }
  }

  /// The names of one text.
  private struct Marks {
    private var patterns: [(name: Int, pattern: MarkPattern)] = []
    private var all: [Int] = []
    private var hasConditions = false

    mutating func add(_ name: Int, _ pattern: MarkPattern) {
      patterns.append((name, pattern))
      all.append(name)
      if !pattern.conditions.isEmpty { hasConditions = true }
    }

    /// Those of a mark with such fields.
    func names(_ fields: JSONObject) -> [Int] {
      hasConditions ? patterns.filter { $0.pattern.accepts(fields) }.map(\.name) : all
    }
  }

  private struct AttemptKey: Hashable {
    var name: Int
    var key: [UInt8]
  }

  /// By number of the name, the fields whose values occurrences carry.
  private let fields: [[FieldPath]]
  /// Marks by text, so that a mark costs one look-up however many are declared.
  private let marks: [String: Marks]
  /// The calls a request may be, by its host.
  private let calls: CallIndex
  /// By number of the name, what the statuses of a call and its attempts mean.
  private let success: [StatusSet]
  /// By number of the call, the field that its attempts share.
  private let attemptFields: [FieldPath?]
  /// By number of the call, the name that stands for its attempts.
  private let attempts: [Int?]
  /// By number of the name, whether it stands for attempts.
  private let isAttempt: [Bool]
  private var nextID = 0
  private var exchanges = NumberTable<Exchange>()
  /// Calls that wait for a retry, by what a retry has in common with them; the one that ended first is retried first.
  private var retryable: [AttemptKey: [Occurrence]] = [:]
  /// By number of the name, how many of its calls wait for a retry.
  private var retryableCounts: [Int]

  /// `calls` matches every request, so it is only watched when a rule asks for it.
  init(_ names: Names, fields: [[FieldPath]], watchesEveryCall: Bool) {
    self.fields = fields
    let count = names.declarations.count
    var marks: [String: Marks] = [:]
    var calls: [(name: Int, pattern: CallPattern?)] = []
    var success = Array(repeating: StatusSet.successful, count: count)
    var attemptFields: [FieldPath?] = Array(repeating: nil, count: count)
    var attempts: [Int?] = Array(repeating: nil, count: count)
    var isAttempt = Array(repeating: false, count: count)
    for (number, declaration) in names.declarations.enumerated() {
      switch declaration.meaning {
      case .mark(let pattern): for text in pattern.texts { marks[text, default: Marks()].add(number, pattern) }
      case .call(let call):
        calls.append((number, call.pattern))
        success[number] = call.success
        attemptFields[number] = call.attemptField
      case .attempts(let call):
        attempts[call] = number
        isAttempt[number] = true
        if case .call(let call) = names[call].meaning { success[number] = call.success }
      case .everyCall: if watchesEveryCall { calls.append((number, nil)) }
      case .launchBegin, .launchEnd, .unusable: continue
      }
    }
    self.marks = marks
    self.calls = CallIndex(calls)
    self.success = success
    self.attemptFields = attemptFields
    self.attempts = attempts
    self.isAttempt = isAttempt
    retryableCounts = Array(repeating: 0, count: count)
  }

  /// The names of the calls that the request is, those of every call aside.
  func names(_ request: Request) -> [Int] {
    var view = RequestView(request)
    return calls.names(of: &view).filter { $0 != Names.everyCall }
  }

  /// Appends what `event` changes. All signals of one event have the same position.
  mutating func take(_ event: Event, at point: Point, into signals: inout [Signal]) {
    switch event.kind {
    case .launch, .closed: break
    case .mark(let mark): take(mark, at: point, into: &signals)
    case .call(let number, let step): take(step, of: number, at: point, into: &signals)
    }
  }

  /// Appends one of the two ends of a launch, by the number of its name.
  mutating func takeBoundary(_ name: Int, at point: Point, into signals: inout [Signal]) {
    let end = facts(name, [name], .launch, start: point, end: point, .ok, isFinal: true)
    signals.append(Signal(change: .started, occurrence: Occurrence(end)))
  }

  private mutating func take(_ mark: Mark, at point: Point, into signals: inout [Signal]) {
    guard let matched = marks[mark.name]?.names(mark.fields) else { return }
    for name in matched {
      var moment = facts(name, matched, .mark(mark.fields), start: point, end: point, .ok, isFinal: true)
      for field in fields[name] { moment.values[field] = field.value(in: .object(mark.fields)).map { [$0] } ?? [] }
      signals.append(Signal(change: .started, occurrence: Occurrence(moment)))
    }
  }
}

/// Calls.
extension Recognizer {
  private mutating func take(_ step: Event.Step, of number: Int, at point: Point, into signals: inout [Signal]) {
    switch step {
    case .request(_, let previous):
      guard var view = RequestView(step) else { return }
      if let previous {
        follow(number, &view, of: step, from: previous, at: point, into: &signals)
      } else {
        start(number, &view, of: step, at: point, into: &signals)
      }
    case .response: exchanges.change(number) { $0.answer = step }
    case .end: end(number, nil, step, at: point, into: &signals)
    case .error(let error, _): end(number, error.reason, step, at: point, into: &signals)
    case .connection, .sent, .informational, .chunk: break
    }
  }

  private mutating func start(
    _ number: Int, _ view: inout RequestView, of step: Event.Step, at point: Point, into signals: inout [Signal]
  ) {
    let matched = calls.names(of: &view)
    guard !matched.isEmpty else {
      exchanges.take(number)
      return
    }
    var occurrences: [Occurrence] = []
    begin(matched, &view, at: point, &occurrences, into: &signals)
    exchanges[number] = Exchange(first: step, occurrences: occurrences, names: matched)
  }

  /// New occurrences, or retries of those that wait for one; the attempts behind their calls.
  private mutating func begin(
    _ matched: [Int], _ view: inout RequestView, at point: Point, _ occurrences: inout [Occurrence],
    into signals: inout [Signal]
  ) {
    let location = view.request.location
    let subject = Occurrence.Subject.call(method: view.request.method, host: location.host, path: location.path)
    occurrences.reserveCapacity(occurrences.count + matched.count)
    func tell(_ change: Signal.Change, _ facts: consuming Occurrence.Facts) {
      let occurrence = Occurrence(facts)
      occurrences.append(occurrence)
      signals.append(Signal(change: change, occurrence: occurrence))
    }
    for name in matched {
      let change: Signal.Change
      var call: Occurrence.Facts
      if let retried = takeRetryable(name, &view) {
        (change, call) = (.resumed, retried.facts)
        call.reopen()
        call.attempts += 1
      } else {
        (change, call) = (.started, facts(name, matched, subject, start: point, end: nil, .open, isFinal: false))
        if !fields[name].isEmpty, isKnownByContent(name, &view) { call.lasting = .content }
      }
      // Until another answer comes, the last one stays.
      for field in fields[name] where change == .started || !field.root.isOfAnswer {
        call.values[field] = view.values(of: field)
      }
      let (group, number) = (call.id, call.attempts)
      tell(change, consume call)
      guard let attemptName = attempts[name] else { continue }
      var attempt = facts(attemptName, matched, subject, start: point, end: nil, .open, isFinal: false)
      attempt.group = group
      attempt.attempts = number
      attempt.lasting = .request
      for field in fields[attemptName] { attempt.values[field] = view.values(of: field) }
      tell(.started, consume attempt)
    }
  }

  /// A redirect goes on with the call it follows. Where its own URL is that of another declared call, that one begins,
  /// so that no redirect hides a call from a rule.
  private mutating func follow(
    _ number: Int, _ view: inout RequestView, of step: Event.Step, from previous: Int, at point: Point,
    into signals: inout [Signal]
  ) {
    guard var exchange = exchanges.take(previous) else {
      return start(number, &view, of: step, at: point, into: &signals)
    }
    for index in exchange.occurrences.indices where exchange.occurrences[index].end != nil {
      var facts = exchange.occurrences[index].facts
      facts.reopen()
      exchange.occurrences[index] = Occurrence(consume facts)
      signals.append(Signal(change: .resumed, occurrence: exchange.occurrences[index]))
    }
    let added = calls.names(of: &view).filter { !exchange.names.contains($0) }
    begin(added, &view, at: point, &exchange.occurrences, into: &signals)
    exchange.names += added
    for name in added { exchange.hops[name] = step }
    exchange.answer = nil
    exchanges[number] = exchange
  }

  private mutating func end(
    _ number: Int, _ error: TransportError.Reason?, _ step: Event.Step, at point: Point, into signals: inout [Signal]
  ) {
    guard var exchange = exchanges.take(number) else { return }
    let head = exchange.head
    let status = head?.status
    var answer = AnswerView(head, step)
    let retryAfter = status.map { $0 >= 300 } ?? false ? answer.retryAfter : nil
    var redirectable: [Occurrence] = []
    for occurrence in exchange.occurrences {
      var facts = occurrence.facts
      facts.end = point
      facts.status = status
      facts.retryAfter = retryAfter
      // Without an answer, what an earlier attempt was answered stays.
      for field in fields[facts.name] where field.root.isOfAnswer && status != nil {
        facts.values[field] = answer.values(of: field)
      }
      let prospect = facts.close(error, success[facts.name])
      if prospect == .retry, isAttempt[facts.name] { facts.isFinal = true }
      let ended = Occurrence(consume facts)
      signals.append(Signal(change: .ended, occurrence: ended))
      if prospect == .redirect { redirectable.append(ended) }
      if prospect == .retry, !ended.isFinal, var request = exchange.request(of: ended.name) {
        retryable[attemptKey(ended.name, &request), default: []].append(ended)
        retryableCounts[ended.name] += 1
      }
    }
    if let status, Occurrence.redirects.contains(status), error == nil {
      exchange.occurrences = redirectable
      exchanges[number] = exchange
    }
  }

  private mutating func takeRetryable(_ name: Int, _ view: inout RequestView) -> Occurrence? {
    guard retryableCounts[name] > 0 else { return nil }
    let key = attemptKey(name, &view)
    guard var waiting = retryable.removeValue(forKey: key) else { return nil }
    let first = waiting.removeFirst()
    if !waiting.isEmpty { retryable[key] = waiting }
    retryableCounts[name] -= 1
    return first
  }

  private func attemptKey(_ name: Int, _ view: inout RequestView) -> AttemptKey {
    if let field = attemptFields[name], let value = view.values(of: field).first {
      return AttemptKey(name: name, key: Array("field ".utf8) + value.canonical)
    }
    return AttemptKey(name: name, key: view.attemptKey)
  }

  /// Whether attempts of the call have the same content, for want of anything else that they share.
  private func isKnownByContent(_ name: Int, _ view: inout RequestView) -> Bool {
    if view.request.fields["Idempotency-Key"] != nil { return false }
    return attemptFields[name].map { view.values(of: $0).isEmpty } ?? true
  }

  private mutating func facts(
    _ name: Int, _ names: [Int], _ subject: Occurrence.Subject, start: Point, end: Point?,
    _ outcome: Occurrence.Outcome, isFinal: Bool
  ) -> Occurrence.Facts {
    defer { nextID += 1 }
    return Occurrence.Facts(
      id: nextID, name: name, names: names, subject: subject, start: start, end: end, outcome: outcome, group: nextID,
      isFinal: isFinal)
  }
}

extension Occurrence {
  fileprivate static let redirects = 300...399
}

extension Occurrence.Facts {
  /// What may still happen to a call that has ended.
  fileprivate enum Prospect {
    case nothing, retry, redirect
  }

  fileprivate mutating func reopen() {
    end = nil
    outcome = .open
    isFinal = false
  }

  /// Sets the outcome. A call is retried after 5xx, 408, 425, 429 and every transport error but a cancellation; after
  /// another 3xx it may be redirected. A status that is declared ok ends the call, a 3xx too.
  fileprivate mutating func close(_ error: TransportError.Reason?, _ success: StatusSet) -> Prospect {
    let prospect: Prospect
    switch (error, status) {
    case (.cancelled?, _): (outcome, prospect) = (.cancelled, .nothing)
    case (let reason?, _): (outcome, prospect) = (.error(reason), .retry)
    case (nil, nil): (outcome, prospect) = (.error(.protocol), .retry)
    case (nil, let status?) where success.contains(status): (outcome, prospect) = (.ok, .nothing)
    case (nil, let status?):
      outcome = .failed(status: status)
      prospect =
        Self.retriedStatuses.contains(status) ? .retry : Occurrence.redirects.contains(status) ? .redirect : .nothing
    }
    isFinal = prospect == .nothing
    return prospect
  }

  private static let retriedStatuses = StatusSet(ranges: [500...599, 408...408, 425...425, 429...429])
}
