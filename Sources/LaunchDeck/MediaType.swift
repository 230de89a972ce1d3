import LaunchHTTP

/// The value of a `Content-Type` line (RFC 9110 section 8.3.1).
struct MediaType {
  let isForm: Bool
  let isMultipartForm: Bool
  /// Whether the content is JSON by its type, or may be anything.
  let mayBeJSON: Bool
  private let parameters: Substring

  init(_ text: String) {
    var text = text
    var isForm = false
    var isMultipartForm = false
    var mayBeJSON = true
    let end = text.withUTF8 { buffer in
      let bytes = unsafe Span(_unsafeElements: buffer)
      var end = 0
      while end < bytes.count, bytes[end] != UInt8(ascii: ";"), !bytes[end].isBlank { end += 1 }
      let essence = bytes.extracting(0..<end)
      isForm = essence.equals("application/x-www-form-urlencoded")
      isMultipartForm = essence.equals("multipart/form-data")
      mayBeJSON = end == 0 || end >= 4 && essence.extracting(last: 4).equals("json")
      return end
    }
    (self.isForm, self.isMultipartForm, self.mayBeJSON) = (isForm, isMultipartForm, mayBeJSON)
    parameters = text[text.utf8.index(text.startIndex, offsetBy: end)...]
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

extension Span<UInt8> {
  /// Whether these are the bytes of `text`, which is in lower case, in any letter case.
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // The text has `count` bytes and lives as long as the program.
    for index in 0..<count where unsafe self[index].lowercasedASCII != text.utf8Start[index] { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
