import LaunchHTTP

extension Redactor {
  /// What redaction makes of a body.
  enum RedactedBody {
    case same
    case changed(Body)
    /// It holds a secret, or may hold one, that cannot be replaced; the text says why, and goes on after "because".
    case withheld(String)
  }

  /// Replaces the secrets in a body. What is packed in it is looked into by the same rules.
  /// - Parameters:
  ///   - encoding: The content encoding that stands around it.
  ///   - rules: What to learn by; nil to learn nothing.
  mutating func redacted(
    _ body: Body, encoding: BodyWrapping, isForm: Bool, _ rules: HostRules?
  ) -> RedactedBody {
    guard !body.isEmpty else { return .same }
    if case .named(let name) = encoding, let unpacker, let content = unpacker.decode(body.bytes, name, Unpacker.limit),
      content.reach == .whole, !content.bytes.isEmpty
    {
      return repacked(content.bytes, name, unpacker, isForm: isForm, rules)
    }
    let original = body.bytes
    var bytes = original
    if let unpacker, encoding != .none || PackedFormat(of: bytes) != nil,
      let reason = reasonToWithhold(&bytes, unpacker, isEncoded: encoding != .none, isForm: isForm, rules)
    {
      return .withheld(reason)
    }
    if let rules { learnFromBody(&bytes, isForm: isForm, rules) }
    table.replace(in: &bytes)
    // As it is, it stays in the storage it has.
    return bytes == original ? .same : .changed(Body(bytes))
  }

  /// Content redacted and put back into its encoding.
  private mutating func repacked(
    _ content: [UInt8], _ encoding: String, _ unpacker: Unpacker, isForm: Bool, _ rules: HostRules?
  ) -> RedactedBody {
    holdsPackedContent = true
    switch redacted(Body(content), encoding: .none, isForm: isForm, rules) {
    case .changed(let body):
      guard let bytes = unpacker.encode(body.bytes, encoding) else {
        return .withheld("it holds a secret in \(encoding), which cannot be encoded anew")
      }
      return .changed(Body(bytes))
    case let rest: return rest
    }
  }

  /// Why a body must not be kept as it is; nil when nothing that is packed in it speaks against that.
  private mutating func reasonToWithhold(
    _ bytes: inout [UInt8], _ unpacker: Unpacker, isEncoded: Bool, isForm: Bool, _ rules: HostRules?
  ) -> String? {
    var findings = unpacker.findings(in: bytes, isEncoded: isEncoded)
    if holdSecrets(bytes, findings.contents, isForm: isForm, rules) {
      // Where content is merely stored, its secrets can be replaced on the spot.
      guard table.replace(in: &bytes) else { return Self.holdsSecret }
      findings = unpacker.findings(in: bytes, isEncoded: isEncoded)
      if holdSecrets(bytes, findings.contents, isForm: isForm, rules) { return Self.holdsSecret }
    }
    if findings.hasHiddenPart { return "there is more in it than can be looked at, which may be a secret" }
    if !findings.contents.isEmpty { holdsPackedContent = true }
    return nil
  }

  private static let holdsSecret = "what it holds in compressed form has a secret in it"

  /// Learns from what is packed in bytes, and tells whether there is a secret in it.
  private mutating func holdSecrets(
    _ packed: [UInt8], _ contents: [Unpacker.Content], isForm: Bool, _ rules: HostRules?
  ) -> Bool {
    var hold = false
    for content in contents {
      var bytes = content.bytes
      if let rules {
        let mayBeForm = content.reach != .whole && !bytes.mayBeJSON(bytes.indices)
        learnFromBody(&bytes, isForm: isForm || mayBeForm, rules)
        if content.reach != .whole { learnLoosely(from: &bytes, rules) }
      }
      table.replace(in: &bytes)
      if bytes != content.bytes || content.reach != .whole && table.isCutSecret(atEndOf: bytes) { hold = true }
    }
    // Compressors write down as they are the pieces of text that do not get smaller.
    if let rules, contents.contains(where: { $0.reach != .whole }) {
      var bytes = packed
      learnLoosely(from: &bytes, rules)
      if bytes != packed { hold = true }
    }
    return hold
  }

  /// What stands for a body of a request that is withheld: a note, as long as the body.
  func placeholder(for body: Body) -> Body {
    let note = Array("<!-- withheld -->".utf8)
    let isTooLong = note.count > body.count
    return Body(
      (isTooLong ? [] : note) + Array(repeating: UInt8(ascii: "."), count: body.count - (isTooLong ? 0 : note.count)))
  }
}

/// What is known of the content encoding around a body.
enum BodyWrapping: Hashable {
  case none
  /// There is one that could not be undone.
  case unknown
  /// As a Content-Encoding field names it.
  case named(String)

  /// That of a request, whose bodies are kept as they were sent.
  init(of request: Request) {
    guard !request.body.isEmpty, request.fields["Content-Encoding"] != nil,
      let encoding = request.fields.contentEncoding
    else {
      self = .none
      return
    }
    self = .named(encoding)
  }
}
