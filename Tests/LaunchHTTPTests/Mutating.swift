import TestSupport

extension SeededGenerator {
  /// `sample` with up to six bytes replaced, inserted, removed or repeated.
  mutating func mutating(_ sample: [UInt8]) -> [UInt8] {
    let interesting = Array("\r\n\t :;/?#[]@%0\0\u{7F}\u{FF}".utf8)
    var bytes = sample
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      let index = Int.random(in: 0...bytes.count, using: &self)
      let byte =
        Bool.random(using: &self)
        ? interesting.randomElement(using: &self) ?? 0 : UInt8.random(in: 0...255, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: bytes.insert(byte, at: index)
      case 1 where index < bytes.count: bytes[index] = byte
      case 2 where index < bytes.count: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(8), at: index)
      }
    }
    return bytes
  }
}
