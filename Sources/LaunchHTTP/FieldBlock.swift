/// Field lines as they are read: a header or a trailer section.
struct FieldBlock: Sendable {
  private var lines: [(name: String, value: [UInt8])] = []
  /// The lines as they came, each with its CRLF.
  private(set) var wire: [UInt8] = []

  /// - Parameter unfolding: Whether a line that continues the one before is joined to it by a space, as a client has to
  ///   do, or refused, as a server may (RFC 9112 section 5.2).
  mutating func add(_ line: ArraySlice<UInt8>, at offset: Int, unfolding: Bool) throws(CodecError) {
    wire += line
    wire += [carriageReturn, lineFeed]
    if let forbidden = line.firstIndex(where: { !$0.isFieldByte }) {
      throw CodecError(.forbiddenByte(line[forbidden]), at: offset + forbidden - line.startIndex)
    }
    if line.first?.isBlank == true {
      guard unfolding else { throw CodecError(.foldedField, at: offset) }
      guard !lines.isEmpty else { throw CodecError(.malformedField, at: offset) }
      lines[lines.count - 1].value += [0x20] + line.withoutBlanks
      return
    }
    guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex, line[..<colon].allSatisfy(\.isTokenByte)
    else {
      throw CodecError(.malformedField, at: offset)
    }
    lines.append((String(decoding: line[..<colon], as: UTF8.self), Array(line[(colon + 1)...])))
  }

  var isEmpty: Bool { lines.isEmpty }

  /// The fields read so far; the block is empty afterwards.
  ///
  /// A value is read as UTF-8, and as Latin-1 when it is not UTF-8: no byte is lost, though a Latin-1 value that looks
  /// like UTF-8 cannot be told apart.
  mutating func take() -> Fields {
    defer { (lines, wire) = ([], []) }
    return Fields(lines.map { Field($0.name, Array($0.value[...].withoutBlanks).text) })
  }
}

extension [UInt8] {
  fileprivate var text: String {
    if let text = String(validating: self, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(map { Unicode.Scalar($0) }))
  }
}

extension ArraySlice<UInt8> {
  fileprivate var withoutBlanks: ArraySlice<UInt8> {
    let rest = drop(while: \.isBlank)
    let end = rest.lastIndex { !$0.isBlank } ?? rest.startIndex - 1
    return rest[..<(end + 1)]
  }
}

extension UInt8 {
  /// Space or tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// RFC 9110 section 5.6.2.
  var isTokenByte: Bool {
    switch self {
    // ! # $ % & ' * + - . ^ _ ` | ~
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
    default: isLetter || isDigit
    }
  }

  /// A byte of a field value: visible, blank, or above ASCII (RFC 9110 section 5.5).
  var isFieldByte: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }
}
