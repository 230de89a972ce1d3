public import LaunchHTTP
public import LaunchTrace

/// One recorded exchange: a request and what became of it, gathered from a trace's events.
public struct Exchange: Hashable, Sendable {
  /// A step after the request, and when.
  public struct TimedStep: Hashable, Sendable {
    public var at: Instant
    public var step: Event.Step
  }

  /// The number of the call in its trace.
  public var call: Int
  public var request: Request
  public var requested: Instant
  /// In recorded order, without the request.
  public var steps: [TimedStep]

  /// The exchanges of `trace` in the order of their requests. Steps of a call without a request are left out.
  public static func exchanges(of trace: Trace) -> [Exchange] {
    var exchanges: [Exchange] = []
    var indices: [Int: Int] = [:]
    for event in trace.events {
      guard case .call(let call, let step) = event.kind else { continue }
      if case .request(let request, _) = step {
        indices[call] = exchanges.count
        exchanges.append(Exchange(call: call, request: request, requested: event.at, steps: []))
      } else if let index = indices[call] {
        exchanges[index].steps.append(TimedStep(at: event.at, step: step))
      }
    }
    return exchanges
  }

  /// Whether a response or an error ended it; not so for the last calls of a cut recording.
  public var isEnded: Bool {
    switch steps.last?.step {
    case .end, .error: true
    default: false
    }
  }

  /// When the last byte of the request had left; nil when that was not recorded.
  var sent: Instant? {
    for timed in steps {
      if case .sent = timed.step { return timed.at }
    }
    return nil
  }

  /// The connection and when it was ready.
  var connection: (connection: Connection, at: Instant)? {
    for timed in steps {
      if case .connection(let connection) = timed.step { return (connection, timed.at) }
    }
    return nil
  }
}
