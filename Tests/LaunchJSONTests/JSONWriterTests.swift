import LaunchJSON
import Testing

struct JSONWriterTests {
  static let strings: [(string: String, written: String)] = [
    ("", #""""#),
    ("plain text of more than eight bytes", #""plain text of more than eight bytes""#),
    ("\"\\/", #""\"\\/""#),
    ("\u{8}\u{9}\u{A}\u{C}\u{D}", #""\b\t\n\f\r""#),
    ("\u{0}\u{1}\u{B}\u{E}\u{F}\u{10}\u{1A}\u{1F}", #""\u0000\u0001\u000b\u000e\u000f\u0010\u001a\u001f""#),
    ("\u{7F}é€😀\u{2028}", "\"\u{7F}é€😀\u{2028}\""),
    ("eight by\"after eight", #""eight by\"after eight""#),
    ("äöü\näöü", #""äöü\näöü""#),
  ]

  @Test(arguments: strings)
  func `strings are literal UTF-8 with the fewest escapes`(string: String, written: String) throws {
    #expect(JSON.string(string).text == written)
    #expect(try JSON(parsing: written) == .string(string))
  }

  @Test func `commas and colons stand where they must`() {
    var writer = JSONWriter(appendingTo: Array("head\n".utf8))
    writer.beginObject()
    writer.key("a")
    writer.integer(-1)
    writer.key("b")
    writer.beginArray()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.bool(true)
    writer.raw(Array(#"{"x":1}"#.utf8))
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.key("c")
    writer.number("1e5")
    writer.key("d")
    writer.value(["e": ["f", false]])
    writer.endObject()
    writer.newline()
    writer.string("next")
    let expected = #"{"a":-1,"b":[[],null,true,{"x":1},{}],"c":1e5,"d":{"e":["f",false]}}"#
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "head\n\(expected)\n\"next\"")
    writer.removeAll()
    writer.bool(false)
    #expect(writer.bytes == Array("false".utf8))
  }

  @Test func `numbers are written as they were read`() throws {
    let text = "[0,-0,1.0,1.50,1E5,-1e-05,9223372036854775807,18446744073709551616]"
    #expect(try JSON(parsing: text).text == text)
  }

  static let compact: [(text: String, isCompact: Bool)] = [
    (#"{"a":[1,-0,"x\n\u001f",{}],"b":null}"#, true), ("[]", true), ("1.50E3", true), ("\"/\u{7F}ä\"", true),
    (#"{"a":1,"a":1}"#, true),
    (" 1", false), ("1\n", false), ("[ ]", false), ("[1, 2]", false), ("{\"a\" :1}", false), ("{\"a\": 1}", false),
    ("{\"a\":1 }", false), (#""\/""#, false), (#""\u00e9""#, false), (#""\u000A""#, false), (#""\u001F""#, false),
    (#"{"\u0061":1}"#, false), ("", false), ("[1", false), ("1,", false),
  ]

  @Test(arguments: compact)
  func `compact text is recognised`(text: String, isCompact: Bool) {
    #expect(JSON.isCompact(Array(text.utf8)) == isCompact)
    #expect(((try? JSON(parsing: text))?.text == text) == isCompact)
  }
}
