/// Sends requests: libcurl, a replay, a stand-in, or a tap around one of them.
///
/// ```swift
/// let response = try await transport.response(to: request)
/// ```
public protocol Transport: Sendable {
  /// Sends `request` and delivers what happens into `sink`, in order, on the thread where it happens.
  ///
  /// Deliveries of one exchange never overlap. The last one is `.end` or `.failed`; the error thrown is the one
  /// delivered. A transport calls `sink.flush()` after each group of deliveries that arrived together, and always
  /// before it suspends or returns. Cancelling the task stops the transfer at once and delivers
  /// `.failed` with the reason `cancelled`.
  /// - Throws: `TransportError` when no complete response arrived. A response with any status is no error.
  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError)
}

/// Takes what a transport delivers for one exchange.
///
/// ```swift
/// final class StatusPrinter: TransportSink {
///   func receive(_ delivery: Delivery) {
///     if case .head(let head) = delivery { print(head.status) }
///   }
/// }
/// ```
public protocol TransportSink: AnyObject, Sendable {
  /// Takes the next delivery. Called synchronously: must not block and must not call back into the transport.
  func receive(_ delivery: Delivery)
  /// Passes on what `receive` may have held back.
  func flush()
}

extension TransportSink {
  /// Does nothing, for a sink that holds nothing back.
  public func flush() {}
}

/// What a transport tells about an exchange, in this order: at most one `connection`, one `sent`, any number of
/// `informational`, one `head`, any number of `chunk`, then `end`; `failed` may come at any point and ends it.
public enum Delivery: Hashable, Sendable {
  /// The connection the exchange uses, opened for it or used before.
  case connection(Connection)
  /// The last byte of the request has left.
  case sent
  /// A 1xx head; the final one still comes.
  case informational(ResponseHead)
  /// The head of the final response.
  case head(ResponseHead)
  /// The next content.
  case chunk(Chunk)
  /// The response is complete.
  case end(Ending)
  /// No complete response comes, and why.
  case failed(TransportError)
}

/// Content bytes that arrived together.
public struct Chunk: Hashable, Sendable {
  /// The bytes with transfer coding undone and content encoding as on the wire.
  public var wire: ArraySlice<UInt8>
  /// The same bytes with the content encoding undone as far as they go; equal to `wire` when there is none or it
  /// cannot be undone. May be empty while a decoder waits for more.
  public var content: ArraySlice<UInt8>

  /// Content and its wire form; nil says that they are the same.
  public init(_ content: [UInt8], wire: [UInt8]? = nil) { self.init(content[...], wire: wire?[...]) }

  /// The same with parts of larger arrays, which are kept alive and not copied.
  public init(_ content: ArraySlice<UInt8>, wire: ArraySlice<UInt8>? = nil) {
    self.content = content
    self.wire = wire ?? content
  }
}

/// How a complete response ended.
public struct Ending: Hashable, Sendable {
  /// The fields behind the content; empty when there are none.
  public var trailers: Fields
  /// The content encoding that was undone (`gzip`, `deflate`), nil for identity.
  public var encoding: String?
  /// True when the response names an encoding that could not be undone: the content is then the wire form.
  public var isRaw: Bool

  public init(trailers: Fields = [:], encoding: String? = nil, isRaw: Bool = false) {
    self.trailers = trailers
    self.encoding = encoding
    self.isRaw = isRaw
  }
}

/// The connection an exchange used. Times are those of setting it up, nil when it was reused or the phase did not apply.
///
/// ```swift
/// var answer = Answer(head: ResponseHead(status: 204))
/// answer.connection = Connection(
///   id: 1, address: "127.0.0.1:9001", connect: .milliseconds(20), tls: .milliseconds(45))
/// let transport = AnswerTransport { [answer] _ in answer }  // sends each request after 65 ms
/// ```
public struct Connection: Hashable, Sendable {
  /// Numbered from 1 by the transport; equal for exchanges on the same connection.
  public var id: Int
  /// The address really used, `127.0.0.1:9001`.
  public var address: String
  /// Whether it was open already, so that nothing had to be set up.
  public var isReused: Bool
  /// Name resolution alone.
  public var dns: Duration?
  /// TCP handshake alone.
  public var connect: Duration?
  /// TLS handshake alone.
  public var tls: Duration?
  /// The version spoken on it.
  public var version: HTTPVersion

  public init(
    id: Int, address: String, isReused: Bool = false, dns: Duration? = nil, connect: Duration? = nil,
    tls: Duration? = nil, version: HTTPVersion = .http11
  ) {
    self.id = id
    self.address = address
    self.isReused = isReused
    self.dns = dns
    self.connect = connect
    self.tls = tls
    self.version = version
  }
}

/// Why no complete response arrived. Recordings keep it, and replays throw it again.
///
/// ```swift
/// do throws(TransportError) {
///   print(try await transport.response(to: request).status)
/// } catch {
///   print(error.reason, error.phase)  // timeout response
/// }
/// ```
public struct TransportError: Error, Hashable, Sendable {
  /// What went wrong.
  ///
  /// - `dns`: the host's name could not be resolved.
  /// - `refused`: nothing listens at the address, or a route table has no route for the host.
  /// - `connect`: no connection came about for another reason.
  /// - `tls`: the handshake failed, or the certificate is not trusted.
  /// - `reset`: the connection broke under way.
  /// - `timeout`: the request's time-out passed.
  /// - `truncated`: the connection was closed in an orderly way before the response was complete.
  /// - `protocol`: what came is no HTTP, or the request cannot be written as such.
  /// - `cancelled`: the task was cancelled, or the transport closed.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case dns, refused, connect, tls, reset, timeout, truncated, `protocol`, cancelled
    /// The replay has no recorded answer for this request. Never written to a cassette as a recording.
    case unmatched
  }

  /// How far the exchange had got, in this order: `request` is until its last byte has left, `response` until the final
  /// head has arrived, `body` what follows.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    case dns, connect, tls, request, response, body
  }

  public var reason: Reason
  public var phase: Phase
  /// One sentence for people, empty when there is nothing to add. Not compared when matching.
  public var message: String

  public init(_ reason: Reason, during phase: Phase, _ message: String = "") {
    self.reason = reason
    self.phase = phase
    self.message = message
  }
}

extension TransportError: CustomStringConvertible {
  public var description: String {
    "\(reason.rawValue) during \(phase.rawValue)" + (message.isEmpty ? "" : ": \(message)")
  }
}

extension Transport {
  /// Sends `request` and returns the whole response, content encodings undone.
  /// - Throws: `TransportError` as `send(_:into:)` does.
  public func response(to request: Request) async throws(TransportError) -> Response {
    let collector = ResponseCollector()
    try await send(request, into: collector)
    return try collector.response()
  }
}
