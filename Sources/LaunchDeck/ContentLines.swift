import LaunchHTTP

/// The header lines that say what the content of a request is.
struct ContentLines {
  /// The value of `Content-Type`; nil without one.
  private(set) var type: String?
  /// The value of `Content-Encoding`; nil without one.
  private(set) var coding: String?

  init(_ fields: Fields) {
    for field in fields {
      if type == nil && field.isNamed("Content-Type") {
        type = field.value
      } else if coding == nil && field.isNamed("Content-Encoding") {
        coding = field.value
      }
    }
  }
}

extension Field {
  /// In any letter case; the usual one costs the least.
  fileprivate func isNamed(_ name: String) -> Bool { self.name == name || self.name.equalsIgnoringCase(name) }
}

extension Request {
  /// Of all that matching looks at, as it is written: requests with one such fingerprint have the same fields.
  var textFingerprint: Fingerprint {
    let lines = ContentLines(fields)
    var chain = Fingerprint(method)
    func append(_ text: String?) { chain = Fingerprint(text ?? "", at: chain, text == nil ? 0 : 1) }
    append(location.scheme)
    append(location.host)
    chain = Fingerprint(location.effectivePort, at: chain)
    append(location.path)
    append(location.query)
    append(lines.type)
    append(lines.coding)
    let body = body.slice
    return Fingerprint(body.span, at: chain, 0)
  }
}
