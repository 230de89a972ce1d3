import LaunchJSON

/// The JSON text of a HAR, repaired where it is not quite JSON.
struct HARSource {
  /// UTF-8, without a byte order mark.
  private let bytes: [UInt8]
  private let path: String
  private(set) var root: JSON
  /// Where something was not JSON, and what was done.
  private let repairs: [Repair]

  /// Browsers nest a handful of levels; a line of a cassette must hold an entry and what stands around it.
  private static let depthLimit = 400

  /// - Throws: `malformed` with the first place that is no JSON even after the repairs of `Repair`.
  init(_ bytes: [UInt8], path: String) throws(CassetteError) {
    self.path = path
    var text = Self.utf8(bytes)
    guard text.contains(where: { $0 > 0x20 }) else {
      throw Self.failure("the file is empty; a HAR begins with {\"log\":{…", at: 0, in: text, path)
    }
    var repairs: [Repair] = []
    do throws(JSONError) {
      root = try JSON(parsing: text)
    } catch {
      // What is JSON up to its end lacks that end, and nothing can be repaired.
      if error.reason != .endOfInput { (text, repairs) = Repair.repaired(text) }
      do throws(JSONError) { root = try JSON(parsing: text) } catch {
        throw Self.failure("\(error.reason); the file is no HAR, or was cut off", at: error.offset, in: text, path)
      }
    }
    guard root.depth <= Self.depthLimit else {
      throw Self.failure("more than \(Self.depthLimit) arrays and objects inside each other", at: 0, in: text, path)
    }
    self.bytes = text
    self.repairs = repairs
  }

  /// An error about the file as a whole.
  func failure(_ message: String) -> CassetteError { Self.failure(message, at: 0, in: bytes, path) }

  /// The remarks as warnings at the lines where their entries begin, behind those on the text itself.
  func warnings(for remarks: [HARRemarks.Remark]) -> [Cassette.Diagnostic] {
    guard !remarks.isEmpty || !repairs.isEmpty else { return [] }
    let entries = entryRanges
    var places = PlaceFinder(bytes)
    var warnings: [Cassette.Diagnostic] = []
    var next = 0
    for repair in repairs.sorted(by: { $0.offset < $1.offset }) {
      while next < entries.count, entries[next].upperBound <= repair.offset { next += 1 }
      let isInEntry = next < entries.count && entries[next].contains(repair.offset)
      let place = isInEntry ? "log.entries[\(next)]" : "log"
      warnings.append(warning("\(place): \(repair.kind.rawValue)", at: places.place(of: repair.offset)))
    }
    for remark in remarks {
      let start = remark.entry.flatMap { entries.indices.contains($0) ? entries[$0].lowerBound : nil } ?? 0
      warnings.append(warning(remark.message, at: places.place(of: start)))
    }
    return warnings
  }

  private func warning(_ message: String, at place: (line: Int, column: Int)) -> Cassette.Diagnostic {
    Cassette.Diagnostic(severity: .warning, path: path, line: place.line, column: place.column, message: message)
  }

  private static func failure(_ message: String, at offset: Int, in bytes: [UInt8], _ path: String) -> CassetteError {
    var places = PlaceFinder(bytes)
    let place = places.place(of: offset)
    return .malformed([
      Cassette.Diagnostic(severity: .error, path: path, line: place.line, column: place.column, message: message)
    ])
  }

  /// Where each entry stands in the text.
  private var entryRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var reader = JSONReader(bytes)
    // The text is JSON; what ends the walk is a value of another kind than a HAR has there.
    try? reader.eachValue(of: "log") { (log) throws(JSONError) in
      try log.eachValue(of: "entries") { (entries) throws(JSONError) in
        ranges = []
        try entries.beginArray()
        while try entries.nextElement() { ranges.append(try entries.skipValue()) }
      }
    }
    return ranges
  }

  /// The text as UTF-8 without a byte order mark; some shells save what they show as UTF-16.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

extension JSONReader {
  /// Walks the object that comes next, and hands each member `key` over with its value still to be read.
  fileprivate mutating func eachValue(
    of key: StaticString, _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try beginObject()
    while try nextKey() {
      if equals(key) { try body(&self) } else { try skipValue() }
    }
  }
}

extension JSON {
  /// How many arrays and objects stand inside each other.
  fileprivate var depth: Int {
    switch self {
    case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
    case .object(let object): 1 + (object.members.lazy.map(\.value.depth).max() ?? 0)
    default: 0
    }
  }
}

/// Turns offsets into lines and columns, going back to the start only for one before the last.
private struct PlaceFinder {
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func place(of target: Int) -> (line: Int, column: Int) {
    if target < offset { (offset, line, lineStart) = (0, 1, 0) }
    while offset < min(target, bytes.count) {
      if bytes[offset] == UInt8(ascii: "\n") { (line, lineStart) = (line + 1, offset + 1) }
      offset += 1
    }
    return (line, target - lineStart + 1)
  }
}

/// A place where an exporter wrote what JSON does not allow, though what was meant is plain.
private struct Repair {
  enum Kind: String {
    case notANumber = "NaN, Infinity and undefined are no JSON; read as null"
    case loneSurrogate = "half of a surrogate pair stands for no character; read as U+FFFD"
    case controlCharacter = "a control character stands in a string without an escape; kept"
    case invalidUTF8 = "the bytes of a string are not UTF-8; read with U+FFFD in their place"
  }

  var kind: Kind
  /// In the repaired text.
  var offset: Int

  static func repaired(_ bytes: [UInt8]) -> (bytes: [UInt8], repairs: [Repair]) {
    var repairs: [Repair] = []
    var text = bytes
    if String(validating: bytes, as: UTF8.self) == nil {
      text = Array(String(decoding: bytes, as: UTF8.self).utf8)
      repairs.append(Repair(kind: .invalidUTF8, offset: zip(bytes, text).prefix { $0 == $1 }.count))
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    var isInString = false
    while index < text.count {
      let byte = text[index]
      if !isInString, "N-Iu".utf8.contains(byte),
        let word = noNumbers.first(where: { text[index...].starts(with: $0.utf8) })
      {
        repairs.append(Repair(kind: .notANumber, offset: result.count))
        result += "null".utf8
        index += word.utf8.count
      } else if isInString, byte == UInt8(ascii: "\\") {
        let escape = escape(at: index, in: text)
        if escape.isLone { repairs.append(Repair(kind: .loneSurrogate, offset: result.count)) }
        result += escape.isLone ? Array("\\ufffd".utf8) : Array(text[index..<escape.end])
        index = escape.end
      } else if isInString, byte < 0x20 {
        repairs.append(Repair(kind: .controlCharacter, offset: result.count))
        let digits = String(byte, radix: 16)
        result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
        index += 1
      } else {
        if byte == UInt8(ascii: "\"") { isInString.toggle() }
        result.append(byte)
        index += 1
      }
    }
    return (result, repairs)
  }

  private static let noNumbers = ["NaN", "-NaN", "Infinity", "-Infinity", "undefined"]

  /// Where the escape at `index` ends, a low half behind a high one included, and whether it is a half alone.
  private static func escape(at index: Int, in text: [UInt8]) -> (end: Int, isLone: Bool) {
    guard let unit = unit(at: index, in: text) else { return (min(index + 2, text.count), false) }
    guard (0xD800...0xDFFF).contains(unit) else { return (index + 6, false) }
    guard unit < 0xDC00, let low = Self.unit(at: index + 6, in: text), (0xDC00...0xDFFF).contains(low) else {
      return (index + 6, true)
    }
    return (index + 12, false)
  }

  /// The value of the `\u` escape at `index`; nil when none stands there.
  private static func unit(at index: Int, in text: [UInt8]) -> Int? {
    guard index + 6 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    return Int(String(decoding: text[index + 2..<index + 6], as: UTF8.self), radix: 16)
  }
}
