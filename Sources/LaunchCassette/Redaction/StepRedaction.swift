import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Redactor {
  /// A step with its secrets replaced.
  struct RedactedStep {
    var step: Event.Step
    /// Why its body is not in it; nil when it is.
    var withheld: String?
  }

  /// The step with every secret replaced; nil when it stays as it is.
  /// - Parameters:
  ///   - isForm: Whether something beside the step says that its content is a form.
  ///   - rules: What to learn by; nil to learn nothing.
  mutating func redacted(_ step: Event.Step, isForm: Bool, _ rules: HostRules?) -> RedactedStep? {
    switch step {
    case .request(let request, let origin):
      redacted(request, isForm: isForm, rules).map { RedactedStep(step: .request($0, from: origin), withheld: $1) }
    case .informational(let head): redacted(head, rules).map { RedactedStep(step: .informational($0)) }
    case .response(let head): redacted(head, rules).map { RedactedStep(step: .response($0)) }
    case .end(var content): redact(&content, rules).map { RedactedStep(step: .end(content), withheld: $0.withheld) }
    case .error(let error, let content): redacted(error, content, rules)
    case .connection(let connection): redacted(connection, rules).map { RedactedStep(step: .connection($0)) }
    case .sent, .chunk: nil
    }
  }

  /// An address may be one that the app told somebody as its own.
  private mutating func redacted(_ connection: Connection, _ rules: HostRules?) -> Connection? {
    guard table.isSearching, let address = redacted(.address, connection.address, rules) else { return nil }
    var connection = connection
    connection.address = address
    return connection
  }

  private mutating func redacted(
    _ request: Request, isForm: Bool, _ rules: HostRules?
  ) -> (request: Request, withheld: String?)? {
    var head = redactedHead(of: request, rules)
    let count = table.secrets.count
    let isForm = isForm || !request.body.isEmpty && request.fields.sayForm
    let body = redacted(request.body, encoding: BodyWrapping(of: request), isForm: isForm, rules)
    // What the content says may stand in the head.
    if table.secrets.count != count { head = redactedHead(of: request, rules) }
    if case .same = body, head == nil { return nil }
    var redacted = request
    var withheld: String?
    switch body {
    case .same: break
    case .changed(let body): redacted.body = body
    case .withheld(let reason): (redacted.body, withheld) = (placeholder(for: request.body), reason)
    }
    if let path = head?.path { redacted.location.path = path }
    if let query = head?.query { redacted.location.query = query }
    if let fields = head?.fields { redacted.fields = fields }
    if head?.fields != nil { PaywallDigest(of: request)?.renew(in: &redacted) }
    return (redacted, withheld)
  }

  /// What changes in the head of a request.
  private struct RequestHead {
    var path: String?
    var query: String?
    var fields: Fields?
  }

  private mutating func redactedHead(of request: Request, _ rules: HostRules?) -> RequestHead? {
    untilNothingIsLearnt { redactor in
      let path = redactor.redacted(.path, request.location.path, rules)
      let query = request.location.query.flatMap { redactor.redacted(.query, $0, rules) }
      let fields = redactor.redactedOnce(request.fields, rules)
      return path == nil && query == nil && fields == nil ? nil : RequestHead(path: path, query: query, fields: fields)
    }
  }

  /// Runs `body` once, and again when it learnt something: what a later part says may stand in an earlier one.
  private mutating func untilNothingIsLearnt<Value>(_ body: (inout Redactor) -> Value) -> Value {
    while true {
      let count = table.secrets.count
      let value = body(&self)
      if table.secrets.count == count { return value }
    }
  }

  private mutating func redacted(_ head: ResponseHead, _ rules: HostRules?) -> ResponseHead? {
    guard let fields = redacted(head.fields, rules) else { return nil }
    var head = head
    head.fields = fields
    return head
  }

  /// What was changed in a content besides its secrets.
  private struct Change {
    /// Why its body is not in it; nil when it is.
    var withheld: String?
  }

  /// - Returns: Nil when the content stays as it is.
  private mutating func redact(_ content: inout Content, _ rules: HostRules?) -> Change? {
    let trailers = redacted(content.trailers, rules)
    let body = redacted(content.body, encoding: content.isRaw ? .unknown : .none, isForm: false, rules)
    if let trailers { content.trailers = trailers }
    switch body {
    case .same: return trailers.map { _ in Change() }
    case .changed(let body):
      content.body = body
      return Change()
    case .withheld(let reason):
      content = Content(
        trailers: content.trailers, wireBytes: content.wireBytes ?? content.body.count, isMissing: true)
      return Change(withheld: reason)
    }
  }

  private mutating func redacted(
    _ error: TransportError, _ content: Content, _ rules: HostRules?
  ) -> RedactedStep? {
    var (error, content) = (error, content)
    let change = redact(&content, rules)
    let message = redacted(.text, error.message, rules)
    guard change != nil || message != nil else { return nil }
    if let message { error.message = message }
    return RedactedStep(step: .error(error, content), withheld: change?.withheld)
  }

  private mutating func redacted(_ fields: Fields, _ rules: HostRules?) -> Fields? {
    if fields.isEmpty { return nil }
    return untilNothingIsLearnt { $0.redactedOnce(fields, rules) }
  }

  private mutating func redactedOnce(_ fields: Fields, _ rules: HostRules?) -> Fields? {
    guard let rules else { return redactedLines(of: fields, nil) }
    if let known = lists[fields], known.rules == ObjectIdentifier(rules), known.secrets == table.secrets.count {
      return known.fields
    }
    let redacted = redactedLines(of: fields, rules)
    lists[fields] = RedactedFields(
      rules: ObjectIdentifier(rules), secrets: table.secrets.count, fields: redacted)
    return redacted
  }

  private mutating func redactedLines(of fields: Fields, _ rules: HostRules?) -> Fields? {
    var redactedFields: Fields?
    for index in fields.indices {
      let field = fields[index]
      guard let value = redacted(.field(field.name), field.value, rules) else { continue }
      var changed = redactedFields ?? fields
      redactedFields = nil
      changed[index].value = value
      redactedFields = changed
    }
    return redactedFields
  }

  mutating func redact(_ text: inout String, _ rules: HostRules?) {
    if let redacted = redacted(.text, text, rules) { text = redacted }
  }

  /// The fields of a mark, or members that this version does not know.
  mutating func redact(_ object: inout JSONObject, _ rules: HostRules?) {
    guard !object.isEmpty else { return }
    let original = JSON.object(object).serialized
    var bytes = original
    if let rules { learnFromMembers(&bytes, isHAR: object[HARTape.patchKey] != nil, rules) }
    table.replace(in: &bytes)
    // Pseudonyms are of the same shape, so what was JSON still is.
    if bytes != original, let redacted = try? JSON(parsing: bytes).object { object = redacted }
  }
}

/// What was made of a header list, by these rules and so many known secrets.
struct RedactedFields: Sendable {
  var rules: ObjectIdentifier
  var secrets: Int
  /// Nil when the list stays as it is.
  var fields: Fields?
}

extension Fields {
  /// Whether the content is a form.
  fileprivate var sayForm: Bool {
    self["Content-Type"]?.isFormType == true
  }
}

extension JSONObject {
  /// Whether what a HAR says beside a request calls its content a form.
  var sayForm: Bool {
    guard !isEmpty, let data = self[HARTape.patchKey]?["request"]?["postData"] else { return false }
    let type = (data["mimeType"] ?? data["="]?["mimeType"])?.string
    return type?.isFormType == true
  }
}

extension String {
  /// Whether this media type, its parameters aside, is that of a form.
  fileprivate var isFormType: Bool {
    let count = FormPairs.contentType.utf8.count
    guard utf8.count >= count else { return false }
    var text = self
    return text.withUTF8 { bytes in
      unsafe bytes.prefix(count).elementsEqual(FormPairs.contentType.utf8) { $0.lowercasedASCII == $1 }
    }
  }
}

/// The digest in the path of Adapty's segmented paywall, made from values that may be secrets (vendors.md 2.3, 7).
private struct PaywallDigest {
  private static let segmentField = "adapty-profile-segment-hash"

  private let segment: String
  private let digest: String

  /// Nil when the path holds no digest of what the header fields say.
  init?(of request: Request) {
    guard let segment = request.fields[Self.segmentField], let digest = Self.digest(by: request.fields),
      request.location.path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual(digest.utf8) })
    else { return nil }
    self.segment = segment
    self.digest = digest
  }

  /// Puts the digest of the redacted values in the place of the original one.
  func renew(in request: inout Request) {
    guard request.fields[Self.segmentField] != segment, let renewed = Self.digest(by: request.fields) else { return }
    let parts = request.location.path.split(separator: "/", omittingEmptySubsequences: false)
    request.location.path = parts.map { $0 == digest ? renewed[...] : $0 }.joined(separator: "/")
  }

  /// The digest of the exact compact text that the SDK makes.
  private static func digest(by fields: Fields) -> String? {
    guard let builder = fields["adapty-paywall-builder-version"], let locale = fields["adapty-paywall-locale"],
      let segment = fields[segmentField]
    else { return nil }
    var object: JSONObject = ["builder_version": .string(builder)]
    if fields["adapty-cross-placement-eligibility"] == "true" { object["cross_placement_eligibility"] = true }
    object["locale"] = .string(locale.lowercased())
    object["segment_hash"] = .string(segment)
    object["store"] = .string(fields["adapty-sdk-store"] ?? "app_store")
    return MD5.hexDigest(of: JSON.object(object).serialized)
  }
}
