import LaunchHTTP
import LaunchJSON

/// What two requests have in common when one recorded exchange answers both.
///
/// Method, scheme, host, port and path are compared as they are, the query and a form by their decoded pairs in any
/// order, JSON by value, any other body byte by byte; less what a vendor fills in anew in every run. Header fields are
/// not compared.
struct RequestKey: Hashable {
  struct Pair: Hashable, Comparable {
    var name: String
    var value: String

    static func < (left: Pair, right: Pair) -> Bool { (left.name, left.value) < (right.name, right.value) }
  }

  enum Body: Hashable {
    case empty
    /// Canonical, so that equal values have equal bytes.
    case json([UInt8])
    case form([Pair])
    case bytes([UInt8])
  }

  var method: String
  /// Scheme, host and port; without the port where it is the scheme's own.
  var origin: String
  var path: String
  var query: [Pair]
  var body: Body

  init(_ request: Request) {
    let perRun = PerRunFields.sent(to: request.location.host)
    method = request.method
    origin = request.location.origin
    path = request.location.path
    query = pairs(FormPairs(parsing: request.location.query ?? ""), without: perRun)
    body = comparedBody(of: request, without: perRun)
  }
}

private func comparedBody(of request: Request, without perRun: PerRunFields) -> RequestKey.Body {
  if request.body.isEmpty { return .empty }
  if request.isForm { return .form(pairs(FormPairs(parsing: request.body.bytes), without: perRun)) }
  guard let value = try? JSON(parsing: request.body.bytes) else { return .bytes(request.body.bytes) }
  return .json(perRun.removed(from: value).canonical)
}

private func pairs(_ form: FormPairs, without perRun: PerRunFields) -> [RequestKey.Pair] {
  form.pairs.lazy
    .filter { !perRun.names.contains($0.name) }
    .map { RequestKey.Pair(name: $0.name, value: $0.value) }
    .sorted()
}

extension Request {
  fileprivate var isForm: Bool {
    guard let type = fields["Content-Type"]?.split(separator: ";").first else { return false }
    return String(type.filter { $0 != " " }).equalsIgnoringCase(FormPairs.contentType)
  }
}

extension Location {
  fileprivate var origin: String {
    let usual = scheme == "https" ? 443 : 80
    return port == usual ? "\(scheme)://\(host)" : "\(scheme)://\(authority)"
  }
}
