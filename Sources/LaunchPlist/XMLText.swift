/// The characters of an XML file as valid UTF-8, without a byte order mark and without characters that XML forbids.
struct XMLText {
  let bytes: [UInt8]
  /// Whether the file was UTF-16, which its XML declaration must agree with.
  let isUTF16: Bool

  /// - Throws: `PropertyListError` for bytes that are neither UTF-8 nor UTF-16 with a byte order mark.
  init(_ raw: [UInt8]) throws(PropertyListError) {
    switch ByteOrder(raw) {
    case .utf8(let start):
      isUTF16 = false
      bytes = Array(raw[start...])
      try Self.requireUTF8(bytes)
    case .utf16(let isBigEndian):
      isUTF16 = true
      bytes = try Self.decode(raw.dropFirst(2), isBigEndian: isBigEndian)
    }
    try Self.requireCharacters(bytes)
  }

  /// The first characters as far as they are ASCII, to recognise a file by.
  static func beginning(of raw: [UInt8]) -> ArraySlice<UInt8> {
    switch ByteOrder(raw) {
    case .utf8(let start): return raw[start...]
    case .utf16(let isBigEndian):
      let units = raw.dropFirst(2).prefix(2048)
      return units.enumerated().compactMap { $0.offset.isMultiple(of: 2) == isBigEndian ? nil : $0.element }[...]
    }
  }

  /// An error at an offset of `bytes`.
  static func error(at offset: Int, of bytes: [UInt8], _ message: String) -> PropertyListError {
    var counter = PlaceCounter()
    let place = counter.place(at: offset, in: bytes)
    var lines = LineCursor(bytes)
    return PropertyListError(place: .text(place, sourceLine: lines.line(place.line)), message: message)
  }

  private static func requireUTF8(_ bytes: [UInt8]) throws(PropertyListError) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) { offset += scalar.count }
    throw error(at: offset, of: bytes, "this is not UTF-8; save the file as UTF-8")
  }

  private static func decode(_ raw: ArraySlice<UInt8>, isBigEndian: Bool) throws(PropertyListError) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(raw.count / 2)
    var rest = raw
    while let first = rest.popFirst(), let second = rest.popFirst() {
      units.append(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first))
    }
    if raw.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) { return Array(text.utf8) }
    let text = String(decoding: units, as: UTF16.self)
    let offset = text.utf8.count
    throw error(at: offset, of: Array(text.utf8), "this file is not UTF-16 throughout; save it as UTF-8")
  }

  private static func requireCharacters(_ bytes: [UInt8]) throws(PropertyListError) {
    for (offset, byte) in bytes.enumerated() {
      let isForbidden =
        byte < 0x20
        ? !byte.isXMLBlank
        // U+FFFE and U+FFFF.
        : byte >= 0xBE && offset >= 2 && bytes[offset - 2] == 0xEF && bytes[offset - 1] == 0xBF && byte <= 0xBF
      if isForbidden { throw error(at: byte < 0x20 ? offset : offset - 2, of: bytes, "XML forbids this character") }
    }
  }
}

/// How the characters of a file are encoded, by its first bytes.
private enum ByteOrder {
  /// From this offset on.
  case utf8(Int)
  /// Behind a byte order mark.
  case utf16(isBigEndian: Bool)

  init(_ bytes: [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8(3)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16(isBigEndian: true)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16(isBigEndian: false)
    } else {
      self = .utf8(0)
    }
  }
}

extension UInt8 {
  var isXMLBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  /// Of the names that property lists use; XML allows more.
  var isXMLNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
