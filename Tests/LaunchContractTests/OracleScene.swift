import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// One launch as the rules see it: which names occurred, in which attempts, with which outcome.
///
/// Derived from the definitions in one naive pass after another; the library has its own, streaming reading of them.
struct OracleScene {
  /// By name: marks and logical calls, in order of their starts.
  private(set) var occurrences: [String: [Occurrence]] = [:]
  /// By name: marks and attempts, in order of their starts.
  private(set) var attempts: [String: [Occurrence]] = [:]
  /// The place and time of the launch's begin.
  private(set) var begin = (position: -1, time: Int64(0))
  /// What starts here or earlier has nothing of the launch before it.
  var first: Int { max(begin.position, 0) }

  /// A mark, an attempt or a logical call. Its places are indices of events in the whole trace.
  final class Occurrence {
    enum Outcome: Equatable { case ok, failed(Int), error(TransportError.Reason), cancelled, open }

    var lo: Int
    var loTime: Int64
    var hi: Int?
    var hiTime: Int64?
    var outcome = Outcome.ok
    /// Where the last of its events stands, for marks and open calls the first.
    var events: [Int] = []
    /// All names that the event at `lo` matches.
    var names: Set<String> = []
    var mark: JSONObject?
    var request: Request?
    lazy var requestBody = request.flatMap { try? JSON(parsing: $0.body.bytes) }
    /// The last answer that came to its end.
    var answer: (status: Int, fields: Fields, body: JSON?)?
    /// The tries of a logical call, itself for an attempt; none for a mark.
    var tries: [Occurrence] = []

    init(lo: Int, time: Int64) {
      self.lo = lo
      loTime = time
    }

    /// Its first try, which decides what key it has.
    var first: Occurrence { tries.first ?? self }

    /// The last try ended with an answer.
    var isAnswered: Bool {
      if mark != nil { return true }
      return switch outcome {
      case .ok, .failed: true
      case .error, .cancelled, .open: false
      }
    }
  }

  /// A request with the steps that answer it.
  private struct Exchange {
    var number: Int
    var start: Int
    var request: Request
    var from: Int?
    var head: ResponseHead?
    var end: Int?
    var error: TransportError.Reason?
    var body: JSON?
    var events: [Int] = []

    /// Nil without one that came to its end.
    var answer: (status: Int, fields: Fields, body: JSON?)? {
      guard let head, end != nil, error == nil else { return nil }
      return (head.status, head.fields, body)
    }
  }

  /// The launches of a trace: each process start begins one and ends the one before.
  static func launches(of trace: Trace) -> [OracleScene] {
    var scenes: [OracleScene] = []
    var start = 0
    for index in trace.events.indices.dropFirst() {
      guard case .launch = trace.events[index].kind else { continue }
      let end = Event(at: trace.events[index].at, .closed(Closing(events: 0)))
      var events = Array(trace.events[..<index])
      events.append(end)
      scenes.append(OracleScene(events[start...]))
      start = index
    }
    scenes.append(OracleScene(trace.events[start...]))
    return scenes
  }

  /// `events` are those of one launch, with their places in the trace as indices.
  init(_ events: ArraySlice<Event>) {
    readPoints(events)
    let exchanges = Self.exchanges(events)
    var isStart: Set<Int> = []
    for name in OracleNames.calls {
      let tries = exchanges.indices.compactMap { index -> Occurrence? in
        let exchange = exchanges[index]
        guard OracleNames.matches(name, exchange.request) else { return nil }
        // A hop is a call of this name only when nothing before it in its chain was one.
        var previous = exchange.from
        if name == "calls", previous != nil { return nil }
        while let number = previous, let hop = exchanges.first(where: { $0.number == number }) {
          if OracleNames.matches(name, hop.request) { return nil }
          previous = hop.from
        }
        return Self.attempt(name, from: exchange, exchanges, events)
      }
      guard !tries.isEmpty else { continue }
      isStart.formUnion(tries.map(\.lo))
      attempts[name] = tries
      occurrences[name] = Self.grouped(name, tries)
    }
  }

  private mutating func readPoints(_ events: ArraySlice<Event>) {
    if let first = events.first, case .launch = first.kind { begin = (events.startIndex, first.at.microseconds) }
    if !events.isEmpty { add(point(begin.position, begin.time, [:], ["launch.begin"])) }
    for (index, event) in zip(events.indices, events) {
      switch event.kind {
      case .mark(let mark):
        add(
          point(index, event.at.microseconds, mark.fields, OracleNames.marks.filter { OracleNames.matches($0, mark) }))
      case .closed:
        add(point(index, event.at.microseconds, [:], ["launch.end"]))
      default: continue
      }
    }
  }

  private mutating func add(_ occurrence: Occurrence) {
    for name in occurrence.names {
      occurrences[name, default: []].append(occurrence)
      attempts[name, default: []].append(occurrence)
    }
  }

  private func point(_ position: Int, _ time: Int64, _ fields: JSONObject, _ names: [String]) -> Occurrence {
    let occurrence = Occurrence(lo: position, time: time)
    (occurrence.hi, occurrence.hiTime, occurrence.mark) = (position, time, fields)
    occurrence.events = [position]
    occurrence.names = Set(names)
    return occurrence
  }

  private static func exchanges(_ events: ArraySlice<Event>) -> [Exchange] {
    var exchanges: [Exchange] = []
    for (index, event) in zip(events.indices, events) {
      guard case .call(let number, let step) = event.kind else { continue }
      if case .request(let request, let from) = step {
        exchanges.append(Exchange(number: number, start: index, request: request, from: from))
      }
      guard let place = exchanges.firstIndex(where: { $0.number == number }) else { continue }
      exchanges[place].events.append(index)
      switch step {
      case .response(let head): exchanges[place].head = head
      case .end(let content):
        exchanges[place].end = index
        exchanges[place].body = try? JSON(parsing: content.body.bytes)
      case .error(let error, _): (exchanges[place].end, exchanges[place].error) = (index, error.reason)
      default: continue
      }
    }
    return exchanges
  }

  /// The attempt that begins with `first` and goes on over the redirects that follow it.
  private static func attempt(
    _ name: String, from first: Exchange, _ exchanges: [Exchange], _ events: ArraySlice<Event>
  ) -> Occurrence {
    var last = first
    var places = first.events
    var answer = first.answer
    while let hop = exchanges.first(where: { $0.from == last.number }) {
      last = hop
      places += hop.events
      answer = hop.answer ?? answer
    }
    let attempt = Occurrence(lo: first.start, time: events[first.start].at.microseconds)
    attempt.hi = last.end
    attempt.hiTime = last.end.map { events[$0].at.microseconds }
    attempt.request = first.request
    attempt.events = places
    attempt.names = Set(OracleNames.calls.filter { OracleNames.matches($0, first.request) })
    attempt.tries = [attempt]
    attempt.outcome = outcome(name, last)
    attempt.answer = answer
    return attempt
  }

  private static func outcome(_ name: String, _ exchange: Exchange) -> Occurrence.Outcome {
    guard exchange.end != nil else { return .open }
    switch (exchange.error, exchange.head?.status) {
    case (.cancelled?, _): return .cancelled
    case (let reason?, _): return .error(reason)
    case (nil, nil): return .error(.protocol)
    case (nil, let status?): return OracleNames.isOK(name, status) ? .ok : .failed(status)
    }
  }

  /// Attempts of equal calls, each after one that ended retryably; the one that ended first is retried first.
  private static func grouped(_ name: String, _ attempts: [Occurrence]) -> [Occurrence] {
    var groups: [[Occurrence]] = []
    for attempt in attempts {
      let key = OracleNames.attemptKey(name, attempt.request)
      let waiting = groups.indices.filter { index in
        guard let last = groups[index].last, let hi = last.hi, isRetryable(last) else { return false }
        return hi < attempt.lo && OracleNames.attemptKey(name, last.request) == key
      }
      if let index = waiting.min(by: { (groups[$0].last?.hi ?? 0) < (groups[$1].last?.hi ?? 0) }) {
        groups[index].append(attempt)
      } else {
        groups.append([attempt])
      }
    }
    return groups.map(logicalCall)
  }

  private static func isRetryable(_ attempt: Occurrence) -> Bool {
    switch attempt.outcome {
    case .error: true
    case .failed(let status): status >= 500 || [408, 425, 429].contains(status)
    case .ok, .cancelled, .open: false
    }
  }

  private static func logicalCall(_ tries: [Occurrence]) -> Occurrence {
    let (first, last) = (tries[0], tries[tries.count - 1])
    let call = Occurrence(lo: first.lo, time: first.loTime)
    (call.hi, call.hiTime, call.outcome) = (last.hi, last.hiTime, last.outcome)
    (call.names, call.request) = (first.names, last.request)
    call.answer = tries.last { $0.answer != nil }?.answer
    call.tries = tries
    call.events = tries.flatMap(\.events)
    return call
  }
}

/// The names that random rules are about, and what they mean. The same as in `declarations`, said once more.
enum OracleNames {
  static let declarations = """
    contract "random" version 1
    mark m = "m" key mark.k
    mark n = "n" key mark.k
    mark o = "seen" or "shown" where mark.v >= 2 key mark.k
    call a = POST https://{h,spare}.test/a key header."X-Key" order body.seq
    call b = POST https://h.test/b ok 2xx, 409 attempts by form.try key form.k order form.seq
    call c = GET https://*.test/c/* where query.q exists key query.k order query.seq

    """

  static let marks = ["m", "n", "o"]
  static let calls = ["a", "b", "c", "calls"]

  static func key(of name: String) -> OracleField? {
    switch name {
    case "m", "n", "o": OracleField(.mark, ["k"])
    case "a": OracleField(.header, ["X-Key"])
    case "b": OracleField(.form, ["k"])
    case "c": OracleField(.query, ["k"])
    default: nil
    }
  }

  static func order(of name: String) -> OracleField? {
    switch name {
    case "a": OracleField(.body, ["seq"])
    case "b": OracleField(.form, ["seq"])
    case "c": OracleField(.query, ["seq"])
    default: nil
    }
  }

  static func matches(_ name: String, _ mark: Mark) -> Bool {
    if name != "o" { return mark.name == name }
    guard mark.name == "seen" || mark.name == "shown", case .integer(let v)? = mark.fields["v"] else { return false }
    return v >= 2
  }

  static func matches(_ name: String, _ request: Request) -> Bool {
    let location = request.location
    let parts = location.path.split(separator: "/", omittingEmptySubsequences: false)
    switch name {
    case "calls": return true
    case "a":
      return request.method == "POST" && ["h.test", "spare.test"].contains(location.host) && location.path == "/a"
    case "b": return request.method == "POST" && location.host == "h.test" && location.path == "/b"
    case "c":
      return request.method == "GET" && location.host.hasSuffix(".test") && parts.count == 3 && parts[1] == "c"
        && !parts[2].isEmpty && OracleField(.query, ["q"]).value(of: request) != nil
    default: return false
    }
  }

  static func isOK(_ name: String, _ status: Int) -> Bool {
    200...299 ~= status || name == "b" && status == 409
  }

  /// What the attempts of one logical call have in common.
  static func attemptKey(_ name: String, _ request: Request?) -> String {
    guard let request else { return "" }
    if name == "b", let value = OracleField(.form, ["try"]).value(of: request) { return "try \(value)" }
    if let key = request.fields["Idempotency-Key"] { return "key \(key)" }
    let query = (request.location.query ?? "").split(separator: "&").sorted().joined(separator: "&")
    let body = String(decoding: request.body.bytes, as: UTF8.self)
    return "\(request.method) \(request.location.path) \(query) \(body)"
  }
}
