/// A value that was walked over, and not built.
package struct SkimmedJSON {
  /// Where the value starts, and where it ends.
  package var range: Range<Int>
  /// The text is the one that `JSONWriter` would give the value.
  package var isCompact: Bool

  var end: Int { range.upperBound }
}

extension JSONInput {
  /// Walks over the value at `start` (white space before it counts as not compact) and checks all of it; nil where
  /// anything is wrong, for a reader that can say what.
  func skim(at start: Int, depthLimit: Int) -> SkimmedJSON? {
    let bytes = bytes.span
    var skimmer = JSONSkimmer(input: self, index: start, depthLimit: depthLimit)
    guard skimmer.value(bytes) else { return nil }
    return SkimmedJSON(range: start..<skimmer.index, isCompact: skimmer.isCompact)
  }
}

/// One walk over a value. Its functions move the index and return false where the text is no JSON. They are handed the
/// input's bytes as a span because that is what a loop can read fastest.
private struct JSONSkimmer {
  let input: JSONInput
  var index: Int
  let depthLimit: Int
  var isCompact = true
  private var containers = Containers()

  init(input: JSONInput, index: Int, depthLimit: Int) {
    self.input = input
    self.index = index
    self.depthLimit = depthLimit
  }

  mutating func value(_ bytes: Span<UInt8>) -> Bool {
    while true {
      guard let byte = significantByte(bytes) else { return false }
      var isOpen = false
      switch byte {
      case UInt8(ascii: "\""):
        guard string(bytes) else { return false }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard containers.depth < depthLimit else { return false }
        containers.open(isObject: byte == UInt8(ascii: "{"))
        index += 1
        isOpen = true
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard number(bytes) else { return false }
      case UInt8(ascii: "t"):
        guard literal("true", bytes) else { return false }
      case UInt8(ascii: "f"):
        guard literal("false", bytes) else { return false }
      case UInt8(ascii: "n"):
        guard literal("null", bytes) else { return false }
      default: return false
      }
      // Behind a value, or behind an opening bracket: closes what closes here, and moves to the next value.
      repeat {
        if containers.depth == 0 { return true }
        guard let byte = significantByte(bytes) else { return false }
        if byte == (containers.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
          containers.close()
          index += 1
          isOpen = false
          continue
        }
        if !isOpen {
          guard byte == UInt8(ascii: ",") else { return false }
          index += 1
        }
        if containers.isInObject, !key(bytes) { return false }
        break
      } while true
    }
  }

  @inline(__always)
  private mutating func key(_ bytes: Span<UInt8>) -> Bool {
    guard significantByte(bytes) == UInt8(ascii: "\""), string(bytes) else { return false }
    guard significantByte(bytes) == UInt8(ascii: ":") else { return false }
    index += 1
    return true
  }

  @inline(__always)
  private mutating func significantByte(_ bytes: Span<UInt8>) -> UInt8? {
    guard index < input.end else { return nil }
    let byte = bytes[index]
    if byte > UInt8(ascii: " ") { return byte }
    isCompact = false
    index = input.endOfWhiteSpace(from: index)
    return index < input.end ? bytes[index] : nil
  }

  @inline(__always)
  private mutating func string(_ bytes: Span<UInt8>) -> Bool {
    index += 1
    while true {
      index = bytes.plainEnd(from: index, to: input.end)
      guard index < input.end else { return false }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") ? escape(bytes) : byte >= 0x80 && sequence() else { return false }
    }
    index += 1
    return true
  }

  private mutating func sequence() -> Bool {
    guard let end = try? input.endOfSequence(at: index) else { return false }
    index = end
    return true
  }

  private mutating func escape(_ bytes: Span<UInt8>) -> Bool {
    guard let (scalar, end) = try? input.escape(at: index) else { return false }
    let isShort = end == index + 2
    switch scalar {
    case "\"", "\\", "\u{8}", "\u{9}", "\u{A}", "\u{C}", "\u{D}": isCompact = isCompact && isShort
    // Only control characters need their number, in lower case.
    default: isCompact = isCompact && scalar.value < 0x20 && !(0x41...0x46 ~= bytes[end - 1])
    }
    index = end
    return true
  }

  @inline(__always)
  private mutating func number(_ bytes: Span<UInt8>) -> Bool {
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    guard digits(bytes), index - first == 1 || bytes[first] != UInt8(ascii: "0") else { return false }
    if index < input.end, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits(bytes) else { return false }
    }
    if index < input.end, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < input.end, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") { index += 1 }
      guard digits(bytes) else { return false }
    }
    return true
  }

  /// One digit or more.
  @inline(__always)
  private mutating func digits(_ bytes: Span<UInt8>) -> Bool {
    let first = index
    while index < input.end, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
    return index > first
  }

  private mutating func literal(_ literal: StaticString, _ bytes: Span<UInt8>) -> Bool {
    let count = literal.utf8CodeUnitCount
    guard input.end - index >= count else { return false }
    // The buffer has `count` bytes and lives as long as the program.
    for offset in 0..<count where unsafe bytes[index + offset] != literal.utf8Start[offset] { return false }
    index += count
    return true
  }
}

/// Which of the open arrays and objects are objects: a bit for each, the innermost lowest, older ones put aside 64 at a
/// time, so that a usual text needs no memory.
private struct Containers {
  private(set) var depth = 0
  private var bits: UInt64 = 0
  private var older: [UInt64] = []

  var isInObject: Bool { bits & 1 == 1 }

  @inline(__always)
  mutating func open(isObject: Bool) {
    if depth > 0, depth % 64 == 0 { older.append(bits) }
    bits = bits << 1 | (isObject ? 1 : 0)
    depth += 1
  }

  @inline(__always)
  mutating func close() {
    depth -= 1
    bits >>= 1
    if depth > 0, depth % 64 == 0, let last = older.popLast() { bits = last }
  }
}
