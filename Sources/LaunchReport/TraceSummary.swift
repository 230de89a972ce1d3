public import LaunchTrace

extension Trace {
  /// One line: `first-launch: 20 calls, 45 marks, 17.402 s, closed`, and the delay that the recorder added where that was
  /// measured.
  public var summary: String {
    var calls = 0
    var marks = 0
    for event in events {
      switch event.kind {
      case .call(_, .request): calls += 1
      case .mark: marks += 1
      case .call, .launch, .closed: break
      }
    }
    return
      "\(name.printable): \(calls) calls, \(marks) marks, \(end.seconds) s, \(isClosed ? "closed" : "cut")\(overhead)"
  }

  private var overhead: String {
    guard case .closed(let closing) = events.last?.kind, let overhead = closing.overhead else { return "" }
    let times = [("p50", overhead.p50), ("p99", overhead.p99), ("max", overhead.max)]
      .map { "\($0) \($1.wholeMicroseconds) µs" }.joined(separator: ", ")
    return ", delay added by the recorder: \(times) over \(overhead.deliveries) deliveries"
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
