import LaunchJSON
import TestSupport
import Testing

struct JSONRobustnessTests {
  /// Every token, escape and UTF-8 length in a text of its own and in one document.
  static let texts: [String] = [
    #"{"at":41377,"call":1,"request":{"method":"POST","url":"https://api.example.com/apps/1","headers":[["A","b"],["A",""]]}}"#,
    "{ \"k\u{E9}y\\u00e9\" : [ true , false , null , \"\\ud83d\\ude00\u{1F600}\u{20AC}\\\"\\\\\\/\\b\\f\\n\\r\\t\" ] }\n",
    "[0,-1,1.5,-0.25e+10,1E-7,9223372036854775807,-9223372036854775808,18446744073709551615]",
    "[[[[{\"a\":{\"b\":{\"a\":[],\"b\":{}}}}]],\"sixteen bytes and more of plain text\"]]",
  ]

  @Test(arguments: texts)
  func `a text cut at any byte ends too early there`(text: String) throws {
    let bytes = Array(text.utf8)
    #expect(fuzzJSON(bytes))
    let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") } ?? 0
    for cut in 0...end {
      #expect(throws: JSONError(offset: cut, reason: .endOfInput)) { try JSON(parsing: Array(bytes[..<cut])) }
      #expect(throws: JSONError(offset: cut, reason: .endOfInput)) { try JSON(parsing: bytes, in: 0..<cut) }
      fuzzJSON(Array(bytes[..<cut]))
      fuzzJSON(Array(bytes[cut...]))
    }
  }

  @Test(arguments: texts.indices)
  func `mutated texts are read or refused and never trap`(index: Int) {
    var generator = SeededGenerator(seed: UInt64(index) + 1)
    let bytes = Array(Self.texts[index].utf8)
    var accepted = 0
    for _ in 0..<4_000 {
      if fuzzJSON(bytes.mutated(using: &generator)) { accepted += 1 }
    }
    #expect(accepted > 0)
  }

  @Test func `random values survive writing and reading`() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let value = JSON.random(depth: 4, using: &generator)
      let bytes = value.serialized
      let again = try JSON(parsing: bytes)
      #expect(again == value)
      #expect(again.serialized == bytes)
      #expect(JSON.isCompact(bytes))
      fuzzJSON(bytes.mutated(using: &generator))
    }
  }
}

extension [UInt8] {
  /// One to three changes: a byte replaced, inserted or removed, a piece repeated, the rest cut off.
  func mutated(using generator: inout SeededGenerator) -> [UInt8] {
    let spice = Array("\"\\{}[]:,-+.eE0190nulltrufas \n\t\u{0}\u{1F}\u{7F}é€😀".utf8) + [0x80, 0xC0, 0xED, 0xF4, 0xFF]
    var result = self
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !result.isEmpty {
      let index = Int.random(in: result.indices, using: &generator)
      let byte = spice.randomElement(using: &generator)!
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...2: result[index] = byte
      case 3, 4: result.insert(byte, at: index)
      case 5: result.remove(at: index)
      case 6:
        let end = Swift.min(index + Int.random(in: 1...12, using: &generator), result.endIndex)
        result.insert(contentsOf: result[index..<end], at: index)
      default: result.removeSubrange(index...)
      }
    }
    return result
  }
}
