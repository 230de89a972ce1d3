/// One launch: events in recorded order. The order of the list, not the clock, decides ties.
public struct Trace: Hashable, Sendable {
  public var name: String
  public var events: [Event]

  public init(name: String, events: [Event] = []) {
    self.name = name
    self.events = events
  }

  /// Whether the recording ended in order. A cut trace may have lost its tail.
  public var isClosed: Bool {
    if case .closed = events.last?.kind { true } else { false }
  }

  /// The last recorded time; zero for an empty trace.
  public var end: Instant { events.last?.at ?? .zero }
}
