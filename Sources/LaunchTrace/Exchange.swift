public import LaunchHTTP

/// One recorded exchange: a request and what became of it, a fold of the events with one call number.
///
/// ```swift
/// for exchange in trace.exchanges where exchange.error != nil { print(exchange.request.location) }
/// ```
public struct Exchange: Sendable {
  /// A step after the request, and when.
  public struct TimedStep: Hashable, Sendable {
    /// An instant of the trace, not counted from the request.
    public var at: Instant
    /// Any step but a request.
    public var step: Event.Step
  }

  /// The number of the call in its trace.
  public var call: Int
  public var request: Request {
    get {
      guard case .request(let request, _) = opening else { preconditionFailure("an exchange begins with its request") }
      return request
    }
    set { opening = .request(newValue) }
  }
  /// When the client handed the request over.
  public var requested: Instant
  /// In recorded order, without the request.
  public var steps: [TimedStep]
  /// The step of the request, one pointer shared with the trace.
  private var opening: Event.Step

  /// - Precondition: `opening` is the step of a request.
  init(call: Int, opening: Event.Step, requested: Instant, steps: [TimedStep]) {
    self.call = call
    self.opening = opening
    self.requested = requested
    self.steps = steps
  }

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

extension Exchange: Hashable {
  public static func == (left: Exchange, right: Exchange) -> Bool {
    left.call == right.call && left.requested == right.requested && left.request == right.request
      && left.steps == right.steps
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(call)
    hasher.combine(request)
    hasher.combine(requested)
    hasher.combine(steps)
  }
}

extension Trace {
  /// The exchanges in order of their requests. Steps of a call without a request are left out.
  /// - Complexity: O(n) in the number of events.
  public var exchanges: [Exchange] { Array(ExchangeList(events)) }
}
