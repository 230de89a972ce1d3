/// The content of a form: `application/x-www-form-urlencoded`, as the URL standard of the WHATWG defines it (section 5).
///
/// ```swift
/// let form: FormPairs = ["app_token": "abc", "created_at": "2026-11-30T06:20:45.123Z+0000"]
/// request.body = Body(form.serialized)
/// FormPairs(parsing: request.body.bytes)["app_token"]  // "abc"
/// ```
///
/// Pairs keep their order and duplicates.
public struct FormPairs: Sendable {
  /// The media type a `Content-Type` line has to name.
  public static let contentType = "application/x-www-form-urlencoded"

  /// Names and values decoded, in the order of the text.
  public var pairs: [(name: String, value: String)]

  public init(_ pairs: [(name: String, value: String)] = []) { self.pairs = pairs }

  /// Reads a form. Never fails: `+` is a space, a part without `=` has an empty value, empty parts are left out, and a
  /// `%` without two hexadecimal digits behind it is kept. A name or value that is not UTF-8 stays undecoded.
  public init(parsing bytes: [UInt8]) { self.init(parsing: String(decoding: bytes, as: UTF8.self)) }

  /// The same for text, such as the query of a location.
  public init(parsing text: String) {
    pairs = decodedPairs(of: text) { part in
      let spaced = String(decoding: part.utf8.map { $0 == 0x2B ? 0x20 : $0 }, as: UTF8.self)
      return spaced.percentDecoded
    }
  }

  /// The pairs as they go on the wire: letters, digits and `*-._` as they are, spaces as `+`, all else as `%XX`.
  public var serialized: [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in pairs {
      if !bytes.isEmpty { bytes.append(0x26) }
      append(name, to: &bytes)
      bytes.append(0x3D)
      append(value, to: &bytes)
    }
    return bytes
  }

  /// The same as `serialized`, as text.
  public var text: String { String(decoding: serialized, as: UTF8.self) }

  /// The first value under `name`, letter case included; setting replaces it in place and drops its duplicates, nil
  /// removes all of them.
  public subscript(name: String) -> String? {
    get { pairs.first { $0.name == name }?.value }
    set {
      let index = pairs.firstIndex { $0.name == name }
      pairs.removeAll { $0.name == name }
      if let newValue { pairs.insert((name, newValue), at: index ?? pairs.endIndex) }
    }
  }

  /// Adds a pair behind all others; pairs of the same name stay.
  public mutating func append(_ name: String, _ value: String) { pairs.append((name, value)) }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      if byte == 0x20 {
        bytes.append(0x2B)
      } else if byte.isLetter || byte.isDigit || "*-._".utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes.append(percentEncoding: byte)
      }
    }
  }
}

extension FormPairs: Hashable {
  public static func == (left: FormPairs, right: FormPairs) -> Bool {
    left.pairs.elementsEqual(right.pairs) { $0 == $1 }
  }

  public func hash(into hasher: inout Hasher) {
    for pair in pairs {
      hasher.combine(pair.name)
      hasher.combine(pair.value)
    }
  }
}

extension FormPairs: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) { pairs = elements.map { ($0.0, $0.1) } }
}
