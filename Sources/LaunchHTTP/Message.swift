/// The protocol version of a message or connection, spelt as cassettes do: `1.0`, `1.1`, `2`.
public enum HTTPVersion: String, Hashable, Sendable {
  case http10 = "1.0"
  case http11 = "1.1"
  case http2 = "2"
}

/// One request as a client composes it.
///
/// ```swift
/// let location = try Location(parsing: "https://analytics.adjust.com/session")
/// let request = Request(method: "POST", location: location, body: Array("app_token=abc".utf8))
/// ```
public struct Request: Hashable, Sendable {
  /// The method, case-sensitive (RFC 9110 section 9.1).
  public var method: String
  /// The vendor's own location, whatever address a route table sends it to.
  public var location: Location
  /// Header lines as the client set them; a transport adds `Host` and `Content-Length` itself.
  public var fields: Fields
  /// The content as sent; empty when there is none.
  public var body: Body
  /// How long the sender waits for the whole answer; nil waits for ever. Never on the wire, never in a cassette.
  public var timeout: Duration?

  public init(
    method: String, location: Location, fields: Fields = [:], body: Body = [], timeout: Duration? = nil
  ) {
    self.method = method
    self.location = location
    self.fields = fields
    self.body = body
    self.timeout = timeout
  }

  public init(
    method: String, location: Location, fields: Fields = [:], body: [UInt8], timeout: Duration? = nil
  ) {
    self.init(method: method, location: location, fields: fields, body: Body(body), timeout: timeout)
  }
}

/// The status line and header of a final or informational (1xx) response.
public struct ResponseHead: Hashable, Sendable {
  /// From 100 to 999; checked when the head is written, not here.
  public var status: Int
  public var fields: Fields
  public var version: HTTPVersion

  public init(status: Int, fields: Fields = [:], version: HTTPVersion = .http11) {
    self.status = status
    self.fields = fields
    self.version = version
  }
}

/// A finished response with its whole content.
///
/// ```swift
/// let response = try await transport.response(to: request)
/// if response.status == 200 { print(response.fields["Content-Type"] ?? "no type", response.body.count) }
/// ```
public struct Response: Hashable, Sendable {
  public var head: ResponseHead
  /// The content, its encoding undone; the wire form when that could not be done. Empty when there is none.
  public var body: [UInt8]
  /// The fields behind the content; empty when there are none.
  public var trailers: Fields

  public var status: Int { head.status }
  public var fields: Fields { head.fields }

  public init(head: ResponseHead, body: [UInt8] = [], trailers: Fields = [:]) {
    self.head = head
    self.body = body
    self.trailers = trailers
  }
}
