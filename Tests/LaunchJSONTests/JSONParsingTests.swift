import LaunchJSON
import Testing

struct JSONParsingTests {
  static let accepted: [(text: String, value: JSON)] = [
    // White space and bare values
    (" \t\r\n null \n", nil),
    ("true", true),
    ("false", false),
    ("\"\"", ""),
    ("[ ]", []),
    ("{ }", [:]),
    ("[1 ,\n2]", [1, 2]),
    ("{\"a\" : 1 , \"b\" : [ ] }", ["a": 1, "b": []]),
    // Numbers
    ("0", 0),
    ("-1", -1),
    ("-0", .number("-0")),
    ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number("9223372036854775808")),
    ("-9223372036854775809", .number("-9223372036854775809")),
    ("18446744073709551615", .number("18446744073709551615")),
    ("99999999999999999999", .number("99999999999999999999")),
    ("1.0", .number("1.0")),
    ("-0.10", .number("-0.10")),
    ("1e5", .number("1e5")),
    ("1E+05", .number("1E+05")),
    ("12.50e-0", .number("12.50e-0")),
    ("1e999999999999999999999", .number("1e999999999999999999999")),
    // Strings
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0000\u001F\u00e9\u20AC\uFFFF""#, "\u{0}\u{1F}\u{E9}\u{20AC}\u{FFFF}"),
    (#""\uD83D\ude00\uDBFF\uDFFF""#, "\u{1F600}\u{10FFFF}"),
    (#""before \u0041 after \\u0041""#, "before A after \\u0041"),
    (
      "\"\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\"",
      "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
    ),
    ("\"\u{FEFF}a\"", "\u{FEFF}a"),
    (
      "\"sixteen and more bytes, then ä and again sixteen bytes\"",
      "sixteen and more bytes, then ä and again sixteen bytes"
    ),
    // Members keep their order and their duplicates
    (#"{"b":1,"a":2,"b":3,"":4}"#, ["b": 1, "a": 2, "b": 3, "": 4]),
    (#"{"\u0061":{"b":[{}]}}"#, ["a": ["b": [[:]]]]),
  ]

  @Test(arguments: accepted)
  func `valid text is accepted`(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
  }

  static let refused: [(text: String, reason: JSONError.Reason, offset: Int)] = [
    // The end
    ("", .endOfInput, 0),
    ("  ", .endOfInput, 2),
    ("[", .endOfInput, 1),
    ("{\"a\"", .endOfInput, 4),
    ("{\"a\":", .endOfInput, 5),
    ("[1,", .endOfInput, 3),
    ("\"abc", .endOfInput, 4),
    (#""\"#, .endOfInput, 2),
    (#""\u12"#, .endOfInput, 5),
    (#""\ud83d\u"#, .endOfInput, 9),
    ("-", .endOfInput, 1),
    ("1.", .endOfInput, 2),
    ("1e+", .endOfInput, 3),
    ("nul", .endOfInput, 3),
    // Structure
    ("[1]]", .trailingBytes, 3),
    ("1 2", .trailingBytes, 2),
    ("{}\u{0}", .trailingBytes, 2),
    ("[1,]", .expected(.value), 3),
    ("[,1]", .expected(.value), 1),
    ("[1 2]", .expected(.commaOrBracket), 3),
    ("[1}", .expected(.commaOrBracket), 2),
    ("{1:2}", .expected(.key), 1),
    ("{\"a\":1,}", .expected(.key), 7),
    ("{'a':1}", .expected(.key), 1),
    ("{\"a\" 1}", .expected(.colon), 5),
    ("{\"a\":}", .expected(.value), 5),
    ("{\"a\":1 \"b\":2}", .expected(.commaOrBrace), 7),
    ("{\"a\":1]", .expected(.commaOrBrace), 6),
    ("]", .expected(.value), 0),
    ("[1]//", .trailingBytes, 3),
    ("/**/1", .expected(.value), 0),
    ("\u{FEFF}{}", .byteOrderMark, 0),
    ("[\u{FEFF}]", .expected(.value), 1),
    ("\u{C}1", .expected(.value), 0),
    ("\u{A0}1", .expected(.value), 0),
    // Literals
    ("True", .expected(.value), 0),
    ("NaN", .expected(.value), 0),
    ("Infinity", .expected(.value), 0),
    ("tru\u{0}", .expected(.true), 3),
    ("[fals]", .expected(.false), 5),
    ("nuLl", .expected(.null), 2),
    ("nulll", .trailingBytes, 4),
    // Numbers
    ("01", .leadingZero, 0),
    ("-012", .leadingZero, 1),
    ("[00.1]", .leadingZero, 1),
    ("+1", .expected(.value), 0),
    (".5", .expected(.value), 0),
    ("-a", .expected(.digit), 1),
    ("- 1", .expected(.digit), 1),
    ("1.e1", .expected(.digit), 2),
    ("[1e]", .expected(.digit), 3),
    ("[1e1.5]", .expected(.commaOrBracket), 4),
    ("0x10", .trailingBytes, 1),
    ("1_000", .trailingBytes, 1),
    ("-Infinity", .expected(.digit), 1),
    ("\u{FF11}", .expected(.value), 0),
    // Strings
    ("\"a\u{1F}b\"", .controlCharacter, 2),
    ("\"\u{0}\"", .controlCharacter, 1),
    ("\"tab\tand more than eight bytes\"", .controlCharacter, 4),
    ("\"line\nend\"", .controlCharacter, 5),
    (#""\a""#, .escape, 1),
    (#""ab\u00g0""#, .escape, 3),
    (#""\u+123""#, .escape, 1),
    (#""\U0041""#, .escape, 1),
    (#""\x41""#, .escape, 1),
    (#""\ud800""#, .loneSurrogate, 1),
    (#""\udc00""#, .loneSurrogate, 1),
    (#""\ud83d ""#, .loneSurrogate, 1),
    (#""\ud83d\n""#, .loneSurrogate, 1),
    (#""\ud83d\ud83d\ude00""#, .loneSurrogate, 1),
    (#""\ude00\ud83d""#, .loneSurrogate, 1),
    (#"{"\ud800":1}"#, .loneSurrogate, 2),
  ]

  @Test(arguments: refused)
  func `invalid text is refused with the reason and the byte`(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(throws: JSONError(offset: offset, reason: reason)) { try JSON(parsing: text) }
  }

  static let invalidUTF8: [[UInt8]] = [
    [0x80], [0xBF], [0xFE], [0xFF],  // never a first byte
    [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],  // overlong
    [0xF0, 0x8F, 0xBF, 0xBF],
    [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],  // surrogates
    [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFC, 0x80, 0x80, 0x80, 0x80, 0x80],  // beyond U+10FFFF
    [0xC3], [0xC3, 0x41], [0xE2, 0x82], [0xE2, 0x41, 0x82], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41],  // too short
  ]

  @Test(arguments: invalidUTF8)
  func `bytes that are not UTF-8 are refused where their sequence starts`(sequence: [UInt8]) {
    let text = Array("[\"ok ä".utf8) + sequence + Array("\"]".utf8)
    #expect(throws: JSONError(offset: 7, reason: .invalidUTF8)) { try JSON(parsing: text) }
  }

  @Test func `every scalar that UTF-8 can hold is accepted`() throws {
    for plane in UInt32(0)...0x10 {
      var scalars = String.UnicodeScalarView()
      for value in plane << 16...plane << 16 | 0xFFFF where value >= 0x20 && value != 0x22 && value != 0x5C {
        if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
      }
      #expect(try JSON(parsing: "\"\(scalars)\"") == .string(String(scalars)))
    }
  }

  @Test(arguments: [("[", "]", 1), ("{\"a\":", "}", 5), ("[{\"a\":", "}]", 3)])
  func `512 levels are read and one more is refused`(open: String, close: String, bytesPerLevel: Int) throws {
    let levels = open.hasPrefix("[{") ? 256 : 512
    let opened = String(repeating: open, count: levels)
    let closed = String(repeating: close, count: levels)
    let deepest = try JSON(parsing: opened + "1" + closed)
    #expect(deepest.text == opened + "1" + closed)
    #expect(throws: JSONError(offset: opened.utf8.count, reason: .depth)) { try JSON(parsing: opened + "[]" + closed) }
  }

  @Test func `a hundred thousand opening brackets are an error and no overflow`() {
    let brackets = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(throws: JSONError(offset: 512, reason: .depth)) { try JSON(parsing: brackets) }
  }

  @Test func `a value inside of other bytes is read with offsets of the whole`() throws {
    let bytes = Array("xx[1,2]yy[1,]".utf8)
    #expect(try JSON(parsing: bytes, in: 2..<7) == [1, 2])
    #expect(throws: JSONError(offset: 12, reason: .expected(.value))) { try JSON(parsing: bytes, in: 9..<13) }
    #expect(throws: JSONError(offset: 6, reason: .endOfInput)) { try JSON(parsing: bytes, in: 2..<6) }
  }

  @Test func `duplicate keys are kept, found and reported by their bytes`() throws {
    let object = try JSON(parsing: #"{"a":1,"b":2,"a":3}"#).object
    #expect(object?.duplicateKey == "a")
    #expect(object?["a"] == 3)
    // One character to Unicode, two keys to JSON.
    let accents = try JSON(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}").object
    #expect(accents?.duplicateKey == nil)
    #expect(accents?["\u{E9}"] == 1)
  }

  @Test func `an error is one sentence`() {
    #expect("\(JSONError(offset: 3, reason: .expected(.value)))" == "expected a value at byte 3")
    #expect(
      "\(JSONError(offset: 0, reason: .byteOrderMark))" == "a JSON text must not start with a byte order mark at byte 0"
    )
  }
}
