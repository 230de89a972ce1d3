import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Redactor {
  /// - Parameters:
  ///   - isForm: Whether something beside the step says that its content is a form.
  ///   - rules: What to learn by; nil to learn nothing.
  mutating func redact(_ step: inout Event.Step, isForm: Bool, _ rules: HostRules?) {
    switch step {
    case .request(var request, let origin):
      redact(&request, isForm: isForm, rules)
      step = .request(request, from: origin)
    case .informational(var head):
      redact(&head.fields, rules)
      step = .informational(head)
    case .response(var head):
      redact(&head.fields, rules)
      step = .response(head)
    case .end(var content):
      redact(&content, rules)
      step = .end(content)
    case .error(var error, var content):
      redact(&content, rules)
      redact(&error.message, rules)
      step = .error(error, content)
    case .connection, .sent, .chunk: break
    }
  }

  private mutating func redact(_ request: inout Request, isForm: Bool, _ rules: HostRules?) {
    let original = request
    let digest = PaywallDigest(of: request)
    redactHead(of: &request, rules)
    let count = table.secrets.count
    redact(&request.body, isForm: isForm || request.fields.sayForm, rules)
    // What the content says may stand in the head.
    if table.secrets.count != count {
      (request.location, request.fields) = (original.location, original.fields)
      redactHead(of: &request, rules)
    }
    digest?.renew(in: &request)
  }

  private mutating func redactHead(of request: inout Request, _ rules: HostRules?) {
    let original = request
    untilNothingIsLearnt { redactor in
      if let path = redactor.redacted(.path, original.location.path, rules) { request.location.path = path }
      if let query = original.location.query, let redacted = redactor.redacted(.query, query, rules) {
        request.location.query = redacted
      }
      redactor.redact(original.fields, into: &request.fields, rules)
    }
  }

  /// Runs `body` once, and again when it learnt something: what a later part says may stand in an earlier one.
  private mutating func untilNothingIsLearnt(_ body: (inout Redactor) -> Void) {
    var count: Int
    repeat {
      count = table.secrets.count
      body(&self)
    } while table.secrets.count != count
  }

  private mutating func redact(_ content: inout Content, _ rules: HostRules?) {
    redact(&content.trailers, rules)
    redact(&content.body, isForm: false, rules)
  }

  private mutating func redact(_ body: inout Body, isForm: Bool, _ rules: HostRules?) {
    guard !body.isEmpty else { return }
    let original = body.bytes
    var bytes = original
    if let rules { learnFromBody(&bytes, isForm: isForm, rules) }
    table.replace(in: &bytes)
    // As it is, it stays in the storage it has.
    if bytes != original { body = Body(bytes) }
  }

  private mutating func redact(_ fields: inout Fields, _ rules: HostRules?) {
    guard !fields.isEmpty else { return }
    let original = fields
    untilNothingIsLearnt { $0.redact(original, into: &fields, rules) }
  }

  private mutating func redact(_ original: Fields, into fields: inout Fields, _ rules: HostRules?) {
    for index in original.indices {
      let field = original[index]
      if let value = redacted(.field(field.name), field.value, rules) { fields[index].value = value }
    }
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

extension Fields {
  /// Whether the content is a form.
  fileprivate var sayForm: Bool {
    self["Content-Type"]?.lowercasedASCII.hasPrefix(FormPairs.contentType) == true
  }
}

extension JSONObject {
  /// Whether what a HAR says beside a request calls its content a form.
  var sayForm: Bool {
    guard !isEmpty, let data = self[HARTape.patchKey]?["request"]?["postData"] else { return false }
    let type = (data["mimeType"] ?? data["="]?["mimeType"])?.string
    return type?.lowercasedASCII.hasPrefix(FormPairs.contentType) == true
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
