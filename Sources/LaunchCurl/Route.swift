/// Where the bytes for a host go.
///
/// ```swift
/// let route = try Route(parsing: "tls://127.0.0.1:9443", caFile: "sandbox.pem")
/// ```
public struct Route: Hashable, Sendable {
  /// What is spoken at the address.
  public enum Security: Hashable, Sendable {
    /// HTTP/1.1 without TLS, whatever scheme the request's location has.
    case plain
    /// TLS with the name of the request's host, whatever the location's scheme. Certificates must lead to one in
    /// `caFile` (PEM), or to one the system trusts when it is nil.
    case tls(caFile: String?)
  }

  /// A name or an address; IPv6 addresses in brackets.
  public var host: String
  /// From 1 to 65535.
  public var port: Int
  public var security: Security

  /// Takes the parts as they are; `init(parsing:caFile:)` is for text from outside.
  public init(host: String, port: Int, security: Security = .plain) {
    self.host = host
    self.port = port
    self.security = security
  }

  /// Reads `HOST:PORT` (plain) or `tls://HOST:PORT`. Without a port it is 80, or 443 with TLS.
  ///
  /// `caFile` is for TLS; a plain route does not need it and leaves it out.
  /// - Throws: `RouteError.invalidScheme`, `invalidHost`, or `invalidPort`.
  public init(parsing text: String, caFile: String? = nil) throws(RouteError) {
    var address = text[...]
    security = .plain
    if let mark = text.firstRange(of: "://") {
      guard text[..<mark.lowerBound].lowercased() == "tls" else {
        throw .invalidScheme(String(text[..<mark.upperBound]))
      }
      address = text[mark.upperBound...]
      security = .tls(caFile: caFile)
    }
    // The colons of an IPv6 address stand inside brackets, before the one that begins the port.
    let tail = address.lastIndex(of: "]") ?? address.startIndex
    let colon = address[tail...].lastIndex(of: ":")
    host = String(address[..<(colon ?? address.endIndex)])
    guard Self.isHost(host) else { throw .invalidHost(host) }
    guard let colon else {
      port = security == .plain ? 80 : 443
      return
    }
    let digits = String(address[address.index(after: colon)...])
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits), (1...65535).contains(port)
    else {
      throw .invalidPort(digits)
    }
    self.port = port
  }

  /// Whether `text` can stand as the host of a URL and cannot be taken for anything else: a name, an IPv4 address, or
  /// an IPv6 address in brackets.
  static func isHost(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
      let inside = bytes.dropFirst().dropLast()
      return inside.contains(UInt8(ascii: ":")) && inside.allSatisfy { isNameByte($0) || $0 == UInt8(ascii: ":") }
    }
    return !bytes.isEmpty && bytes.allSatisfy(isNameByte)
  }

  /// Whether `host` is an address and not a name to look up.
  static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      0x80...0xFF:
      true
    default: false
    }
  }
}

extension Route: CustomStringConvertible {
  /// The text `init(parsing:caFile:)` reads.
  public var description: String { security == .plain ? "\(host):\(port)" : "tls://\(host):\(port)" }
}
