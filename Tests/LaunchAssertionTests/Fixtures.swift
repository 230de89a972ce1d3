import LaunchTrace

/// Traces for `contracts/order.contract` beside these tests.
enum Fixtures {
  static let kept = trace("ATT answered", "start adjust initialization", "home")
  static let broken = trace("start adjust initialization", "ATT answered", "home")
  static let idle = trace("ATT answered", "home")

  private static func trace(_ marks: String...) -> Trace {
    let events = marks.enumerated().map { index, name in
      Event(at: Instant(microseconds: Int64(index) * 1000), .mark(Mark(name)))
    }
    let closing = Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count)))
    return Trace(name: "fixture", events: events + [closing])
  }
}
