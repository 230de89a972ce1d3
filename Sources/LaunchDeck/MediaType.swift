import LaunchHTTP

/// The value of a `Content-Type` line (RFC 9110 section 8.3.1).
struct MediaType {
  /// Type and subtype in any letter case; empty when the line has none.
  private let essence: Substring
  private let parameters: Substring

  init(_ text: String) {
    let end = text.utf8.firstIndex { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 } ?? text.endIndex
    essence = text[..<end]
    parameters = text[end...]
  }

  var isForm: Bool { ends(with: FormPairs.contentType, isWhole: true) }
  var isMultipartForm: Bool { ends(with: "multipart/form-data", isWhole: true) }
  /// Whether the content is JSON by its type, or may be anything.
  var mayBeJSON: Bool { essence.isEmpty || ends(with: "json") }

  /// Whether the type and subtype end so, in any letter case.
  private func ends(with end: String, isWhole: Bool = false) -> Bool {
    let surplus = essence.utf8.count - end.utf8.count
    guard isWhole ? surplus == 0 : surplus >= 0 else { return false }
    return zip(essence.utf8.dropFirst(surplus), end.utf8).allSatisfy { $0.lowercasedASCII == $1 }
  }

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
