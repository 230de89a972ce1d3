import Foundation
import LaunchCassette
import LaunchFile
import LaunchTrace
import TestSupport
import Testing

struct CassetteRobustnessTests {
  @Test func `a cassette cut at any byte loses at most the line that was cut`() throws {
    let bytes = Array(sampleText.utf8)
    for length in bytes.indices.dropFirst(headerLine.utf8.count) {
      let cut = Array(bytes[..<length])
      let cassette = try Cassette(parsing: cut, path: "x.cassette.part")
      // A line that only lacks its newline is complete.
      let whole = cut.count { $0 == UInt8(ascii: "\n") } - 1
      let isComplete = bytes[length] == UInt8(ascii: "\n")
      #expect(cassette.events == eventLines.prefix(isComplete ? whole + 1 : max(0, whole)).map(\.event))
      #expect(!cassette.warnings.isEmpty || cassette.trace.isClosed)
    }
  }

  @Test func `a cassette cut within its header says that nothing was recorded`() {
    let bytes = Array(sampleText.utf8)
    for length in 0..<headerLine.utf8.count {
      #expect(throws: CassetteError.self) { try Cassette(parsing: Array(bytes[..<length]), path: "x") }
    }
  }

  @Test func `no changed byte brings the reader down, and what it reads it writes again`() {
    var random = SeededGenerator(seed: 7)
    let bytes = Array(sampleText.utf8)
    for _ in 0..<1500 {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) { mutate(&changed, using: &random) }
      tryReading(changed)
    }
  }

  /// Every form of body, and what a hand may leave.
  @Test(arguments: ["forms.cassette", "by-hand.cassette.part"])
  func `a cassette of every kind, cut or changed anywhere, never brings the reader down`(name: String) throws {
    let path = "\(#filePath)".replacingOccurrences(
      of: "LaunchCassetteTests/CassetteRobustnessTests.swift", with: "Fixtures/cassette/\(name)")
    let bytes = try readFile(path)
    #expect(throws: Never.self) { try Cassette(path: path) }
    for length in bytes.indices { tryReading(Array(bytes[..<length])) }
    var random = SeededGenerator(seed: 11)
    for _ in 0..<1500 {
      var changed = bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) { mutate(&changed, using: &random) }
      tryReading(changed)
    }
  }

  /// Reads any bytes at all; what can be read must be the same after being written.
  private func tryReading(_ bytes: [UInt8]) {
    guard let cassette = try? Cassette(parsing: bytes, path: "x", loadBody: Self.noBody) else { return }
    let again = try? Cassette(parsing: cassette.serialized, path: "x")
    #expect(again?.events == cassette.events && again?.header == cassette.header)
  }

  private static func noBody(_ name: String) throws(FileError) -> [UInt8] { throw FileError(.read, name, "gone") }

  private func mutate(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.remove(at: index)
    case 2: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: index)
    case 3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default:
      let piece = bytes[index..<min(index + Int.random(in: 1..<40, using: &random), bytes.count)]
      bytes.insert(contentsOf: piece, at: Int.random(in: 0..<bytes.count, using: &random))
    }
  }
}
