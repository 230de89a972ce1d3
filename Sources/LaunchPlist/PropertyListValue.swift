/// A value of a property list, and where it stands.
public struct PropertyListValue: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case string(String)
    case boolean(Bool)
    case integer(Int128)
    case real(Double)
    /// Seconds since the beginning of 2001, UTC.
    case date(Double)
    case data([UInt8])
    /// Also a binary list's set.
    case array([PropertyListValue])
    /// In the order of the file; a key may stand there twice.
    case dictionary([Member])
    /// A keyed archive's reference; binary lists only.
    case uid(UInt64)
    /// Binary lists only.
    case null
  }

  /// A key of a dictionary with its value.
  public struct Member: Hashable, Sendable {
    public var key: String
    /// Where `<key>` stands; nil in a binary list.
    public var place: TextPlace?
    public var value: PropertyListValue
  }

  public var content: Content
  /// Where its element begins; nil in a binary list.
  public var place: TextPlace?

  init(_ content: Content, at place: TextPlace? = nil) {
    self.content = content
    self.place = place
  }

  /// What a dictionary holds; nil for another value.
  public var members: [Member]? {
    if case .dictionary(let members) = content { members } else { nil }
  }

  /// What an array holds; nil for another value.
  public var elements: [PropertyListValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The text of a string; nil for another value.
  public var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  /// What kind of value it is, with its article: `a string`.
  var kind: String {
    switch content {
    case .string: "a string"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .real: "a real number"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    case .uid: "a reference of a keyed archive"
    case .null: "null"
    }
  }
}

extension String {
  /// In quotes, and cut when it is long.
  var quoted: String { count > 80 ? "'\(prefix(60))…'" : "'\(self)'" }
}
