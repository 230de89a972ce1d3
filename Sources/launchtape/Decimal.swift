extension Double {
  /// The number that people write, `0.5` or `-3`: not the hexadecimal, the exponents and the words that `Double` reads, too.
  init?(decimal text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    self.init(text)
  }
}
