import LaunchHTTP

/// The value of a `Content-Type` line (RFC 9110 section 8.3.1).
struct MediaType {
  /// Type and subtype in lower case, `application/json`; empty when the line has none.
  let essence: String
  private let parameters: Substring

  init(_ text: String) {
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 } ?? text.endIndex
    let name = text[..<end]
    essence = name.utf8.contains { $0 != $0.lowercasedASCII } ? String(name).lowercasedASCII : String(name)
    parameters = text[end...]
  }

  /// Whether the content is JSON by its type, or may be anything.
  var mayBeJSON: Bool { essence.isEmpty || essence.hasSuffix("json") }

  /// The value of a parameter, its quotes undone; nil when there is none.
  func parameter(_ name: String) -> String? { parameterValue(name, in: parameters) }
}

/// The value of `; name=value` or `; name="value"` behind a field's main value; names in any letter case.
func parameterValue(_ name: String, in text: Substring) -> String? {
  var rest = text
  while let semicolon = rest.firstIndex(of: ";") {
    rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
    guard let end = rest.firstIndex(where: { $0 == "=" || $0 == ";" }) else { return nil }
    if rest[end] == ";" { continue }
    let isWanted = String(rest[..<end]).equalsIgnoringCase(name)
    rest = rest[rest.index(after: end)...]
    let value = takeValue(&rest)
    if isWanted { return value }
  }
  return nil
}

/// A token, or a quoted string (RFC 9110 section 5.6.4).
private func takeValue(_ rest: inout Substring) -> String {
  guard rest.first == "\"" else {
    let token = rest.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    rest = rest[token.endIndex...]
    return String(token)
  }
  rest.removeFirst()
  var value = ""
  while let character = rest.popFirst(), character != "\"" {
    value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
  }
  return value
}
