public import LaunchHTTP

/// One recorded exchange: a request and what became of it, a fold of the events with one call number.
///
/// ```swift
/// for exchange in trace.exchanges where exchange.error != nil { print(exchange.request.location) }
/// ```
public struct Exchange: Hashable, Sendable {
  /// A step after the request, and when.
  public struct TimedStep: Hashable, Sendable {
    /// An instant of the trace, not counted from the request.
    public var at: Instant
    /// Any step but a request.
    public var step: Event.Step
  }

  /// The number of the call in its trace.
  public var call: Int
  public var request: Request
  /// When the client handed the request over.
  public var requested: Instant
  /// In recorded order, without the request.
  public var steps: [TimedStep]

  /// The connection and when it was ready.
  public var connection: (connection: Connection, at: Instant)? {
    first { if case .connection(let connection) = $0.step { (connection, $0.at) } else { nil } }
  }

  /// When the last byte of the request had left; nil when that was not recorded.
  public var sent: Instant? {
    first { if case .sent = $0.step { $0.at } else { nil } }
  }

  /// The head of the final response and when it arrived.
  public var response: (head: ResponseHead, at: Instant)? {
    first { if case .response(let head) = $0.step { (head, $0.at) } else { nil } }
  }

  /// Why it failed; nil for a complete or an open one.
  public var error: TransportError? {
    if case .error(let error, _) = steps.last?.step { error } else { nil }
  }

  /// When a response or an error ended it; nil for the last calls of a cut recording.
  public var end: Instant? {
    switch steps.last?.step {
    case .end, .error: steps.last?.at
    default: nil
    }
  }

  private func first<Value>(_ match: (TimedStep) -> Value?) -> Value? {
    for step in steps {
      if let value = match(step) { return value }
    }
    return nil
  }
}

extension Trace {
  /// The exchanges in order of their requests. Steps of a call without a request are left out.
  /// - Complexity: O(n) in the number of events.
  public var exchanges: [Exchange] {
    var exchanges: [Exchange] = []
    // Calls count from 1 in order of their requests; only those of an edited recording have to be looked up.
    var oddIndices: [Int: Int] = [:]
    for index in events.indices {
      guard case .call(let call, let step) = events[index].kind else { continue }
      let at = events[index].at
      if case .request(let request, _) = step {
        if call != exchanges.count + 1 || !oddIndices.isEmpty { oddIndices[call] = exchanges.count }
        exchanges.append(Exchange(call: call, request: request, requested: at, steps: []))
        // Connection, sent, response, chunk, end.
        exchanges[exchanges.count - 1].steps.reserveCapacity(5)
      } else {
        let index = oddIndices[call] ?? call &- 1
        guard exchanges.indices.contains(index), exchanges[index].call == call else { continue }
        exchanges[index].steps.append(Exchange.TimedStep(at: at, step: step))
      }
    }
    return exchanges
  }
}
