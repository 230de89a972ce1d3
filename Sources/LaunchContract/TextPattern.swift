import LaunchJSON

/// A text with `*` for any characters, none included.
struct TextPattern: Hashable, Sendable {
  let text: String
  private let pieces: [String]

  init(_ text: String) {
    self.text = text
    pieces = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
  }

  func fits(_ value: String) -> Bool {
    guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else { return value == text }
    guard value.count >= first.count + last.count, value.hasPrefix(first), value.hasSuffix(last) else { return false }
    var rest = value.dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}

extension JSON {
  /// What a text pattern looks at; nil for arrays and objects.
  var plainText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .integer(let value): String(value)
    case .bool(let flag): flag ? "true" : "false"
    case .null: "null"
    case .array, .object: nil
    }
  }
}

extension String {
  /// As a contract writes a text.
  var quoted: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
