/// What redaction made of short texts seen lately: header lines and paths come again and again.
///
/// A text is redacted alike as long as no secret was learnt since, so what was made of it once need not be made again.
struct TextMemory: Sendable {
  private struct Entry: Sendable {
    var rules: ObjectIdentifier?
    var secrets = -1
    var name = ""
    var text = ""
    var result: String?
  }

  /// One for each hash; a newer text takes the place of an older one.
  private var entries = [Entry](repeating: Entry(), count: 256)

  private static let longestText = 512

  /// What was made of `text`.
  enum Answer {
    case unknown
    /// It stays as it is.
    case same
    case changed(String)
  }

  /// - Parameters:
  ///   - name: What is around the text: a header's name, or what no header is called.
  ///   - secrets: How many secrets are known.
  func answer(for text: String, under name: String, _ rules: HostRules, secrets: Int) -> Answer {
    let slot = Self.slot(text, name)
    let entries = entries.span
    guard entries[slot].secrets == secrets, entries[slot].rules == ObjectIdentifier(rules), entries[slot].text == text,
      entries[slot].name == name
    else { return .unknown }
    guard let result = entries[slot].result else { return .same }
    return .changed(result)
  }

  /// - Parameter result: What was made of the text; nil when it stays as it is.
  mutating func note(_ result: String?, for text: String, under name: String, _ rules: HostRules, secrets: Int) {
    guard text.utf8.count <= Self.longestText else { return }
    entries[Self.slot(text, name)] = Entry(
      rules: ObjectIdentifier(rules), secrets: secrets, name: name, text: text, result: result)
  }

  /// A few bytes tell most texts apart.
  private static func slot(_ text: String, _ name: String) -> Int {
    let hash = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
      let count = bytes.count
      guard count > 0 else { return 0 as UInt64 }
      var hash = UInt64(count) &* 31 &+ UInt64(unsafe bytes[count / 2])
      hash = hash &* 31 &+ UInt64(unsafe bytes[count - 1])
      return hash &* 31 &+ UInt64(unsafe bytes[max(count - 5, 0)])
    }
    let mixed = ((hash ?? 0) &* 31 &+ UInt64(name.utf8.count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 56)
  }
}
