@testable import LaunchCassette
import LaunchJSON
import TestSupport
import Testing

struct HARRobustnessTests {
  @Test(arguments: HARFixtures.names)
  func `a HAR cut at any byte gives an error, never a trap`(file: String) throws {
    let bytes = try HARFixtures.bytes(file)
    for length in bytes.indices.dropLast(2) {
      #expect(throws: CassetteError.self) {
        try Cassette(har: Array(bytes[..<length]), path: file, inflate: inflateStoredBlocks)
      }
    }
  }

  @Test(arguments: HARFixtures.names)
  func `no changed byte brings the reader down, and what it reads comes back`(file: String) throws {
    var random = SeededGenerator(seed: 3)
    let bytes = try HARFixtures.bytes(file)
    for _ in 0..<20 {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) { mutate(&changed, using: &random) }
      try checkWhatIsRead(changed, file)
    }
  }

  @Test(arguments: HARFixtures.names)
  func `any value may stand anywhere`(file: String) throws {
    var random = SeededGenerator(seed: 5)
    let root = try HARFixtures.root(file)
    for _ in 0..<20 { try checkWhatIsRead(replacing(root, using: &random).serialized, file) }
  }

  @Test func `any member of our own export may be any value`() throws {
    var random = SeededGenerator(seed: 9)
    let cassette = try Cassette(parsing: Array(sampleText.utf8), path: "sample.cassette")
    let root = try JSON(parsing: cassette.har)
    for _ in 0..<100 { try checkWhatIsRead(replacing(root, using: &random).serialized, "x.har") }
  }

  /// What can be read has a file that can be read, and an export that gives it back.
  private func checkWhatIsRead(_ bytes: [UInt8], _ file: String) throws {
    guard let cassette = try? Cassette(har: bytes, path: file, inflate: inflateStoredBlocks) else { return }
    let reread = try Cassette(parsing: cassette.serialized, path: "x.cassette")
    #expect(reread.events == cassette.events)
    let again = try Cassette(har: reread.har, path: file)
    #expect(again.events == cassette.events)
    #expect(again.header == cassette.header)
  }

  /// The value with something else in the place of one of its parts.
  private func replacing(_ json: JSON, using random: inout SeededGenerator) -> JSON {
    if Int.random(in: 0..<12, using: &random) > 0 {
      switch json {
      case .array(var elements) where !elements.isEmpty:
        let index = Int.random(in: elements.indices, using: &random)
        elements[index] = replacing(elements[index], using: &random)
        return .array(elements)
      case .object(var object) where !object.isEmpty:
        let index = Int.random(in: object.members.indices, using: &random)
        object.members[index].value = replacing(object.members[index].value, using: &random)
        return .object(object)
      default: break
      }
    }
    let values: [JSON] = [
      nil, true, -1, 0, 1, 9_223_372_036_854_775_807, .number("1e999"), .number("-0"), .number("1e308"), "", "NaN",
      "12",
      "2024-03-01T08:00:00", "9999-12-31T23:59:59Z", "0000-01-01", "https://[::1]:65535/?", "é\u{0}\n", [], [[]], [nil],
      ["a", "b"], [:], ["name": "a"], ["-": ["a"]], ["=": 1], ["~": [0, 99, []]], ["a": 1],
    ]
    return values[Int.random(in: values.indices, using: &random)]
  }

  private func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: index)
    case 2: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default:
      let piece = bytes[index..<min(index + Int.random(in: 1..<40, using: &random), bytes.count)]
      bytes.insert(contentsOf: piece, at: Int.random(in: 0..<bytes.count, using: &random))
    }
  }
}
