import LaunchHTTP

/// What libcurl has to be told for one request: a pure function of the request and the routes.
struct TransferPlan: Hashable, Sendable {
  /// Scheme and authority, `http://api.onesignal.com/`: they decide the `Host` line and the name asked for in TLS.
  var origin: String
  /// Path and query, sent as they are.
  var target: String
  var method: String
  var body: [UInt8]
  /// In libcurl's notation: `Name: value`, `Name;` for an empty value, `Name:` to leave one of its own out.
  var headerLines: [String]
  /// In libcurl's notation, `::127.0.0.1:9001`: whatever the host and port, connect there. Nil to connect to the origin.
  var connectTo: String?
  /// The only authorities to trust; nil for the system's.
  var caFile: String?
  /// Nil when there is no limit.
  var timeoutMilliseconds: Int?
  var usesTLS: Bool
  /// Whether connecting needs a name to be looked up.
  var resolvesName: Bool

  /// libcurl must be told that a body follows, even an empty one: then it sends a `Content-Length` (RFC 9110
  /// section 8.6 asks for it with methods that give the content a meaning).
  var sendsBody: Bool { !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) }

  /// - Throws: `refused` when the table refuses the host, `protocol` when the request cannot be written as HTTP.
  init(_ request: Request, routes: RouteTable) throws(TransportError) {
    let location = request.location
    guard Route.isHost(location.host) else { throw .unsendable("“\(location.host)” is not a host") }
    guard location.target.hasPrefix("/"), location.target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw .unsendable("the path or the query has a space or a control character, or does not begin with “/”")
    }
    guard request.method.isToken else { throw .unsendable("“\(request.method)” is not a method") }
    guard request.method != "HEAD" || request.body.isEmpty else {
      throw .unsendable("libcurl cannot send a body with HEAD")
    }

    let route = routes[location.host]
    if route == nil, routes.otherwise == .refuse {
      throw TransportError(.refused, during: .connect, "there is no route for \(location.host)")
    }
    switch (route?.security, location.scheme) {
    case (.plain, _), (nil, "http"): usesTLS = false
    case (.tls(let file), _):
      usesTLS = true
      caFile = file
    case (nil, "https"): usesTLS = true
    case (nil, let scheme): throw .unsendable("the scheme “\(scheme)” is not http or https")
    }
    origin = "\(usesTLS ? "https" : "http")://\(location.authority)/"
    connectTo = route.map { "::\($0.host):\($0.port)" }
    resolvesName = !Route.isAddress(route?.host ?? location.host)
    target = location.target
    method = request.method
    body = request.body.bytes
    timeoutMilliseconds = request.timeout.map(Self.milliseconds)
    headerLines = []
    headerLines = try Self.headerLines(request.fields, suppressed: sendsBody ? ["Content-Type"] : [])
  }

  /// The client's lines in their order, and after them what keeps libcurl from adding its own: `Accept`, `Expect`
  /// (which costs a second with servers that ignore it), and `Content-Type`, by default that of a form.
  private static func headerLines(_ fields: Fields, suppressed: [String]) throws(TransportError) -> [String] {
    var lines: [String] = []
    for field in fields {
      guard field.name.isToken else { throw .unsendable("“\(field.name)” is not the name of a header field") }
      guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
        throw .unsendable("the value of \(field.name) has a line break or a zero")
      }
      // How the body is framed is between libcurl and the connection; a client's line could only contradict it.
      if ["Content-Length", "Transfer-Encoding"].contains(where: field.name.equalsIgnoringCase) { continue }
      let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      lines.append(isBlank ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    for name in ["Accept", "User-Agent", "Expect"] + suppressed where fields[name] == nil { lines.append("\(name):") }
    return lines
  }

  /// Rounded up, because 0 would mean no limit to libcurl, and at most what libcurl takes: 24 days.
  private static func milliseconds(_ timeout: Duration) -> Int {
    guard timeout > .zero else { return 1 }
    guard timeout < .milliseconds(Int32.max) else { return Int(Int32.max) }
    let (seconds, attoseconds) = timeout.components
    return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

extension TransportError {
  /// The request cannot be put on the wire, for the reason `message` says.
  static func unsendable(_ message: String) -> TransportError { TransportError(.protocol, during: .request, message) }
}

extension String {
  /// RFC 9110 section 5.6.2.
  fileprivate var isToken: Bool {
    !utf8.isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}
