/// One header or trailer line.
public struct Field: Hashable, Sendable {
  /// The name in the letter case of the wire.
  public var name: String
  /// The value without the white space around it (RFC 9110 section 5.5).
  public var value: String

  /// Takes both as they are. Writing a head checks them.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Header or trailer lines in wire order, with their letter case and duplicates (RFC 9110 section 5).
///
/// ```swift
/// var fields: Fields = ["Content-Type": "application/json"]
/// fields.append("Set-Cookie", "a=1")
/// fields["content-type"]  // "application/json"
/// ```
///
/// Names are compared without letter case; equality of two lists is exact, case and order included.
public struct Fields: Hashable, Sendable {
  private var lines: [Field]

  /// The lines in wire order, duplicates kept.
  public init(_ lines: [Field] = []) { self.lines = lines }

  /// The first value under `name`; setting replaces it in place and drops its duplicates, nil removes all of them.
  public subscript(name: String) -> String? {
    get { lines.first { $0.name.equalsIgnoringCase(name) }?.value }
    set {
      guard let newValue else { return lines.removeAll { $0.name.equalsIgnoringCase(name) } }
      guard let index = lines.firstIndex(where: { $0.name.equalsIgnoringCase(name) }) else {
        return lines.append(Field(name, newValue))
      }
      lines[index].value = newValue
      let rest = lines[(index + 1)...].filter { !$0.name.equalsIgnoringCase(name) }
      lines.replaceSubrange((index + 1)..., with: rest)
    }
  }

  /// Every value under `name`, in wire order; empty when there is none.
  public func values(_ name: String) -> [String] {
    lines.lazy.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// Adds a line behind all others; lines of the same name stay.
  public mutating func append(_ name: String, _ value: String) { lines.append(Field(name, value)) }
}

extension Fields: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { lines.count }
  public subscript(position: Int) -> Field {
    get { lines[position] }
    set { lines[position] = newValue }
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) { lines = elements.map { Field($0.0, $0.1) } }
}

extension String {
  /// ASCII letter case only: names on the wire have no other (RFC 9110 section 5.6.2).
  package func equalsIgnoringCase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Both views are one piece of memory nearly always.
    let answer = unsafe utf8.withContiguousStorageIfAvailable { own in
      unsafe other.utf8.withContiguousStorageIfAvailable { other in
        for index in 0..<own.count {
          let (byte, otherByte) = unsafe (own[index], other[index])
          if byte != otherByte, byte.lowercasedASCII != otherByte.lowercasedASCII { return false }
        }
        return true
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8) { $0.lowercasedASCII == $1.lowercasedASCII }
  }

  /// This text with ASCII letters in lower case and every other byte as it is.
  package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}

extension UInt8 {
  package var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
