/// Memory that was made room for. Safe to use: what does not fit stops the program.
@safe
@usableFromInline
package struct JSONRoom {
  /// The most bytes that a whole number takes: 19 digits and a sign.
  @inlinable package static var integerLimit: Int { 20 }

  @usableFromInline package private(set) var count = 0
  @usableFromInline let memory: UnsafeMutableBufferPointer<UInt8>
  @usableFromInline let limit: Int

  @inlinable
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.memory = memory
    limit = memory.count
  }

  @inlinable @inline(__always)
  package mutating func put(_ byte: UInt8) {
    precondition(count < limit)
    unsafe memory[count] = byte
    count += 1
  }

  @inlinable @inline(__always)
  package mutating func put(_ text: StaticString) { text.withUTF8Buffer { unsafe put($0) } }

  @inlinable @inline(__always)
  package mutating func put(_ bytes: Span<UInt8>) { unsafe bytes.withUnsafeBufferPointer { unsafe put($0) } }

  @inlinable @inline(__always)
  package mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress, let start = unsafe memory.baseAddress else { return }
    precondition(text.count <= limit - count)
    unsafe (start + count).update(from: source, count: text.count)
    count += text.count
  }

  /// A key and its colon, behind a comma or not.
  @inlinable @inline(__always)
  package mutating func put(key: StaticString, _ needsComma: Bool) {
    if needsComma { put(UInt8(ascii: ",")) }
    put(UInt8(ascii: "\""))
    put(key)
    put("\":")
  }

  @usableFromInline
  package mutating func put(_ integer: Int64) {
    if integer < 0 { put(UInt8(ascii: "-")) }
    var rest = integer.magnitude
    var digits = 1
    var power: UInt64 = 10
    while digits < 19, rest >= power {
      digits += 1
      power &*= 10
    }
    precondition(digits <= limit - count)
    let first = count
    count += digits
    // Within the room that was looked at above: two digits at a time, from the last on.
    var place = count
    while place &- first >= 2 {
      place &-= 2
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      let digits = unsafe digitPairs.utf8Start + Int(truncatingIfNeeded: pair &* 2)
      unsafe (memory[place], memory[place &+ 1]) = unsafe (digits[0], digits[1])
      rest = quotient
    }
    if place > first { unsafe memory[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
  }
}

/// The numbers from 0 to 99.
private let digitPairs: StaticString = """
  00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657\
  585960616263646566676869707172737475767778798081828384858687888990919293949596979899
  """

extension UnsafeBufferPointer<UInt8> {
  /// Whether it can stand in a string as it is.
  var isPlain: Bool { unsafe span.plainEnd(from: 0, to: count) == count }
}
