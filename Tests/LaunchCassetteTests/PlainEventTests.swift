import LaunchTrace
import TestSupport
import Testing

@testable import LaunchCassette

/// The fast way through a line against the careful one.
struct PlainEventTests {
  /// Lines of every kind that the fast way takes, and their like with what it leaves alone.
  static let lines: [String] =
    eventLines.map(\.line) + [
      #"{"at":1,"call":1,"end":{}}"#,
      #"{"at":1,"call":1,"end":{"body":{"text":""}}}"#,
      #"{"at":1,"call":1,"end":{"body":{"text":"a=1&b=2"},"encoding":"br","wireBytes":9}}"#,
      #"{"at":1,"call":1,"end":{"body":{"json":[{},[],-0.5e-3,"é漢😀\n\"",true,false,null,{"a":[1,{"b":[[]]}]}]}}}"#,
      #"{"at":1,"call":1,"end":{"body":{"json":"\u000b"}}}"#,
      #"{"at":1,"call":1,"response":{"status":200,"headers":[["A","b"],["A","b"]],"http":"2"}}"#,
      #"{"at":1,"call":1,"request":{"method":"GET","url":"https://a.b:81/c?d","headers":[["A","b"]],"body":{"text":"x"}}}"#,
      #"{"at":1,"call":7,"connection":{"id":3,"address":"[::1]:80","connect":12345678901234567,"http":"1.0"}}"#,
      #"{"at":1,"call":7,"connection":{"id":3,"address":"a","connect":1234567890123456789,"http":"1.0"}}"#,
      #"{"at":1,"call":7,"connection":{"status":200,"headers":[],"http":"1.1"}}"#,
    ]

  @Test(arguments: lines) func `the fast way reads a line as the careful one does, or leaves it`(line: String) {
    agree(on: Array(line.utf8))
  }

  @Test func `every line of a call, and of a mark without fields, takes the fast way`() {
    let taken = Self.lines.filter { plain(Array($0.utf8)) != nil }
    for key in ["request", "connection", "sent", "response", "chunk", "end"] {
      #expect(taken.contains { $0.contains("\"\(key)\":{") }, "\(key)")
    }
  }

  @Test(arguments: lines) func `a cut line is left to the careful way`(line: String) {
    let bytes = Array(line.utf8)
    for end in bytes.indices { #expect(plain(Array(bytes[..<end])) == nil) }
    // Nothing behind the line, so that not even its line feed is there.
    for end in 0...bytes.count {
      var reader = LineReader(Array(bytes[..<end]))
      let text = Array(bytes[..<end])
      #expect(reader.plainEvent(at: 0, in: text.span) == nil)
    }
  }

  @Test(arguments: lines) func `a line with bytes changed is read alike or left`(line: String) {
    var generator = SeededGenerator(seed: 7)
    let alphabet = Array(#"{}[]":,\u0019-+.eE tfn/?#é"#.utf8) + [0x00, 0x0D, 0x7F, 0x80, 0xC0, 0xED, 0xF5, 0xFF]
    for _ in 0..<400 {
      var bytes = Array(line.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        let byte = alphabet.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        default: if bytes.count > 1 { bytes.remove(at: index) }
        }
      }
      agree(on: bytes)
    }
  }

  @Test func `equal parts are shared and stay what they are`() {
    let text = Self.lines.joined(separator: "\n") + "\n"
    let bytes = Array((text + text + text).utf8)
    var reader = LineReader(bytes)
    var lines = LineSplitter(bytes)
    while let line = lines.next() {
      guard let (event, end) = reader.plainEvent(at: line.range.lowerBound, in: bytes.span) else { continue }
      #expect(end == line.range.upperBound)
      var careful = LineReader(bytes, in: line.range)
      #expect((try? careful.event()) == event)
    }
  }

  private func agree(on line: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    guard let event = plain(line) else { return }
    var careful = LineReader(line, in: line.indices)
    let text = String(decoding: line, as: UTF8.self)
    #expect((try? careful.event()) == event, "\(text)", sourceLocation: sourceLocation)
    #expect(careful.remarks.isEmpty, "\(text)", sourceLocation: sourceLocation)
  }

  /// The event that the fast way finds in a line which another one follows.
  private func plain(_ line: [UInt8]) -> Event? {
    let bytes = line + Array("\n{\"at\":0,\"launch\":1}\n".utf8)
    var reader = LineReader(bytes)
    guard let (event, end) = reader.plainEvent(at: 0, in: bytes.span) else { return nil }
    return end == line.count ? event : nil
  }
}
