/// The request line and header of a request, as on the wire.
public struct RequestHead: Hashable, Sendable {
  /// The method, case-sensitive (RFC 9110 section 9.1).
  public var method: String
  /// The request target as on the wire: `/path?query`, an absolute URL, `host:port` for CONNECT, or `*` for OPTIONS.
  public var target: String
  public var fields: Fields
  public var version: HTTPVersion

  /// Takes the parts as they are and adds no line; `serialized()` checks them.
  public init(method: String, target: String, fields: Fields = [:], version: HTTPVersion = .http11) {
    self.method = method
    self.target = target
    self.fields = fields
    self.version = version
  }

  /// The head that puts `request` on the wire: `Host` first, then its own fields, then `Content-Length` when there is
  /// content or the method is one that is expected to have some (RFC 9110 section 8.6). Fields already set stay.
  public init(_ request: Request) {
    self.init(method: request.method, target: request.location.target)
    if request.fields["Host"] == nil { fields.append("Host", request.location.authority) }
    for field in request.fields { fields.append(field.name, field.value) }
    let isSized = fields["Content-Length"] != nil || fields["Transfer-Encoding"] != nil
    if !isSized, !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      fields.append("Content-Length", String(request.body.count))
    }
  }

  /// Whether the client waits for `100 Continue` before it sends the content (RFC 9110 section 10.1.1).
  public var expectsContinue: Bool {
    version == .http11 && fields.elements("Expect").contains { $0.equalsIgnoringCase("100-continue") }
  }

  /// Whether the client wants to use the connection again.
  public var keepsAlive: Bool { fields.keepsAlive(version: version) }

  /// Where the request goes: its absolute target, or its path at the `Host` it names.
  /// - Parameters:
  ///   - scheme: That of the connection; an absolute target has its own.
  ///   - authority: Stands in when an HTTP/1.0 request has no `Host`.
  /// - Throws: `CodecError` with `malformedHost`, or `malformedTarget` for one that is no location.
  public func location(scheme: String, fallback authority: String) throws(CodecError) -> Location {
    guard target.utf8.first == 0x2F else {
      guard let location = try? Location(parsing: target) else { throw CodecError(.malformedTarget, at: 0) }
      return location
    }
    let host = fields["Host"] ?? authority
    guard var location = try? Location(parsing: "\(scheme)://\(host)"), location.authority.equalsIgnoringCase(host)
    else {
      throw CodecError(.malformedHost(host), at: 0)
    }
    let question = target.utf8.firstIndex(of: 0x3F)
    location.path = String(target[..<(question ?? target.endIndex)])
    location.query = question.map { String(target[target.utf8.index(after: $0)...]) }
    return location
  }
}
