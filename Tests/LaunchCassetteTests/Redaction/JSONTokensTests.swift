import LaunchJSON
import Testing

@testable import LaunchCassette

/// The tokens of texts that redaction walks over.
struct JSONTokensTests {
  static let texts = [
    #"{"a":1,"b":[true,null,-1.5e+3,"x"],"c":{"d":"\"\\\u00e9é"},"":{}}"#,
    " { \"a\" : [ ] ,\t\"b\" : \"c:d\" , \"e\":{ \"f\" : 0 } }\n[1,2]",
    #"["a","b",{"c":[[["d"]]]},false]"#, #""text""#, "12", "[]",
  ]

  @Test(arguments: texts) func `are those of a strict reader, wherever the text is cut off`(_ text: String) {
    let bytes = Array(text.utf8)
    for count in 0...bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(tokens(of: cut) == readTokens(of: cut), "\(String(decoding: cut, as: UTF8.self))")
    }
  }

  @Test(arguments: texts) func `end where a strict reader finds a mistake`(_ text: String) {
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      var changed = bytes
      changed[place] = UInt8(ascii: "x")
      #expect(tokens(of: changed) == readTokens(of: changed), "\(String(decoding: changed, as: UTF8.self))")
    }
  }

  @Test func `the string that a text is cut off in is one more, wherever that is`() {
    let text = Array(#"{"a":["x\"y","b"],"c":"d\\"}"#.utf8)
    let strings = [1..<4, 6..<12, 13..<16, 18..<21, 22..<27]
    for count in 0...text.count {
      let cut = Array(text.prefix(count))
      let open = strings.first { $0.contains(count) && $0.lowerBound < count }
      #expect(allTokens(of: cut).last { $0.upperBound > count } == open.map { $0.lowerBound..<count + 1 })
    }
  }

  /// Without that string.
  private func tokens(of text: [UInt8]) -> [Range<Int>] { allTokens(of: text).filter { $0.upperBound <= text.count } }

  private func allTokens(of text: [UInt8]) -> [Range<Int>] {
    var tokens = JSONTokens(text, from: 0)
    var ranges: [Range<Int>] = []
    while let token = tokens.next() { ranges.append(token.range) }
    return ranges
  }

  private func readTokens(of text: [UInt8]) -> [Range<Int>] {
    var reader = JSONReader(text)
    var ranges: [Range<Int>] = []
    while let token = try? reader.next(), token != .end { ranges.append(reader.tokenRange) }
    return ranges
  }
}
