/// FNV-1a: the same on every machine, unlike Swift's own.
package struct StableHash {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { add(byte) }
    add(bytes.count)
  }

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff as UInt8)
  }

  mutating func add(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      add(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  private mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
