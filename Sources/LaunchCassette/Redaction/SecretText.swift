import LaunchHTTP

/// What secrets look like, as far as text alone tells.
enum SecretText {
  /// Secrets of fewer bytes are only replaced where a rule points.
  static let searchedLength = 6

  /// Whether a value says nothing about anybody: empty, one character, nothing but zeros and punctuation (the IDFA of
  /// whoever declined), or one of the words that forms are filled with.
  static func isTrivial(_ value: some Collection<UInt8>) -> Bool {
    if value.count < 2 { return true }
    if value.allSatisfy({ $0 < 0x80 && !$0.isLetter && ($0 == UInt8(ascii: "0") || !$0.isDigit) }) { return true }
    return value.count <= 13 && commonWords.contains(String(decoding: value, as: UTF8.self).lowercasedASCII)
  }

  private static let commonWords: Set<String> = [
    "true", "false", "null", "nil", "none", "yes", "no", "on", "off", "unknown", "undefined", "sandbox", "production",
    "notdetermined", "restricted", "denied", "authorized", "ios",
  ]

  /// Four numbers up to 255 with dots between them.
  static func isAddress(_ value: [UInt8]) -> Bool {
    guard (7...15).contains(value.count) else { return false }
    let octets = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return octets.count == 4
      && octets.allSatisfy { octet in
        (1...3).contains(octet.count) && octet.allSatisfy(\.isDigit)
          && octet.reduce(0) { $0 * 10 + Int($1) - 0x30 } <= 255
      }
  }

  /// At least eight hexadecimal digits with nothing but `-` and `:` between them: a UUID, a digest, an IPv6 address.
  static func isHex(_ value: [UInt8]) -> Bool {
    var digits = 0
    for byte in value {
      if byte.hexValue != nil {
        digits += 1
      } else if byte != UInt8(ascii: "-") && byte != UInt8(ascii: ":") {
        return false
      }
    }
    return digits >= 8 && value.contains(where: \.isDigit) && value.contains(where: { !$0.isDigit })
  }

  /// A number of RFC 8259 section 6, or digits with zeros in front.
  static func isNumber(_ value: [UInt8]) -> Bool {
    let digits = value.first == UInt8(ascii: "-") ? value.dropFirst() : value[...]
    return digits.first?.isDigit == true && digits.last?.isDigit == true
      && digits.allSatisfy { $0.isDigit || ".eE+-".utf8.contains($0) }
      && digits.count { ".eE".utf8.contains($0) } <= 2
  }

  /// Where the e-mail address around the `@` at this place stands; nil when it is none. Names of files with a scale, such as
  /// `icon@2x.png`, are none.
  static func email(in text: ArraySlice<UInt8>, at: Int) -> Range<Int>? {
    let name = text[..<at].reversed().prefix { $0.isLetter || $0.isDigit || "._+-".utf8.contains($0) }
    let domain = text[(at + 1)...].prefix { $0.isLetter || $0.isDigit || $0 == 0x2D || $0 == 0x2E }
    var labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    // A full stop behind the address is the sentence's.
    while labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard !name.isEmpty, labels.count >= 2, !labels.contains(where: \.isEmpty), let last = labels.last,
      last.count >= 2, last.allSatisfy(\.isLetter),
      !fileEndings.contains(String(decoding: last, as: UTF8.self).lowercasedASCII)
    else { return nil }
    // Behind a percent sign, two characters of the name are an escape.
    let start = at - name.count
    return start > text.startIndex && text[start - 1] == UInt8(ascii: "%") ? nil : start..<last.endIndex
  }

  private static let fileEndings: Set<String> = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "json", "pdf",
  ]

  /// Where the JSON Web Token that begins here ends: three parts of base64url, the first two JSON objects.
  static func endOfToken(in text: ArraySlice<UInt8>, at start: Int) -> Int? {
    let run = text[start...].prefix { $0.isBase64URL || $0 == UInt8(ascii: ".") }
    let parts = run.split(separator: UInt8(ascii: "."), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].count >= 10, parts[1].count >= 4 else { return nil }
    let signature = parts[2].prefix(while: \.isBase64URL)
    guard parts[0].starts(with: "eyJ".utf8), parts[1].starts(with: "eyJ".utf8), signature.count >= 6 else { return nil }
    return signature.endIndex
  }

  /// What a pseudonym leaves in place: `https://`, the first letters of a token's parts, and the last character of a part in
  /// base64, whose unused bits must stay zero.
  static func fixedPlaces(of value: [UInt8]) -> Set<Int> {
    var places: Set<Int> = []
    for scheme in ["https://", "http://"] where value.starts(with: scheme.utf8) { places = Set(0..<scheme.utf8.count) }
    if endOfToken(in: value[...], at: 0) == value.endIndex {
      for part in value.split(separator: UInt8(ascii: ".")) {
        if part.starts(with: "eyJ".utf8) { places.formUnion(part.startIndex..<part.startIndex + 3) }
        places.insert(part.endIndex - 1)
      }
    } else if value.last == UInt8(ascii: "="), let last = value.lastIndex(where: { $0 != UInt8(ascii: "=") }) {
      places.insert(last)
    }
    return places
  }

  /// Calls `found` with each secret that text alone gives away: e-mail addresses, JSON Web Tokens, AWS access keys.
  static func secrets(in text: [UInt8], found: (_ kind: String, Range<Int>) -> Void) {
    var end = 0
    while let index = firstTrigger(in: text, from: end) {
      end = index + 1
      switch text[index] {
      case UInt8(ascii: "@"):
        if let range = email(in: text[...], at: index) { found("email", range) }
      case UInt8(ascii: "J"):
        if index >= 2, text[index - 2] == UInt8(ascii: "e"), text[index - 1] == UInt8(ascii: "y"),
          index < 3 || !text[index - 3].isBase64URL, let end = endOfToken(in: text[...], at: index - 2)
        {
          found("jwt", index - 2..<end)
        }
      default:
        if let range = accessKey(in: text, at: index) { found("aws_key", range) }
      }
    }
  }

  /// The AWS access key whose third letter is this one: `AKIA` or `ASIA` and sixteen capitals and digits.
  private static func accessKey(in text: [UInt8], at index: Int) -> Range<Int>? {
    guard index >= 2, index + 18 <= text.count else { return nil }
    let range = index - 2..<index + 18
    let head = text[range].prefix(4)
    guard head.elementsEqual("AKIA".utf8) || head.elementsEqual("ASIA".utf8),
      text[range].allSatisfy({ $0.isDigit || $0.isLetter && $0 != $0.lowercasedASCII }),
      range.lowerBound == 0 || !text[range.lowerBound - 1].isBase64URL,
      range.upperBound == text.count || !text[range.upperBound].isBase64URL
    else { return nil }
    return range
  }

  /// The next byte that such a secret has and few texts do.
  private static func firstTrigger(in text: [UInt8], from start: Int) -> Int? {
    text.firstPlace(of: UInt8(ascii: "@"), UInt8(ascii: "J"), UInt8(ascii: "I"), in: start..<text.count)
  }
}

extension UInt8 {
  /// A digit of base64 in the alphabet for URLs (RFC 4648 section 5).
  var isBase64URL: Bool { isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}

extension ArraySlice<UInt8> {
  /// Where `text` stands first; the general search of the standard library costs many times as much on bytes.
  func firstPlace(of text: [UInt8]) -> Index? {
    guard let first = text.first else { return startIndex }
    var place = startIndex
    while place + text.count <= endIndex {
      if self[place] == first, self[place..<place + text.count].elementsEqual(text) { return place }
      place += 1
    }
    return nil
  }
}
