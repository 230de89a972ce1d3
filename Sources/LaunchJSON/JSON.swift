/// A JSON value that keeps what the text said: member order, duplicate keys and the exact text of every number.
///
/// ```swift
/// let value: JSON = ["status": 3, "tags": ["mmp_id": "0a1b"]]
/// value["tags"]?["mmp_id"]?.string  // "0a1b"
/// ```
///
/// Two values are equal when their members stand in the same order; `isEquivalent(to:)` compares by meaning instead.
public enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A whole number that fits 64 bits, kept exactly.
  case integer(Int64)
  /// Any other number (fractions, exponents, `-0`, more than 64 bits) as the text it had, RFC 8259 section 6.
  case number(String)
  case string(String)
  case array([JSON])
  case object(JSONObject)
}

/// The members of a JSON object in the order of the text, duplicates included.
///
/// ```swift
/// var object: JSONObject = ["status": 3]
/// object["idfa"] = "00000000"
/// object["status"] = nil
/// object.members.map(\.key)  // ["idfa"]
/// ```
public struct JSONObject: Hashable, Sendable {
  /// A key with its value.
  public struct Member: Hashable, Sendable {
    /// The key with its escapes undone.
    public var key: String
    public var value: JSON

    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// In the order of the text; a key may occur more than once.
  public var members: [Member]

  public init(_ members: [Member] = []) { self.members = members }

  /// The value of the last member called `key` (what JavaScript's parser keeps); setting replaces it in place or
  /// appends, and setting nil removes every member of that name.
  public subscript(key: String) -> JSON? {
    get { members.last { $0.key.hasBytes(of: key) }?.value }
    set {
      guard let newValue else { return members.removeAll { $0.key.hasBytes(of: key) } }
      if let index = members.lastIndex(where: { $0.key.hasBytes(of: key) }) {
        members[index].value = newValue
      } else {
        members.append(Member(key, newValue))
      }
    }
  }

  public var isEmpty: Bool { members.isEmpty }

  /// The first key that occurs twice, or nil.
  public var duplicateKey: String? {
    var seen: Set<[UInt8]> = []
    return members.first { !seen.insert(Array($0.key.utf8)).inserted }?.key
  }
}

extension String {
  /// Keys are compared as RFC 8259 section 8.3 has it; `==` would also equate composed and decomposed characters.
  fileprivate func hasBytes(of other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

extension JSON {
  /// The text of a string; nil for every other kind of value.
  public var string: String? { if case .string(let text) = self { text } else { nil } }
  /// A whole number that fits 64 bits; nil for every other kind of value, and for a `number`, `1.0` and `1e3` included.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  /// `true` or `false`; nil for every other kind of value.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  /// The elements of an array; nil for every other kind of value.
  public var array: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  /// The members of an object; nil for every other kind of value.
  public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  public var isNull: Bool { self == .null }

  /// The member `key` of an object; nil for a missing member and for every other kind of value.
  public subscript(key: String) -> JSON? { object?[key] }

  /// The element at `index` of an array; nil out of range and for every other kind of value.
  public subscript(index: Int) -> JSON? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
  public init(nilLiteral: ()) { self = .null }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// The pairs as members in this order, duplicates kept.
  public init(_ pairs: [(String, JSON)]) { self.init(pairs.map { Member($0.0, $0.1) }) }
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}
