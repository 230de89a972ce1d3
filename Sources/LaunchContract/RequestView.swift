import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// The fields of one request, decoded when a contract first asks for them.
struct RequestView {
  /// Copied out of its step once: that costs something for each of its parts.
  let request: Request
  private lazy var query = request.location.query.map { FormPairs(parsing: Array($0.utf8)).pairs } ?? []
  private lazy var bodyBytes = request.body.bytes
  private lazy var form = FormPairs(parsing: bodyBytes).pairs
  /// What equal attempts of one call have in common: method, path, query and content by meaning. The host is left out,
  /// because fail-over changes it.
  private(set) lazy var attemptKey = makeAttemptKey()

  init(_ request: Request) { self.request = request }

  /// - Returns: nil when the step is no request.
  init?(_ step: Event.Step) {
    guard case .request(let request, _) = step else { return nil }
    self.request = request
  }

  /// Whether `field` names any value. Builds none of a body.
  mutating func has(_ field: FieldPath) -> Bool {
    field.root == .body ? field.isPresent(inText: bodyBytes) : !values(of: field).isEmpty
  }

  /// Every value that `field` names; empty when there is none.
  mutating func values(of field: FieldPath) -> [JSON] {
    switch field.root {
    case .method: [.string(request.method)]
    case .header: request.fields.values(field.name).map(JSON.string)
    case .query: query.filter { $0.name == field.name }.map { .string($0.value) }
    case .form: form.filter { $0.name == field.name }.map { .string($0.value) }
    case .body: field.value(inText: bodyBytes).map { [$0] } ?? []
    case .mark, .status, .responseHeader, .responseBody: []
    }
  }

  private mutating func makeAttemptKey() -> [UInt8] {
    if let key = request.fields["Idempotency-Key"] { return Array("key \(key)".utf8) }
    let pairs = query.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "&")
    return Array("\(request.method) \(request.location.path)?\(pairs)\n".utf8) + content()
  }

  private mutating func content() -> [UInt8] {
    if let body = try? JSON(parsing: bodyBytes) { return body.canonical }
    let type = request.fields["Content-Type"]?.lowercasedASCII ?? ""
    guard type.hasPrefix("application/x-www-form-urlencoded") else { return bodyBytes }
    return Array(form.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "&").utf8)
  }
}

extension FieldPath {
  /// The one name of a query, header or form field.
  var name: String {
    if case .key(let name)? = steps.first { name } else { "" }
  }
}
