import LaunchJSON
import TestSupport
import Testing

@testable import LaunchContract

/// One value of a JSON text, read without the others.
struct FieldReadingTests {
  private static let text =
    #"{"a":1,"b":{"a":[1,{"c":"x"},[2,3]],"c":null},"a":{"b":2.50,"\u0061":true},"é":[ ],"a":{"b":{"c":[7]}}}"#

  private static let paths: [[FieldPath.Step]] = [
    [], [.key("a")], [.key("a"), .key("b")], [.key("a"), .key("b"), .key("c"), .index(0)], [.key("b"), .key("a")],
    [.key("b"), .key("a"), .index(0)], [.key("b"), .key("a"), .index(1), .key("c")],
    [.key("b"), .key("a"), .index(2), .index(1)], [.key("b"), .key("c")], [.key("b"), .key("c"), .key("d")],
    [.index(0)], [.key("é")], [.key("é"), .index(0)], [.key("e\u{301}")], [.key("a"), .index(0)], [.key("z")],
  ]

  @Test(arguments: paths)
  func `it is the value that the whole tree has, in whatever is left of the text`(steps: [FieldPath.Step]) {
    let path = FieldPath(.body, steps, text: "body")
    let bytes = Array(Self.text.utf8)
    for count in 0...bytes.count { expectSame(path, Array(bytes[..<count])) }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = mutant.indices.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: mutant.remove(at: place)
        case 1: mutant[place] = bytes.randomElement(using: &generator) ?? 0
        default: mutant.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
        }
      }
      expectSame(path, mutant)
    }
  }

  private func expectSame(_ path: FieldPath, _ bytes: [UInt8]) {
    let expected = (try? JSON(parsing: bytes)).flatMap(path.value)
    #expect(path.value(inText: bytes) == expected, "\(String(decoding: bytes, as: UTF8.self))")
  }
}
