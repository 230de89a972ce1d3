/// Memory that was made room for. Safe to use: what does not fit stops the program.
@safe
struct JSONRoom {
  /// The most bytes that a whole number takes: 19 digits and a sign.
  static let integerLimit = 20

  private(set) var count = 0
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private let limit: Int

  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.memory = memory
    limit = memory.count
  }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    precondition(count < limit)
    unsafe memory[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func put(_ text: StaticString) { text.withUTF8Buffer { unsafe put($0) } }

  @inline(__always)
  mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress, let start = unsafe memory.baseAddress else { return }
    precondition(text.count <= limit - count)
    unsafe (start + count).update(from: source, count: text.count)
    count += text.count
  }

  /// A key and its colon, behind a comma or not.
  @inline(__always)
  mutating func put(key: StaticString, _ needsComma: Bool) {
    if needsComma { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    put(key)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: ":"))
  }

  mutating func put(_ integer: Int64) {
    if integer < 0 { put(UInt8(ascii: "-")) }
    var rest = integer.magnitude
    var digits = 1
    var power: UInt64 = 10
    while digits < 19, rest >= power {
      digits += 1
      power &*= 10
    }
    precondition(digits <= limit - count)
    var place = count + digits
    count = place
    repeat {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      // Within the room that was looked at above.
      unsafe memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether it can stand in a string as it is.
  var isPlain: Bool { unsafe span.plainEnd(from: 0, to: count) == count }
}
