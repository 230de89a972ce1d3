import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Redactor {
  /// - Parameter rules: What to learn by; nil to learn nothing.
  mutating func redact(_ step: inout Event.Step, _ rules: HostRules?) {
    switch step {
    case .request(var request, let origin):
      redact(&request, rules)
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

  private mutating func redact(_ request: inout Request, _ rules: HostRules?) {
    var path = Array(request.location.path.utf8)
    var query = request.location.query.map { Array($0.utf8) }
    var body = request.body.isEmpty ? [] : request.body.bytes
    let digest = PaywallDigest(of: request)
    // All places are learned from before any is replaced: what a header says may stand in the path.
    if let rules {
      learnFromPath(&path, rules)
      query?.edit { learnFromQuery(&$0, rules) }
      learn(from: &request.fields, rules)
      learnFromBody(&body, isForm: request.fields.sayForm, rules)
    }
    replaceKnown(in: &request.fields)
    table.replace(in: &path)
    request.location.path = String(decoding: path, as: UTF8.self)
    if var query {
      table.replace(in: &query)
      request.location.query = String(decoding: query, as: UTF8.self)
    }
    table.replace(in: &body)
    if !body.isEmpty { request.body = Body(body) }
    digest?.renew(in: &request)
  }

  private mutating func redact(_ content: inout Content, _ rules: HostRules?) {
    redact(&content.trailers, rules)
    guard !content.body.isEmpty else { return }
    var bytes = content.body.bytes
    if let rules { learnFromBody(&bytes, isForm: false, rules) }
    table.replace(in: &bytes)
    content.body = Body(bytes)
  }

  private mutating func redact(_ fields: inout Fields, _ rules: HostRules?) {
    if let rules { learn(from: &fields, rules) }
    replaceKnown(in: &fields)
  }

  private func replaceKnown(in fields: inout Fields) {
    for index in fields.indices where fields[index].value.utf8.count >= SecretText.searchedLength {
      var value = Array(fields[index].value.utf8)
      if table.replace(in: &value) { fields[index].value = String(decoding: value, as: UTF8.self) }
    }
  }

  mutating func redact(_ text: inout String, _ rules: HostRules?) {
    guard text.utf8.count >= SecretText.searchedLength else { return }
    var bytes = Array(text.utf8)
    if let rules { learnFromText(bytes, rules) }
    if table.replace(in: &bytes) { text = String(decoding: bytes, as: UTF8.self) }
  }

  /// The fields of a mark, or members that this version does not know.
  mutating func redact(_ object: inout JSONObject, _ rules: HostRules?) {
    guard !object.isEmpty else { return }
    let original = JSON.object(object).serialized
    var bytes = original
    if let rules { learnFromBody(&bytes, isForm: false, rules) }
    table.replace(in: &bytes)
    // Pseudonyms are of the same shape, so what was JSON still is.
    if bytes != original, let redacted = try? JSON(parsing: bytes).object { object = redacted }
  }
}

extension [UInt8] {
  /// Runs `body` on these bytes; for optional chaining.
  fileprivate mutating func edit(_ body: (inout [UInt8]) -> Void) { body(&self) }
}

extension Fields {
  /// Whether the content is a form.
  fileprivate var sayForm: Bool {
    guard let type = self["Content-Type"] else { return false }
    return type.lowercasedASCII.hasPrefix(FormPairs.contentType)
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
      request.location.path.contains("/\(digest)/")
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
