import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport

/// Makes small launches of the names in `OracleNames`: calls that fail, are retried, redirected, cancelled or left
/// open, marks, ties, missing fields, restarts, cuts.
struct RandomLaunch {
  private struct Call {
    var number: Int
    var request: Request
  }

  /// What happens in this launch, the likely more often.
  private let cast: [String]
  private var events: [Event] = []
  private var time: Int64 = 0
  private var nextNumber = 1
  private var sequence = 0
  /// Calls that are running, and the request each began with.
  private var open: [Call] = []
  /// Calls that were answered 302 and may be followed.
  private var redirected: [Call] = []
  /// Requests that failed in a way that clients retry.
  private var failed: [Request] = []

  /// A launch of the names in `cast`, and now and then of others.
  static func trace(of cast: [String], using generator: inout SeededGenerator) -> Trace {
    var launch = RandomLaunch(cast)
    if Bool.random(using: &generator) { launch.append(.launch(1)) }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      launch.runSmoothly(cast, using: &generator)
    } else {
      for _ in 0..<Int.random(in: 0...12, using: &generator) { launch.step(using: &generator) }
    }
    if Int.random(in: 0..<3, using: &generator) == 0 { launch.finishAll(with: 200, using: &generator) }
    if Int.random(in: 0..<10, using: &generator) < 6 { launch.close() }
    return Trace(name: "random", events: launch.events)
  }

  /// A launch of some hundred events, in which dozens of calls are open and dozens of marks unanswered at once.
  static func longTrace(of cast: [String], using generator: inout SeededGenerator) -> Trace {
    var launch = RandomLaunch(cast)
    launch.append(.launch(1))
    for _ in 0..<2 {
      for _ in 0..<Int.random(in: 30...50, using: &generator) {
        launch.time += Bool.random(using: &generator) ? 1000 : 0
        launch.happen(using: &generator)
      }
      for _ in 0..<Int.random(in: 10...40, using: &generator) { launch.step(using: &generator, restarts: false) }
      if Bool.random(using: &generator) { launch.finishAll(with: 200, using: &generator) }
    }
    if Int.random(in: 0..<4, using: &generator) > 0 { launch.close() }
    return Trace(name: "long", events: launch.events)
  }

  /// `trace`, going on for some steps and then ending.
  static func continuation(of trace: Trace, cast: [String], using generator: inout SeededGenerator) -> Trace {
    var launch = RandomLaunch(cast)
    launch.resume(trace.events)
    let statuses = [200, 200, 404, 409, nil]
    if Int.random(in: 0..<6, using: &generator) == 0 {
      launch.finishAll(with: 500, using: &generator)
      while !launch.failed.isEmpty { launch.retry(using: &generator) }
    }
    if let status = statuses.randomElement(using: &generator) ?? nil, Bool.random(using: &generator) {
      launch.finishAll(with: status, using: &generator)
    }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      // At once, for what is due now.
      launch.happen(using: &generator)
      launch.finishAll(with: [200, 404].randomElement(using: &generator) ?? 200, using: &generator)
    }
    if Int.random(in: 0..<4, using: &generator) == 0 { launch.runSmoothly(cast, using: &generator) }
    for _ in 0..<Int.random(in: 0...6, using: &generator) { launch.step(using: &generator, restarts: false) }
    if let status = statuses.randomElement(using: &generator) ?? nil {
      launch.finishAll(with: status, using: &generator)
    }
    launch.close()
    return Trace(name: "continued", events: launch.events)
  }

  private init(_ cast: [String]) { self.cast = cast + cast + cast + cast + ["m", "a", "b", "c", "other"] }

  private mutating func resume(_ events: [Event]) {
    for event in events {
      time = event.at.microseconds
      switch event.kind {
      case .launch: (open, redirected, failed) = ([], [], [])
      case .call(let number, .request(let request, let from)):
        redirected.removeAll { $0.number == from }
        open.append(Call(number: number, request: request))
        if let index = failed.firstIndex(of: request), from == nil { failed.remove(at: index) }
        nextNumber = max(nextNumber, number + 1)
      case .call(let number, .end), .call(let number, .error): ended(number, event, in: events)
      default: break
      }
    }
    sequence = events.count
    self.events = events
  }

  private mutating func ended(_ number: Int, _ event: Event, in events: [Event]) {
    guard let index = open.firstIndex(where: { $0.number == number }) else { return }
    let call = open.remove(at: index)
    if case .call(_, .error(let error, _)) = event.kind {
      if error.reason != .cancelled { failed.append(call.request) }
      return
    }
    for case .call(number, .response(let head)) in events.map(\.kind) { remember(call, answered: head.status) }
  }

  private mutating func step(using generator: inout SeededGenerator, restarts: Bool = true) {
    time += [0, 0, 1, 1, 1, 2, 2, 3].randomElement(using: &generator).map { $0 * 1000 } ?? 0
    if Int.random(in: 0..<30, using: &generator) == 0 { time += Int64.random(in: 1...2, using: &generator) * 1_000_000 }
    switch Int.random(in: 0..<80, using: &generator) {
    case 0..<36: happen(using: &generator)
    case 36..<46: retry(using: &generator)
    case 46..<50: follow(using: &generator)
    case 50 where restarts: restart()
    default: end(using: &generator)
    }
  }

  /// One name of the cast after the other, a call over before the next begins, and mostly ok.
  private mutating func runSmoothly(_ cast: [String], using generator: inout SeededGenerator) {
    let names = cast.shuffled(using: &generator)
    for round in 0..<Int.random(in: 1...6, using: &generator) {
      time += [0, 1, 1, 2].randomElement(using: &generator).map { $0 * 1000 } ?? 0
      let name = names[round % names.count]
      guard OracleNames.calls.contains(name) else {
        mark(name, using: &generator)
        continue
      }
      start(request(name, using: &generator))
      time += [0, 0, 1, 1, 2].randomElement(using: &generator).map { $0 * 1000 } ?? 0
      guard let call = open.popLast() else { continue }
      let statuses = [200, 200, 200, 200, 404, 500]
      answer(call, statuses.randomElement(using: &generator) ?? 200, using: &generator)
      if Bool.random(using: &generator) { retry(using: &generator) }
    }
  }

  private mutating func happen(using generator: inout SeededGenerator) {
    let name = cast.randomElement(using: &generator) ?? "m"
    switch name {
    case "m", "n", "o", "launch.begin", "launch.end": mark(name, using: &generator)
    default: start(request(name, using: &generator))
    }
  }

  private mutating func mark(_ name: String, using generator: inout SeededGenerator) {
    var mark = Mark(name.hasPrefix("launch") ? "m" : name)
    if name == "o" { mark.name = ["seen", "shown"].randomElement(using: &generator) ?? "seen" }
    for (key, value) in values(using: &generator) {
      mark.fields[key] = Int64(value).map { .integer($0) } ?? .string(value)
    }
    mark.fields["v"] = .integer(Int64.random(in: 1...4, using: &generator))
    append(.mark(mark))
  }

  /// `k`, `id` and `seq`, each now and then missing.
  private mutating func values(using generator: inout SeededGenerator) -> [(String, String)] {
    sequence += Int.random(in: 0..<12, using: &generator) == 0 ? 2 : 1
    let isOdd = Int.random(in: 0..<8, using: &generator) == 0
    let all = [
      ("k", Int.random(in: 0..<3, using: &generator) == 0 ? "y" : "x"),
      ("id", Bool.random(using: &generator) ? "1" : "2"),
      ("seq", String(isOdd ? Int.random(in: 0...12, using: &generator) : sequence)),
    ]
    return all.filter { _ in Int.random(in: 0..<40, using: &generator) > 0 }
  }

  private mutating func request(_ name: String, using generator: inout SeededGenerator) -> Request {
    let values = values(using: &generator)
    let pairs = values.map { "\($0)=\($1)" }.joined(separator: "&")
    var fields: Fields = [:]
    if let key = values.first(where: { $0.0 == "k" })?.1 { fields.append("X-Key", key) }
    if let id = values.first(where: { $0.0 == "id" })?.1 { fields.append("X-Id", id) }
    func location(_ path: String, _ query: String? = nil) -> Location {
      Location(scheme: "https", host: "h.test", path: path, query: query)
    }
    switch name {
    case "a":
      fields.append("Content-Type", "application/json")
      if Int.random(in: 0..<4, using: &generator) == 0 { fields.append("Idempotency-Key", "i\(sequence)") }
      let members = values.map { key, value in "\"\(key)\":" + (Int(value) == nil ? "\"\(value)\"" : value) }
      let body = "{\(members.joined(separator: ","))}"
      return Request(method: "POST", location: location("/a"), fields: fields, body: Array(body.utf8))
    case "b":
      fields.append("Content-Type", "application/x-www-form-urlencoded")
      let attempt = Int.random(in: 0..<4, using: &generator) == 0 ? "" : "&try=\(sequence)"
      return Request(method: "POST", location: location("/b"), fields: fields, body: Array((pairs + attempt).utf8))
    case "c": return Request(method: "GET", location: location("/c/x", "q=1&" + pairs), fields: fields)
    default:
      let path = Bool.random(using: &generator) ? "/other" : "/c/x"
      return Request(method: "GET", location: location(path, "n=\(sequence)"), fields: fields)
    }
  }

  private mutating func start(_ request: Request, from: Int? = nil) {
    open.append(Call(number: nextNumber, request: request))
    append(.call(nextNumber, .request(request, from: from)))
    nextNumber += 1
  }

  /// The same again, or with other fields where that makes no other call of it.
  private mutating func retry(using generator: inout SeededGenerator) {
    guard !failed.isEmpty else { return }
    var request = failed.remove(at: Int.random(in: failed.indices, using: &generator))
    if request.location.path == "/a", Bool.random(using: &generator) { request.location.host = "spare.test" }
    if Int.random(in: 0..<3, using: &generator) == 0 {
      request.fields["X-Id"] = ["1", "2", "3"].randomElement(using: &generator)
    }
    if Int.random(in: 0..<8, using: &generator) == 0 {
      request.fields["X-Key"] = ["x", "y"].randomElement(using: &generator)
    }
    if Bool.random(using: &generator) { changeBody(of: &request, using: &generator) }
    start(request)
  }

  /// Other values where something else says which call it is.
  private mutating func changeBody(of request: inout Request, using generator: inout SeededGenerator) {
    let body = String(decoding: request.body.bytes, as: UTF8.self)
    let id = ["1", "2", "3"].randomElement(using: &generator) ?? "1"
    let k = ["x", "y"].randomElement(using: &generator) ?? "x"
    if request.fields["Idempotency-Key"] != nil {
      request.body = .init(Array("{\"k\":\"\(k)\",\"id\":\(id),\"seq\":\(sequence)}".utf8))
    } else if let attempt = body.split(separator: "&").first(where: { $0.hasPrefix("try=") }) {
      request.body = .init(Array("k=\(k)&id=\(id)&seq=\(sequence)&\(attempt)".utf8))
    }
  }

  private mutating func follow(using generator: inout SeededGenerator) {
    guard let call = redirected.popLast() else { return }
    let name = cast.randomElement(using: &generator) ?? "a"
    let isSame = Bool.random(using: &generator) || !OracleNames.calls.contains(name)
    start(isSame ? call.request : request(name, using: &generator), from: call.number)
  }

  private mutating func restart() {
    (open, redirected, failed) = ([], [], [])
    append(.launch(2))
  }

  private mutating func end(using generator: inout SeededGenerator) {
    guard !open.isEmpty else { return }
    let call = open.remove(at: Int.random(in: open.indices, using: &generator))
    let outcomes = [200, 200, 200, 200, 200, 204, 409, 404, 500, 500, 503, 429, 302, 302, 0, 1, 2]
    switch outcomes.randomElement(using: &generator) ?? 200 {
    case 0: fail(call, .cancelled)
    case 1: fail(call, .timeout)
    case 2: fail(call, .reset)
    case let status: answer(call, status, using: &generator)
    }
  }

  private mutating func fail(_ call: Call, _ reason: TransportError.Reason) {
    append(.call(call.number, .error(TransportError(reason, during: .response), Content())))
    if reason != .cancelled { failed.append(call.request) }
  }

  private mutating func answer(_ call: Call, _ status: Int, using generator: inout SeededGenerator) {
    var head = ResponseHead(status: status)
    if status == 429 || status == 503, Bool.random(using: &generator) {
      head.fields.append("Retry-After", Bool.random(using: &generator) ? "1" : "2")
    }
    let id = ["1", "1", "1", "2", "2", "2", "3"].randomElement(using: &generator) ?? "1"
    if Int.random(in: 0..<20, using: &generator) > 0 { head.fields.append("X-Id", id) }
    let body = Int.random(in: 0..<20, using: &generator) == 0 ? "{}" : "{\"id\":\(id),\"k\":\"x\"}"
    append(.call(call.number, .response(head)))
    append(.call(call.number, .end(Content(Array(body.utf8)))))
    remember(call, answered: status)
  }

  private mutating func remember(_ call: Call, answered status: Int) {
    if status == 302 { redirected.append(call) }
    if status >= 500 || status == 429 { failed.append(call.request) }
  }

  private mutating func finishAll(with status: Int, using generator: inout SeededGenerator) {
    if status < 300, Bool.random(using: &generator) {
      while let request = failed.popLast() { start(request) }
      while !redirected.isEmpty { follow(using: &generator) }
    }
    while let call = open.first {
      open.removeFirst()
      answer(call, status, using: &generator)
    }
  }

  private mutating func close() { append(.closed(Closing(events: events.count))) }

  private mutating func append(_ kind: Event.Kind) {
    events.append(Event(at: Instant(microseconds: time), kind))
  }
}
