import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchReport
import LaunchTrace
import Testing

/// A launch on one line, so that a table shows it beside the verdict: things between bars, times in milliseconds.
///
/// - `m 3`, `m{"status":2} 3`: a mark, with its fields. `launch 0` and `end 9` are the two ends; without an `end` the
///   launch is closed at its last event.
/// - `a{"x":1} 1-2 200{"y":1}`: `POST https://h.test/a` with a body, from 1 to 2, answered 200 with a body. `503+2` asks
///   to wait 2 s. `1-2 reset` fails, `1-` never ends, `a(k)` sends the header `X-Try: k`.
/// - `…` at the end cuts the launch off.
///
/// Of things at one time the one that stands first on the line comes first; a call's answer stands where the call does.
struct Sketch {
  private var events: [Event] = []
  private var calls = 0
  private var isCut = false

  static func trace(_ line: String) -> Trace {
    var sketch = Sketch()
    for part in line.split(separator: "|") {
      let words = part.split(separator: " ").map(String.init)
      if words == ["…"] { sketch.isCut = true } else if !words.isEmpty { sketch.add(words) }
    }
    return sketch.trace
  }

  private var trace: Trace {
    var events = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    if !isCut {
      let end = events.last?.at ?? .zero
      events.removeAll { if case .mark(let mark) = $0.kind { mark.name == "end" } else { false } }
      events.append(Event(at: end, .closed(Closing(events: events.count))))
    }
    return Trace(name: "sketch", events: events)
  }

  private mutating func add(_ words: [String]) {
    let name = String(words[0].prefix { $0 != "{" && $0 != "(" })
    let body = String(words[0].drop { $0 != "{" })
    let times = words[1].split(separator: "-", omittingEmptySubsequences: false).compactMap { Int64($0) }
    guard words[1].contains("-") else { return addMoment(name, body, times[0]) }
    calls += 1
    append(.call(calls, .request(request(words[0], name, body))), times[0])
    if times.count > 1, words.count > 2 { addEnd(words[2], times[1]) }
  }

  private mutating func addMoment(_ name: String, _ body: String, _ time: Int64) {
    let fields = (try? JSON(parsing: body))?.object ?? [:]
    append(name == "launch" ? .launch(1) : .mark(Mark(name, fields)), time)
  }

  private func request(_ word: String, _ name: String, _ body: String) -> Request {
    let attempt =
      word.dropFirst(name.count).hasPrefix("(") ? String(word.dropFirst(name.count + 1).prefix { $0 != ")" }) : nil
    return Request(
      method: "POST", location: Location(scheme: "https", host: "h.test", path: "/" + name),
      fields: attempt.map { ["X-Try": $0] } ?? [:], body: Array(body.utf8))
  }

  private mutating func addEnd(_ answer: String, _ time: Int64) {
    guard let status = Int(answer.prefix(3)) else {
      let reason = TransportError.Reason(rawValue: answer) ?? .reset
      return append(.call(calls, .error(TransportError(reason, during: .response), Content())), time)
    }
    let rest = answer.dropFirst(3)
    let wait = rest.hasPrefix("+") ? String(rest.dropFirst()) : nil
    append(.call(calls, .response(ResponseHead(status: status, fields: wait.map { ["Retry-After": $0] } ?? [:]))), time)
    append(.call(calls, .end(Content(Array((wait == nil ? rest : "").utf8)))), time)
  }

  private mutating func append(_ kind: Event.Kind, _ milliseconds: Int64) {
    events.append(Event(at: Instant(microseconds: milliseconds * 1000), kind))
  }
}

/// One line of a table: what a rule says about a sketched launch.
struct Row: Sendable, CustomStringConvertible {
  var rule: String
  var launch: String
  var verdict: Verdict

  init(_ rule: String, _ launch: String, _ verdict: Verdict) {
    self.rule = rule
    self.launch = launch
    self.verdict = verdict
  }

  static let keeps = Verdict.open(leaning: .kept)
  static let breaks = Verdict.open(leaning: .broken)

  var description: String { "\(rule) on \(launch)" }

  /// The rule's report on the launch.
  func report() throws -> RuleReport { try Self.contract(rule).reports(on: Sketch.trace(launch))[0] }

  /// Expects the verdict, a short witness in order, and that the rule is known to be broken at the very event that does
  /// it.
  func check(_ location: SourceLocation = #_sourceLocation) throws {
    var monitor = Monitor(try Self.contract(rule))
    var isBroken = false
    for (index, event) in Sketch.trace(launch).events.enumerated() {
      if monitor.step(event) { isBroken = true }
      let verdict = monitor.finish()[0].verdict
      #expect((verdict == .broken) == isBroken, "\(verdict) at event \(index)", sourceLocation: location)
    }
    let report = monitor.finish()[0]
    #expect(report.verdict == verdict, "\(report)", sourceLocation: location)
    #expect(report.witness.count <= 5, sourceLocation: location)
    #expect(report.witness.map(\.position) == report.witness.map(\.position).sorted(), sourceLocation: location)
  }

  /// What the report for people tells when something is wrong.
  func story() throws -> String {
    TextReport(try Self.contract(rule).verification(of: Sketch.trace(launch))).failures
  }

  /// A contract of one rule over the names of sketches.
  static func contract(_ rule: String) throws -> Contract {
    try Contract(parsing: header + rule + "\n", file: "sketch.contract")
  }

  private static let header = """
    contract "sketch" version 1
    mark m, n, p
    call a = POST https://h.test/a
    call b = POST https://h.test/b ok 2xx, 409
    call c = POST https://h.test/c attempts by body.id

    """
}
