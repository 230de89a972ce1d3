import LaunchJSON
import Testing

struct JSONReaderTests {
  @Test func `an object is walked by its keys and its bodies are taken as slices`() throws {
    let line = Array(
      #" {"at":41377, "call":1,"end":{"body":{"json": [1, {"x":"]}"}] },"wireBytes":412},"new":"\u00e9"} "#.utf8)
    var reader = JSONReader(line)
    var at: Int64?
    var body: Range<Int>?
    var unknown: [String: JSON] = [:]
    try reader.beginObject()
    while try reader.nextKey() {
      if reader.equals("at") {
        at = try reader.readInteger()
      } else if reader.equals("end") {
        try reader.beginObject()
        while try reader.nextKey() {
          if reader.equals("body") { body = try reader.skipValue() } else { try reader.skipValue() }
        }
      } else {
        unknown[reader.text] = try reader.readValue()
      }
    }
    try reader.finish()
    #expect(at == 41377)
    #expect(body.map { String(decoding: line[$0], as: UTF8.self) } == #"{"json": [1, {"x":"]}"}] }"#)
    #expect(unknown == ["call": 1, "new": "é"])
  }

  @Test func `tokens carry their place, their text and their value`() throws {
    let text = #"{"a\n":[1,-2.50,"x","",true,null]}"#
    var reader = JSONReader(Array(text.utf8))
    var read: [String] = []
    while true {
      let token = try reader.next()
      let place = "\(reader.tokenRange.lowerBound)..<\(reader.tokenRange.upperBound)"
      read.append("\(token) \(place) \(reader.text)")
      if token == .end { break }
    }
    #expect(
      read == [
        "beginObject 0..<1 {", "key 1..<6 a\n", "beginArray 7..<8 [", "integer(1) 8..<9 1", "number 10..<15 -2.50",
        "string 16..<19 x", "string 20..<22 ", "bool(true) 23..<27 true", "null 28..<32 null", "endArray 32..<33 ]",
        "endObject 33..<34 }", "end 34..<34 ",
      ])
  }

  @Test func `arrays of arrays are walked without building them`() throws {
    var reader = JSONReader(Array(#"[["Set-Cookie","a=1"],["Set-Cookie","b=2"],[]]"#.utf8))
    var lists: [[String]] = []
    try reader.beginArray()
    while try reader.nextElement() {
      var list: [String] = []
      try reader.beginArray()
      while try reader.nextElement() { list.append(try reader.readString()) }
      lists.append(list)
    }
    try reader.finish()
    #expect(lists == [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], []])
  }

  static let comparisons: [(text: String, equal: Bool)] = [
    (#""at""#, true), (#""\u0061t""#, true), (#""a\u0074""#, true), (#""At""#, false), (#""a""#, false),
    (#""att""#, false), (#""at\u0000""#, false), (#""""#, false), ("1", false), ("null", false),
  ]

  @Test(arguments: comparisons)
  func `a string is compared by what it says`(text: String, equal: Bool) throws {
    var reader = JSONReader(Array(text.utf8))
    _ = try reader.next()
    #expect(reader.equals("at") == equal)
  }

  static let mismatches: [(text: String, offset: Int, expected: JSONError.Expected, read: Reading)] = [
    (" []", 1, .object, { reader throws(JSONError) in try reader.beginObject() }),
    (" {}", 1, .array, { reader throws(JSONError) in try reader.beginArray() }),
    ("1", 0, .string, { reader throws(JSONError) in _ = try reader.readString() }),
    ("\"1\"", 0, .integer, { reader throws(JSONError) in _ = try reader.readInteger() }),
    ("1.0", 0, .integer, { reader throws(JSONError) in _ = try reader.readInteger() }),
    ("null", 0, .bool, { reader throws(JSONError) in _ = try reader.readBool() }),
    ("[1]", 1, .key, { reader throws(JSONError) in _ = try (reader.beginArray(), reader.nextKey()) }),
    ("{\"a\":1}", 1, .value, { reader throws(JSONError) in _ = try (reader.beginObject(), reader.nextElement()) }),
    ("[]", 1, .value, { reader throws(JSONError) in _ = try (reader.beginArray(), reader.skipValue()) }),
    ("[]", 1, .value, { reader throws(JSONError) in _ = try (reader.beginArray(), reader.readValue()) }),
    ("{\"a\":1}", 1, .value, { reader throws(JSONError) in _ = try (reader.beginObject(), reader.skipValue()) }),
    ("{\"a\":1}", 1, .value, { reader throws(JSONError) in _ = try (reader.beginObject(), reader.readValue()) }),
  ]
  typealias Reading = @Sendable (inout JSONReader) throws(JSONError) -> Void

  @Test(arguments: mismatches)
  func `a token of another kind is an error at its place`(
    text: String, offset: Int, expected: JSONError.Expected, read: Reading
  ) {
    var reader = JSONReader(Array(text.utf8))
    #expect(throws: JSONError(offset: offset, reason: .expected(expected))) { try read(&reader) }
  }

  @Test(arguments: [("1 2", 2), ("1]", 1), ("1,", 1)])
  func `what follows the value is an error at the finish`(text: String, offset: Int) throws {
    var reader = JSONReader(Array(text.utf8))
    try reader.skipValue()
    #expect(throws: JSONError(offset: offset, reason: .trailingBytes)) { try reader.finish() }
  }

  @Test func `a value that is open is not finished`() throws {
    var reader = JSONReader(Array("[1]".utf8))
    try reader.beginArray()
    #expect(throws: JSONError(offset: 1, reason: .trailingBytes)) { try reader.finish() }
  }

  @Test func `a skipped value is checked as strictly as one that is read`() {
    for text in ["[1,]", "{\"a\":tru}", "[\"\\ud800\"]", "[\"\u{1}\"]", "[01]"] {
      var reader = JSONReader(Array(text.utf8))
      let error = #expect(throws: JSONError.self) { try reader.skipValue() }
      let parsed = #expect(throws: JSONError.self) { try JSON(parsing: text) }
      #expect(error == parsed)
    }
  }

  @Test func `after the end the end is read again`() throws {
    var reader = JSONReader(Array("1 ".utf8))
    try reader.skipValue()
    try reader.finish()
    try reader.finish()
    #expect(try reader.next() == .end)
  }
}
