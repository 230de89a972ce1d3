public import LaunchTrace

extension Trace {
  /// One line: `first-launch: 20 calls, 45 marks, 17.402 s, closed`, and the delay that the recorder added where that was
  /// measured.
  public var summary: String { events.summary(named: name) }
}

extension Sequence<Event> {
  /// The same of events that need not be in memory all at once.
  public func summary(named name: String) -> String {
    var calls = 0
    var marks = 0
    var last: Event?
    for event in self {
      last = event
      switch event.kind {
      case .call(_, .request): calls += 1
      case .mark: marks += 1
      case .call, .launch, .closed: break
      }
    }
    let end = (last?.at ?? .zero).seconds
    return "\(name.printable): \(calls) calls, \(marks) marks, \(end) s, " + (last.map(\.ending) ?? "cut")
  }
}

extension Event {
  /// How a trace ends whose last event this is.
  fileprivate var ending: String {
    guard case .closed(let closing) = kind else { return "cut" }
    guard let overhead = closing.overhead else { return "closed" }
    let times = [("p50", overhead.p50), ("p99", overhead.p99), ("max", overhead.max)]
      .map { "\($0) \($1.wholeMicroseconds) µs" }.joined(separator: ", ")
    return "closed, delay added by the recorder: \(times) over \(overhead.deliveries) deliveries"
  }
}

extension Instant {
  /// Seconds with three decimals, truncated: `12.345`.
  var seconds: String {
    let milliseconds = microseconds / 1000
    let fraction = String((milliseconds % 1000).magnitude)
    let sign = milliseconds < 0 ? "-" : ""
    return "\(sign)\((milliseconds / 1000).magnitude).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
  }
}
