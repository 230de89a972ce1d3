public import LaunchHTTP

/// One call read back from its events: a fold, never stored.
///
/// ```swift
/// for exchange in trace.exchanges where exchange.error != nil { … }
/// ```
public struct Exchange: Sendable {
  /// The number the call's events carry.
  public let call: Int
  public let request: Request
  /// The call whose redirect this one follows.
  public let from: Int?
  /// When the client handed the request over.
  public let start: Instant
  public private(set) var connection: Connection?
  public private(set) var connected: Instant?
  /// When the last byte of the request had left.
  public private(set) var sent: Instant?
  public private(set) var informational: [(at: Instant, head: ResponseHead)] = []
  public private(set) var head: ResponseHead?
  /// When the head of the final response arrived.
  public private(set) var responded: Instant?
  /// How many content bytes arrived when, in order.
  public private(set) var chunks: [(at: Instant, bytes: Int)] = []
  /// The content of a finished exchange, or what had arrived when it failed.
  public private(set) var content: Content?
  public private(set) var error: TransportError?
  /// When the exchange ended or failed; nil while it is open.
  public private(set) var end: Instant?

  init(call: Int, request: Request, from: Int?, start: Instant) {
    self.call = call
    self.request = request
    self.from = from
    self.start = start
  }

  mutating func step(_ step: Event.Step, at instant: Instant) {
    switch step {
    case .request: break
    case .connection(let connection): (self.connection, connected) = (connection, instant)
    case .sent: sent = instant
    case .informational(let head): informational.append((instant, head))
    case .response(let head): (self.head, responded) = (head, instant)
    case .chunk(let bytes): chunks.append((instant, bytes))
    case .end(let content): (self.content, end) = (content, instant)
    case .error(let error, let content): (self.error, self.content, end) = (error, content, instant)
    }
  }
}

extension Trace {
  /// The calls of the trace in order of their requests. Steps of a call without a request are left out.
  /// - Complexity: O(n) in the number of events.
  public var exchanges: [Exchange] {
    var exchanges: [Exchange] = []
    var places: [Int: Int] = [:]
    for event in events {
      guard case .call(let call, let step) = event.kind else { continue }
      if case .request(let request, let from) = step {
        places[call] = exchanges.count
        exchanges.append(Exchange(call: call, request: request, from: from, start: event.at))
      } else if let place = places[call] {
        exchanges[place].step(step, at: event.at)
      }
    }
    return exchanges
  }
}
