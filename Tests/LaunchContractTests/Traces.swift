import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Builds a trace step by step, times in milliseconds.
struct TraceBuilder {
  private(set) var events: [Event] = []
  private var calls = 0

  mutating func mark(_ name: String, at milliseconds: Int64, fields: Mark = Mark("")) {
    append(.mark(Mark(name, fields.fields)), at: milliseconds)
  }

  /// A mark that also tells what the wall clock said.
  mutating func mark(_ name: String, at milliseconds: Int64, wall: JSON) {
    events.append(
      Event(at: Instant(microseconds: milliseconds * 1000), .mark(Mark(name)), unknown: JSONObject([("wall", wall)])))
  }

  /// Starts a call and returns its number.
  mutating func start(
    _ method: String, _ url: String, body: String = "", fields: Fields = [:], at milliseconds: Int64, from: Int? = nil
  ) -> Int {
    calls += 1
    let location = (try? Location(parsing: url)) ?? Location(scheme: "https", host: "unreadable.test")
    let request = Request(method: method, location: location, fields: fields, body: Array(body.utf8))
    append(.call(calls, .request(request, from: from)), at: milliseconds)
    return calls
  }

  mutating func answer(_ call: Int, _ status: Int, at milliseconds: Int64) {
    append(.call(call, .response(ResponseHead(status: status))), at: milliseconds)
    append(.call(call, .end(Content())), at: milliseconds)
  }

  mutating func fail(_ call: Int, _ reason: TransportError.Reason, at milliseconds: Int64) {
    append(.call(call, .error(TransportError(reason, during: .response), Content())), at: milliseconds)
  }

  mutating func launch(_ number: Int, at milliseconds: Int64) { append(.launch(number), at: milliseconds) }

  mutating func append(_ kind: Event.Kind, at milliseconds: Int64) {
    events.append(Event(at: Instant(microseconds: milliseconds * 1000), kind))
  }

  /// The trace so far, with its closing line unless it is cut.
  func trace(isClosed: Bool = true) -> Trace {
    var events = events
    if isClosed {
      events.append(Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count))))
    }
    return Trace(name: "test", events: events)
  }

  static func make(_ build: (inout TraceBuilder) -> Void) -> TraceBuilder {
    var builder = TraceBuilder()
    build(&builder)
    return builder
  }
}

extension Contract {
  /// A contract of one rule over the names that the tests use.
  static func rule(_ rule: String, tolerance: String = "") throws -> Contract {
    try Contract(parsing: header + tolerance + "\n" + rule + "\n", file: "test.contract")
  }

  static let header = """
    contract "test" version 1
    mark att = "ATT answered"
    mark adjust.init = "start adjust initialization"
    mark paywall.shown, unpause, m, n
    call fetch = GET https://api.adapty.io/api/v1/paywall/**
    call tags = PATCH https://api.onesignal.com/apps/*/users/*
    call a = POST https://h.test/a
    call b = POST https://h.test/b ok 2xx, 409

    """
}

extension Trace {
  /// The verdict of one rule.
  func verdict(on rule: String, tolerance: String = "") throws -> Verdict {
    try report(on: rule, tolerance: tolerance).verdict
  }

  func report(on rule: String, tolerance: String = "") throws -> RuleReport {
    let reports = try Contract.rule(rule, tolerance: tolerance).reports(on: self)
    return reports[0]
  }
}
