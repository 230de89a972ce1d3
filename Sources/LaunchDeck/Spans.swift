import LaunchHTTP

/// Calls `body` with the UTF-8 of `text`.
func withBytes(of text: String, _ body: (Span<UInt8>) -> Void) {
  var text = text
  text.withUTF8 { unsafe body(Span(_unsafeElements: $0)) }
}

extension Span<UInt8> {
  var copy: [UInt8] {
    var copy: [UInt8] = []
    copy.append(self)
    return copy
  }

  func contains(_ byte: UInt8) -> Bool { index(of: byte, in: 0..<count) < count }

  /// Where `byte` stands first in `range`, or the end of it. Looks at eight bytes at once.
  func index(of byte: UInt8, in range: Range<Int>) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let wanted = ones &* UInt64(byte)
    let bytes = unsafe self.bytes
    var index = range.lowerBound
    while range.upperBound - index >= 8 {
      // The load checks its bounds, and every bit pattern is a UInt64. A zero byte of `rest` is what is looked for; bits
      // behind the lowest one may be wrong, as a subtraction borrows from the next byte.
      let rest = UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ wanted
      let found = (rest &- ones) & ~rest & (ones &* 0x80)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < range.upperBound, self[index] != byte { index += 1 }
    return index
  }

  var isUTF8: Bool {
    var index = 0
    while index < count, self[index] < 0x80 { index += 1 }
    return index == count || String(validating: copy, as: UTF8.self) != nil
  }

  /// Whether a JSON object or array may start there.
  func startsContainer(at index: Int) -> Bool {
    index < count && (self[index] == UInt8(ascii: "{") || self[index] == UInt8(ascii: "["))
  }
}

extension [UInt8] {
  var startsLikeJSON: Bool {
    guard let first = firstIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return false }
    return span.startsContainer(at: first)
  }

  mutating func append(_ span: Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends a step of a place. Names that hold what separates places are quoted, so that no two places have one text.
  mutating func append(name: Span<UInt8>) {
    append(UInt8(ascii: "."))
    var isPlain = !name.isEmpty
    for index in 0..<name.count where !name[index].isPlainInPlaces { isPlain = false }
    if isPlain { return append(name) }
    append(UInt8(ascii: "\""))
    for index in 0..<name.count {
      if name[index] == UInt8(ascii: "\"") || name[index] == UInt8(ascii: "\\") { append(UInt8(ascii: "\\")) }
      append(name[index])
    }
    append(UInt8(ascii: "\""))
  }
}

extension UInt8 {
  fileprivate var isPlainInPlaces: Bool {
    isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self >= 0x80
  }
}
