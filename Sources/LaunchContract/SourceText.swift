/// A contract file as lines of characters.
///
/// A byte order mark is skipped; lines end with LF, CR LF or CR. Bytes that are not UTF-8 are replaced by U+FFFD. A line
/// that is longer than any rule has its beginning only.
struct SourceText {
  /// Bytes of a line.
  static let longestLine = 64 << 10

  struct Line {
    /// Counted from 1.
    var number: Int
    var text: String
    /// Where the first byte that is not UTF-8 stands, counted from 1 in characters.
    var invalidColumn: Int?
    /// How many bytes it has, if that is more than a line may have.
    var excessiveLength: Int?
  }

  var lines: [Line] = []

  init(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = bytes[(bytes.starts(with: mark) ? mark.count : 0)...]
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      append(rest[..<end])
      let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
      rest = rest[(end + (isPair ? 2 : 1))...]
    }
    if !rest.isEmpty { append(rest) }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count <= Self.longestLine else {
      let beginning = String(decoding: bytes.prefix(80), as: UTF8.self)
      return lines.append(Line(number: lines.count + 1, text: beginning, excessiveLength: bytes.count))
    }
    var line = Line(number: lines.count + 1, text: String(decoding: bytes, as: UTF8.self))
    if String(validating: bytes, as: UTF8.self) == nil {
      line.invalidColumn = (Array(line.text).firstIndex { $0.unicodeScalars.contains("\u{FFFD}") } ?? 0) + 1
    }
    lines.append(line)
  }
}
