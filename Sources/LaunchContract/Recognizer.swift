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
    var request: Request
    var occurrences: [Occurrence]
    var status: Int?
  }

  private struct AttemptKey: Hashable {
    var name: Int
    var key: [UInt8]
  }

  private let names: Names
  /// Marks by text, so that a mark costs one look-up however many are declared.
  private let marks: [String: [Int]]
  private let calls: [Int]
  private var nextID = 0
  private var exchanges: [Int: Exchange] = [:]
  /// Calls that wait for a retry, by what a retry has in common with them; the one that ended first is retried first.
  private var retryable: [AttemptKey: [Occurrence]] = [:]

  /// `calls` matches every request, so it is only watched when a rule asks for it.
  init(_ names: Names, watchesEveryCall: Bool) {
    self.names = names
    var marks: [String: [Int]] = [:]
    var calls: [Int] = []
    for (number, declaration) in names.declarations.enumerated() {
      switch declaration.meaning {
      case .mark(let pattern): for text in pattern.texts { marks[text, default: []].append(number) }
      case .call: calls.append(number)
      case .everyCall: if watchesEveryCall { calls.append(number) }
      case .launchBegin, .launchEnd, .unusable: continue
      }
    }
    self.marks = marks
    self.calls = calls
  }

  /// What `event` changes. All signals of one event have the same position.
  mutating func signals(for event: Event, at point: Point) -> [Signal] {
    switch event.kind {
    case .launch, .closed: []
    case .mark(let mark): moment(matched(mark), .mark(mark.fields), at: point)
    case .call(let number, let step):
      switch step {
      case .request(let request, nil): start(number, request, at: point)
      case .request(_, let previous?): follow(number, from: previous, at: point)
      case .response(let head): answer(number, head.status)
      case .end: end(number, nil, at: point)
      case .error(let error, _): end(number, error.reason, at: point)
      case .connection, .sent, .informational, .chunk: []
      }
    }
  }

  /// The two ends of a launch.
  mutating func boundary(_ meaning: Declaration.Meaning, at point: Point) -> [Signal] {
    moment(names.declarations.indices.filter { names[$0].meaning == meaning }, .launch, at: point)
  }

  private func matched(_ mark: Mark) -> [Int] {
    guard let declared = marks[mark.name] else { return [] }
    return declared.filter { name in
      if case .mark(let pattern) = names[name].meaning { pattern.accepts(mark.fields) } else { false }
    }
  }

  private mutating func moment(_ matched: [Int], _ subject: Occurrence.Subject, at point: Point) -> [Signal] {
    matched.map { name in
      Signal(
        change: .started, occurrence: occurrence(name, matched, subject, start: point, end: point, .ok, isFinal: true))
    }
  }

  private mutating func start(_ number: Int, _ request: Request, at point: Point) -> [Signal] {
    var view = RequestView(request)
    let matched = calls.filter { name in
      if case .call(let call) = names[name].meaning { call.pattern.matches(&view) } else { true }
    }
    guard !matched.isEmpty else {
      exchanges[number] = nil
      return []
    }
    let subject = Occurrence.Subject.call(method: request.method, path: request.location.path)
    let signals = matched.map { name in
      if let retried = takeRetryable(name, &view) { return Signal(change: .resumed, occurrence: retried) }
      let fresh = occurrence(name, matched, subject, start: point, end: nil, .open, isFinal: false)
      return Signal(change: .started, occurrence: fresh)
    }
    exchanges[number] = Exchange(request: request, occurrences: signals.map(\.occurrence))
    return signals
  }

  private mutating func follow(_ number: Int, from previous: Int, at point: Point) -> [Signal] {
    guard var exchange = exchanges.removeValue(forKey: previous) else {
      exchanges[number] = nil
      return []
    }
    var signals: [Signal] = []
    for index in exchange.occurrences.indices where exchange.occurrences[index].end != nil {
      exchange.occurrences[index].reopen()
      signals.append(Signal(change: .resumed, occurrence: exchange.occurrences[index]))
    }
    exchange.status = nil
    exchanges[number] = exchange
    return signals
  }

  private mutating func answer(_ number: Int, _ status: Int) -> [Signal] {
    exchanges[number]?.status = status
    return []
  }

  private mutating func end(_ number: Int, _ error: TransportError.Reason?, at point: Point) -> [Signal] {
    guard var exchange = exchanges.removeValue(forKey: number) else { return [] }
    var view = RequestView(exchange.request)
    var redirectable: [Occurrence] = []
    for index in exchange.occurrences.indices {
      exchange.occurrences[index].end = point
      exchange.occurrences[index].status = exchange.status
      let next = exchange.occurrences[index].close(
        status: exchange.status, error, success(exchange.occurrences[index].name))
      switch next {
      case .nothing: continue
      case .redirect: redirectable.append(exchange.occurrences[index])
      case .retry:
        let key = attemptKey(exchange.occurrences[index].name, &view)
        retryable[key, default: []].append(exchange.occurrences[index])
      }
    }
    let signals = exchange.occurrences.map { Signal(change: .ended, occurrence: $0) }
    if !redirectable.isEmpty {
      exchange.occurrences = redirectable
      exchanges[number] = exchange
    }
    return signals
  }

  private func success(_ name: Int) -> StatusSet {
    if case .call(let call) = names[name].meaning { call.success } else { .successful }
  }

  private mutating func takeRetryable(_ name: Int, _ view: inout RequestView) -> Occurrence? {
    guard !retryable.isEmpty else { return nil }
    let key = attemptKey(name, &view)
    guard var waiting = retryable.removeValue(forKey: key) else { return nil }
    var first = waiting.removeFirst()
    if !waiting.isEmpty { retryable[key] = waiting }
    first.reopen()
    first.attempts += 1
    return first
  }

  private func attemptKey(_ name: Int, _ view: inout RequestView) -> AttemptKey {
    if case .call(let call) = names[name].meaning, let field = call.attemptField,
      let value = view.values(of: field).first
    {
      return AttemptKey(name: name, key: Array("field ".utf8) + value.canonical)
    }
    return AttemptKey(name: name, key: view.attemptKey())
  }

  private mutating func occurrence(
    _ name: Int, _ names: [Int], _ subject: Occurrence.Subject, start: Point, end: Point?,
    _ outcome: Occurrence.Outcome, isFinal: Bool
  ) -> Occurrence {
    defer { nextID += 1 }
    return Occurrence(
      id: nextID, name: name, names: names, subject: subject, start: start, end: end, outcome: outcome, isFinal: isFinal
    )
  }
}

extension Occurrence {
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
  fileprivate mutating func close(
    status: Int?, _ error: TransportError.Reason?, _ success: StatusSet
  ) -> Prospect {
    let prospect: Prospect
    switch (error, status) {
    case (.cancelled?, _): (outcome, prospect) = (.cancelled, .nothing)
    case (let reason?, _): (outcome, prospect) = (.error(reason), .retry)
    case (nil, nil): (outcome, prospect) = (.error(.protocol), .retry)
    case (nil, let status?) where success.contains(status): (outcome, prospect) = (.ok, .nothing)
    case (nil, let status?):
      outcome = .failed(status: status)
      prospect = Self.retriedStatuses.contains(status) ? .retry : Self.redirects.contains(status) ? .redirect : .nothing
    }
    isFinal = prospect == .nothing
    return prospect
  }

  private static let retriedStatuses = StatusSet(ranges: [500...599, 408...408, 425...425, 429...429])
  private static let redirects = 300...399
}
