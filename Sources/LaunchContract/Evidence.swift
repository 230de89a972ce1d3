import LaunchHTTP
import LaunchJSON
package import LaunchTrace

extension WitnessEvent {
  /// The start or the end of an occurrence under the name the rule calls it by.
  init(_ occurrence: Occurrence, _ moment: Side.Moment, _ label: String, remark: String) {
    let point = (moment == .end ? occurrence.end : nil) ?? occurrence.start
    self.init(
      position: point.position, at: point.at, name: label, what: occurrence.text(moment), remark: remark)
  }
}

extension Occurrence {
  /// `POST /session starts`, `POST /session answered 500`, `{status: 2}`. A call that the rule does not name has its host,
  /// too: nothing else says whose it is.
  fileprivate func text(_ moment: Side.Moment) -> String {
    switch subject {
    case .launch: ""
    case .mark(let fields) where fields.isEmpty: ""
    case .mark(let fields):
      "{" + fields.members.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ") + "}"
    case .call(let method, let host, let path):
      "\(method) \(name == Names.everyCall ? host : "")\(Self.shortened(path)) "
        + (moment == .start ? "starts" : result)
    }
  }

  /// The path with long identifiers cut, so that a line stays readable: `/users/4e208705…/tags`.
  private static func shortened(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.count > 20 ? $0.prefix(8) + "…" : $0 }.joined(separator: "/")
  }

  private var result: String {
    switch outcome {
    case .ok: status.map { "answered \($0)" } ?? "ends"
    case .failed(let status): "answered \(status)"
    case .error(let reason): "failed: \(reason.rawValue)"
    case .cancelled: "cancelled"
    case .open: "open"
    }
  }

  /// How it ended and when, for a near miss: `answered 500 at 0.960 s`.
  var fate: String {
    guard let end else { return "never ended" }
    if case .call = subject {
      return "\(result) at \(Span.clock(end.at))" + (attempts > 1 ? " after \(attempts) attempts" : "")
    }
    return "at \(Span.clock(end.at))"
  }

  /// `2 attempts`, so that a retry counted as one call is visible; empty for one.
  var attemptNote: String { attempts > 1 ? "\(attempts) attempts, one call" : "" }

  /// Whether it was going on at `point`.
  func isOpen(at point: Point) -> Bool {
    start.precedes(point) && (end.map { point.precedes($0) } ?? true)
  }
}

extension [Occurrence] {
  /// Replaces the occurrence of the same id, if it is here.
  mutating func update(_ occurrence: Occurrence) {
    if let index = firstIndex(where: { $0.id == occurrence.id }) { self[index] = occurrence }
  }
}

/// Times as messages show them, from whole microseconds and without rounding.
package enum Span {
  /// `852 ms`, `1.5 ms`, `400 us`, `5 s`, `5001 ms`, `12.002 s`.
  package static func text(_ microseconds: Int64) -> String {
    switch microseconds.magnitude {
    case 0: "0 ms"
    case ..<1000: "\(microseconds) us"
    case 1_000_000...9_999_999 where microseconds % 1_000_000 == 0: "\(microseconds / 1_000_000) s"
    case ..<10_000_000: decimal(microseconds, unit: 1000, places: 3) + " ms"
    default: decimal(microseconds, unit: 1_000_000, places: 6) + " s"
    }
  }

  /// `0.060 s`: a moment of the trace, in milliseconds, truncated.
  package static func clock(_ instant: Instant) -> String {
    let milliseconds = instant.microseconds / 1000
    let digits = String(milliseconds.magnitude % 1000)
    let fraction = String(repeating: "0", count: 3 - digits.count) + digits
    return "\(milliseconds < 0 ? "-" : "")\(milliseconds.magnitude / 1000).\(fraction) s"
  }

  private static func decimal(_ value: Int64, unit: UInt64, places: Int) -> String {
    let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: unit)
    let sign = value < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    var digits = String(rest)
    digits = String(repeating: "0", count: places - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }
}
