import LaunchHTTP
import LaunchJSON

/// Where the parts of a URL stand in a text, when it is spelt as `Location.description` spells it. Every other URL is left
/// to `Location(parsing:)`, which knows all of them and why one is none.
struct PlainLocation {
  let isSecure: Bool
  let host: Range<Int>
  let port: Int?
  let path: Range<Int>
  /// Without its `?`.
  let query: Range<Int>?

  init?(_ range: Range<Int>, in text: Span<UInt8>) {
    let end = range.upperBound
    var index = range.lowerBound
    guard text.reads("http", from: index, to: end) else { return nil }
    isSecure = text.reads("s", from: index + 4, to: end)
    index += isSecure ? 5 : 4
    guard text.reads("://", from: index, to: end) else { return nil }
    index += 3

    let hostStart = index
    while index < end, text.byte(at: index).isPlainHostByte { index += 1 }
    guard index > hostStart else { return nil }
    host = hostStart..<index

    var port = 0
    if index < end, text.byte(at: index) == UInt8(ascii: ":") {
      index += 1
      while index < end, port < 65536, case let digit = text.byte(at: index) &- UInt8(ascii: "0"), digit < 10 {
        port = port * 10 + Int(digit)
        index += 1
      }
      guard 1...65535 ~= port else { return nil }
    }
    self.port = port == 0 ? nil : port

    guard index < end, text.byte(at: index) == UInt8(ascii: "/") else { return nil }
    let pathStart = index
    var mark: Int?
    while index < end {
      let byte = text.byte(at: index)
      if byte == UInt8(ascii: "?"), mark == nil { mark = index }
      guard byte > 0x20, byte != 0x7F, byte != UInt8(ascii: "#") else { return nil }
      index += 1
    }
    path = pathStart..<(mark ?? end)
    query = mark.map { $0 + 1..<end }
  }
}

extension Span<UInt8> {
  /// Whether `text` stands at `index`, before `end`.
  @inline(__always)
  func reads(_ text: StaticString, from index: Int, to end: Int) -> Bool {
    guard end - index >= text.utf8CodeUnitCount else { return false }
    // The text's buffer has that many bytes and lives as long as the program.
    for offset in 0..<text.utf8CodeUnitCount where unsafe byte(at: index + offset) != text.utf8Start[offset] {
      return false
    }
    return true
  }
}

extension UInt8 {
  /// A byte of a host that reads the same in lower case and has no meaning in a URL.
  fileprivate var isPlainHostByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
