import LaunchHTTP
import LaunchTrace

/// The connections of one replay: it opens one where none to the origin is idle, as a client does.
struct Connections: Sendable {
  /// A connection for one exchange, and what the recording took for it.
  struct Use: Sendable {
    var connection: Connection
    /// From the request until the connection is ready; zero for one that was open.
    var ready: Duration
    /// From the request until it has been sent.
    var sent: Duration
    fileprivate var origin: Fingerprint
  }

  private let openings: Openings
  /// Those that a request can take, the one used last at the end.
  private var idle: [Fingerprint: [Connection]] = [:]
  private var lastID = 0

  init(_ openings: Openings) { self.openings = openings }

  /// The connection for a request that `exchange` answers; nil when the recording tells of none.
  ///
  /// A new one takes the time it took in the recording: for this exchange, or the first time to this origin. Where no
  /// recorded exchange had to open one, it was open before the recording began, and so it is in the replay.
  mutating func take(for exchange: Exchange) -> Use? {
    guard let recorded = exchange.connection?.connection else { return nil }
    let origin = exchange.request.location.originFingerprint
    if var connection = idle[origin]?.popLast() {
      connection.reuse()
      // HTTP/2 carries any number of exchanges at once.
      if connection.version == .http2 { idle[origin]?.append(connection) }
      return Use(connection: connection, ready: .zero, sent: .zero, origin: origin)
    }
    lastID += 1
    var use =
      exchange.opening ?? openings.first[origin]
      ?? Use(connection: recorded, ready: .zero, sent: .zero, origin: origin)
    use.connection.id = lastID
    return use
  }

  /// Takes note that a new connection is open: it is ready for others at once when it is one for many, and otherwise when the exchange has ended.
  mutating func open(_ use: Use) {
    if use.connection.version == .http2 {
      idle[use.origin, default: []].append(use.connection)
    }
  }

  /// Gives back the connection of an exchange that ended well.
  mutating func giveBack(_ use: Use, after exchange: Exchange) {
    if use.connection.version != .http2, exchange.keepsConnection {
      idle[use.origin, default: []].append(use.connection)
    }
  }
}

/// The first connection that a recording opened to each origin.
struct Openings: Sendable {
  fileprivate private(set) var first: [Fingerprint: Connections.Use] = [:]

  init(_ exchanges: ExchangeList) {
    for index in exchanges.indices where exchanges.opensConnection(for: index) {
      guard let opening = exchanges[index].opening, first[opening.origin] == nil else { continue }
      first[opening.origin] = opening
    }
  }

  /// From a request until it has left, where a connection has to be opened for it.
  func setUp(of exchange: Exchange) -> Duration {
    guard exchange.connection != nil else { return .zero }
    return (exchange.opening ?? first[exchange.request.location.originFingerprint])?.sent ?? .zero
  }
}

extension Exchange {
  /// The connection that was opened for this exchange; nil when there is none or it was open already.
  fileprivate var opening: Connections.Use? {
    guard let (connection, at) = connection, !connection.isReused else { return nil }
    let ready = max(.zero, at - requested)
    let sent = sent.map { max(ready, $0 - requested) } ?? ready
    return Connections.Use(connection: connection, ready: ready, sent: sent, origin: request.location.originFingerprint)
  }

  /// Whether the next request can use the connection (RFC 9112 section 9.3).
  fileprivate var keepsConnection: Bool {
    guard let head = response?.head else { return false }
    var options: [String] = []
    for field in head.fields where field.name.equalsIgnoringCase("Connection") {
      options += field.value.split(separator: ",").map { String($0.filter { $0 != " " }).lowercasedASCII }
    }
    return head.version == .http10 ? options.contains("keep-alive") : !options.contains("close")
  }
}

extension Connection {
  fileprivate mutating func reuse() {
    isReused = true
    (dns, connect, tls) = (nil, nil, nil)
  }
}
