public import LaunchJSON

/// One launch: events in recorded order. The order of the list, not the clock, decides ties, unless `order` says that the
/// list was made from times.
///
/// ```swift
/// let start = Event(at: .zero, .launch(1))
/// let trace = Trace(name: "by hand", events: [start, Event(at: .zero + .seconds(2), .mark(Mark("paywall shown")))])
/// trace.isClosed  // false: it has no closing event
/// trace.end       // 2 seconds after the beginning
/// ```
public struct Trace: Hashable, Sendable {
  /// What reports call it: the name of its cassette, `first-launch`.
  public var name: String
  /// In recorded order. A closing event, where there is one, is the last; nothing here checks it.
  public var events: [Event]
  /// What the order of the events is worth.
  public var order: TraceOrder

  public init(name: String, events: [Event] = [], order: TraceOrder = .recorded) {
    self.name = name
    self.events = events
    self.order = order
  }

  /// Whether the recording ended in order. A cut trace may have lost its tail.
  public var isClosed: Bool {
    if case .closed = events.last?.kind { true } else { false }
  }

  /// The last recorded time; zero for an empty trace.
  public var end: Instant { events.last?.at ?? .zero }

  /// The pseudonyms by kind that its closing event lists; empty for a cut trace.
  public var pseudonyms: JSONObject {
    if case .closed(let closing) = events.last?.kind { closing.redacted } else { [:] }
  }
}
