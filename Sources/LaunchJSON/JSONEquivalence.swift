extension JSON {
  /// Whether both mean the same: the order of members does not count, nor how a number is written (`1.0`, `1` and
  /// `10e-1` are equal, and so are `0` and `-0`); strings are compared by their bytes.
  ///
  /// Receivers disagree about an object with a duplicate key, so it is equivalent only to one with the same values under
  /// that key in the same order.
  public func isEquivalent(to other: JSON) -> Bool { canonical == other.canonical }

  /// The one compact text for all values that are equivalent: keys sorted by their UTF-8 bytes (members of one key in the
  /// order they have), strings as `JSONWriter` writes them, numbers in one form, decided by exact decimal arithmetic.
  ///
  /// Cost: proportional to the size of the text, plus the sorting; an exponent such as in `1e999999999` is never expanded.
  public var canonical: [UInt8] {
    var writer = JSONWriter()
    writer.canonicalValue(self)
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func canonicalValue(_ value: JSON) {
    switch value {
    case .null, .bool, .integer, .string:
      self.value(value)
    case .number(let text):
      raw(DecimalNumber(text).canonical)
    case .array(let elements):
      beginArray()
      for element in elements { canonicalValue(element) }
      endArray()
    case .object(let object):
      beginObject()
      // The sort is stable, which keeps the order under one key.
      for member in object.members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        key(member.key)
        canonicalValue(member.value)
      }
      endObject()
    }
  }
}
