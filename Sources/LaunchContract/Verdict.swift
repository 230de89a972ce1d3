/// What a trace says about a rule.
public enum Verdict: Hashable, Sendable {
  /// Kept by a closed trace, or by a cut one in such a way that no continuation can break it.
  case holds
  /// Broken, and no continuation can repair it.
  case broken
  /// The trace is cut, and how it goes on decides. `Leaning` is the verdict had it ended here.
  case open(leaning: Leaning)
  /// Kept only because nothing ever exercised it.
  case idle
  /// The order of events that the trace does not order decides, as its times are too close: see `TraceOrder`.
  case unordered

  /// The verdict there would be had the trace ended where it was cut.
  public enum Leaning: String, Hashable, Sendable {
    case kept, broken
  }
}

extension Verdict: CustomStringConvertible {
  public var description: String {
    switch self {
    case .holds: "HOLDS"
    case .broken: "BROKEN"
    case .open(let leaning): "OPEN, leaning \(leaning.rawValue)"
    case .idle: "IDLE"
    case .unordered: "UNORDERED"
    }
  }
}
