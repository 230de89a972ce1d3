import LaunchHTTP
import LaunchTrace
import TestSupport

/// Makes small launches: two marks, two calls that fail, are retried and redirected, ties, restarts, cuts.
struct RandomLaunch {
  private var events: [Event] = []
  private var time: Int64 = 0
  private var nextNumber = 1
  /// Calls that are running, and the request each began with.
  private var open: [(number: Int, request: Request)] = []
  /// Calls that were answered 302 and may be followed.
  private var redirected: [(number: Int, request: Request)] = []
  /// Requests that failed in a way that clients retry.
  private var failed: [Request] = []

  static func trace(using generator: inout SeededGenerator) -> Trace {
    var launch = RandomLaunch()
    if Bool.random(using: &generator) { launch.append(.launch(1)) }
    for _ in 0..<Int.random(in: 0...11, using: &generator) { launch.step(using: &generator) }
    if Int.random(in: 0..<10, using: &generator) < 6 { launch.close() }
    return Trace(name: "random", events: launch.events)
  }

  /// `trace`, going on for some steps and then ending.
  static func continuation(of trace: Trace, using generator: inout SeededGenerator) -> Trace {
    var launch = RandomLaunch(resuming: trace.events)
    let finish = Int.random(in: 0..<4, using: &generator)
    if finish > 0 { launch.finishAll(ok: finish > 1, using: &generator) }
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      launch.step(using: &generator, patience: 1, restarts: false)
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { launch.crowd(using: &generator) }
    if finish > 1 { launch.finishAll(ok: true, using: &generator) }
    launch.close()
    return Trace(name: "continued", events: launch.events)
  }

  private init() {}

  private init(resuming events: [Event]) {
    for event in events {
      time = event.at.microseconds
      switch event.kind {
      case .launch: (open, redirected, failed) = ([], [], [])
      case .call(let number, .request(let request, let from)):
        redirected.removeAll { $0.number == from }
        open.append((number, request))
        if let index = failed.firstIndex(of: request), from == nil { failed.remove(at: index) }
        nextNumber = max(nextNumber, number + 1)
      case .call(let number, .end), .call(let number, .error): ended(number, event, in: events)
      default: break
      }
    }
    self.events = events
  }

  private mutating func ended(_ number: Int, _ event: Event, in events: [Event]) {
    guard let index = open.firstIndex(where: { $0.number == number }) else { return }
    let call = open.remove(at: index)
    if case .call(_, .error(let error, _)) = event.kind {
      if error.reason != .cancelled { failed.append(call.request) }
      return
    }
    for case .call(number, .response(let head)) in events.map(\.kind) {
      if head.status == 302 { redirected.append(call) }
      if head.status >= 429 { failed.append(call.request) }
    }
  }

  private mutating func step(using generator: inout SeededGenerator, patience: Int64 = 3, restarts: Bool = true) {
    time += Int64.random(in: 0...patience, using: &generator) * 1000
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<3: append(.mark(Mark("m")))
    case 3..<6: append(.mark(Mark("n")))
    case 6..<10: request(using: &generator)
    case 10..<12: if let request = failed.popLast() { start(request) }
    case 12..<13: follow()
    case 19 where restarts && Int.random(in: 0..<4, using: &generator) == 0: restart()
    default: end(using: &generator)
    }
  }

  private mutating func request(using generator: inout SeededGenerator) {
    let path = Bool.random(using: &generator) ? "/a" : "/b"
    let body = Array(Bool.random(using: &generator) ? "1".utf8 : "2".utf8)
    start(Request(method: "POST", location: Location(scheme: "https", host: "h.test", path: path), body: body))
  }

  private mutating func start(_ request: Request, from: Int? = nil) {
    open.append((nextNumber, request))
    append(.call(nextNumber, .request(request, from: from)))
    nextNumber += 1
  }

  private mutating func follow() {
    if let call = redirected.popLast() { start(call.request, from: call.number) }
  }

  private mutating func restart() {
    (open, redirected, failed) = ([], [], [])
    append(.launch(2))
  }

  private mutating func end(using generator: inout SeededGenerator) {
    guard let index = open.indices.randomElement(using: &generator) else { return }
    let call = open.remove(at: index)
    let outcomes = [200, 200, 200, 204, 409, 404, 500, 503, 429, 302, 0, 1, 2]
    switch outcomes.randomElement(using: &generator) ?? 200 {
    case 0: fail(call, .cancelled)
    case 1: fail(call, .timeout)
    case 2: fail(call, .reset)
    case let status: answer(call, status)
    }
  }

  private mutating func fail(_ call: (number: Int, request: Request), _ reason: TransportError.Reason) {
    append(.call(call.number, .error(TransportError(reason, during: .response), Content())))
    if reason != .cancelled { failed.append(call.request) }
  }

  private mutating func answer(_ call: (number: Int, request: Request), _ status: Int) {
    append(.call(call.number, .response(ResponseHead(status: status))))
    append(.call(call.number, .end(Content())))
    if status == 302 { redirected.append(call) }
    if status >= 429 { failed.append(call.request) }
  }

  private mutating func finishAll(ok: Bool, using generator: inout SeededGenerator) {
    if ok, Bool.random(using: &generator) {
      while let request = failed.popLast() { start(request) }
      while !redirected.isEmpty { follow() }
    }
    for call in open { answer(call, ok ? 200 : 404) }
    open = []
  }

  /// Three more of everything, one name after another, so that rules about numbers see many.
  private mutating func crowd(using generator: inout SeededGenerator) {
    for name in ["m", "n", "a", "b"].shuffled(using: &generator) {
      for body in ["3", "4", "5"] {
        guard name == "a" || name == "b" else {
          append(.mark(Mark(name)))
          continue
        }
        let location = Location(scheme: "https", host: "h.test", path: "/" + name)
        start(Request(method: "POST", location: location, body: Array(body.utf8)))
        if let call = open.popLast() { answer(call, 200) }
      }
    }
  }

  private mutating func close() { append(.closed(Closing(events: events.count))) }

  private mutating func append(_ kind: Event.Kind) {
    events.append(Event(at: Instant(microseconds: time), kind))
  }
}

extension Oracle.Sentence {
  static func random(using generator: inout SeededGenerator) -> Self {
    var names = ["m", "n", "a", "b", "calls", "a", "b", "launch.begin", "launch.end"].shuffled(using: &generator)
    names = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    let (first, second) = (Mention(names[0], using: &generator), Mention(names[1], using: &generator))
    var sentence = random(first, second, except: names[3], using: &generator)
    sentence.addStretch(names[2], using: &generator)
    return sentence
  }

  private static func random(
    _ first: Mention, _ second: Mention, except: String, using generator: inout SeededGenerator
  ) -> Self {
    let milliseconds = Int64.random(in: 0...8, using: &generator)
    let number = Int.random(in: 0...2, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0:
      return Self(
        text: "\(second) only after \(first)",
        kind: .precedence(trigger: second.party(.any, .start), requirement: first.party(.ok, .end)))
    case 1:
      let ends: [Oracle.Party.End] = (0..<2).map { _ in Bool.random(using: &generator) ? .start : .end }
      return Self(
        text: "\(second.name) \(ends[0])s only after \(first.name) \(ends[1])s",
        kind: .precedence(
          trigger: .init(name: second.name, which: .any, end: ends[0]),
          requirement: .init(name: first.name, which: .ok, end: ends[1])))
    case 2:
      return Self(
        text: "every \(first) is followed by \(second)",
        kind: .response(trigger: first.party(.any, .end), requirement: second.party(.ok, .start), microseconds: nil))
    case 3:
      return Self(
        text: "\(first.name) then \(second.name)",
        kind: .sequence(
          first: .init(name: first.name, which: .any, end: .end),
          second: .init(name: second.name, which: .any, end: .start)))
    case 4, 5:
      let isEnding = Bool.random(using: &generator)
      return Self(
        text: "\(second) within \(milliseconds) ms of \(first)\(isEnding ? " ending" : "")",
        kind: .response(
          trigger: first.party(.any, isEnding ? .end : .start), requirement: second.party(.ok, .end),
          microseconds: milliseconds * 1000))
    case 6: return count("no", first, 0, 0, [])
    case 7: return count("exactly \(number)", first, number, number, first.name == "calls" ? [except] : [])
    default:
      return Bool.random(using: &generator)
        ? count("at most \(number)", first, 0, number, []) : count("at least \(number + 1)", first, number + 1, nil, [])
    }
  }

  private static func count(_ words: String, _ party: Mention, _ least: Int, _ most: Int?, _ except: [String]) -> Self {
    Self(text: "\(words) \(party)", kind: .count(party.party(.any, .start), least: least, most: most, except: except))
  }

  private mutating func addStretch(_ name: String, using generator: inout SeededGenerator) {
    let isBefore = Bool.random(using: &generator)
    let wanted = Int.random(in: 0..<3, using: &generator) == 0
    switch kind {
    case .precedence: return
    case .response(_, _, nil) where isBefore, .sequence where isBefore: return
    case .response, .sequence, .count: if !wanted { return addExceptions() }
    }
    text += isBefore ? " before \(name)" : " after \(name)"
    stretch = isBefore ? .before(name) : .after(name)
    addExceptions()
  }

  private mutating func addExceptions() {
    if case .count(_, _, _, let except) = kind, let name = except.first { text += " except \(name)" }
  }

  /// A name, sometimes with what stands in brackets.
  private struct Mention: CustomStringConvertible {
    var name: String
    var side: String?

    init(_ name: String, using generator: inout SeededGenerator) {
      self.name = name
      guard ["a", "b", "calls"].contains(name), Int.random(in: 0..<3, using: &generator) == 0 else { return }
      side = ["sent", "answered", "ok", "any outcome"].randomElement(using: &generator)
    }

    var description: String { side.map { "\(name) (\($0))" } ?? name }

    func party(_ which: Oracle.Party.Which, _ end: Oracle.Party.End) -> Oracle.Party {
      switch side {
      case "sent": .init(name: name, which: .any, end: .start)
      case "answered": .init(name: name, which: .answered, end: end)
      case "ok": .init(name: name, which: .ok, end: end)
      case "any outcome": .init(name: name, which: .any, end: end)
      default: .init(name: name, which: which, end: end)
      }
    }
  }
}

extension Trace {
  /// The events one a line, for failure messages.
  var listing: String {
    events.enumerated().map { index, event in
      let text =
        switch event.kind {
        case .launch(let number): "launch \(number)"
        case .mark(let mark): mark.name
        case .call(let number, .request(let request, let from)):
          "call \(number) \(request.location.path) \(String(decoding: request.body.bytes, as: UTF8.self))"
            + (from.map { " from \($0)" } ?? "")
        case .call(let number, .response(let head)): "call \(number) status \(head.status)"
        case .call(let number, .end): "call \(number) end"
        case .call(let number, .error(let error, _)): "call \(number) \(error.reason)"
        case .call(let number, _): "call \(number) …"
        case .closed: "closed"
        }
      return "\(index) \(event.at.microseconds) \(text)"
    }.joined(separator: "\n")
  }
}
