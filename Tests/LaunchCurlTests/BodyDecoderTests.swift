import Foundation
import LaunchHTTP
import Testing

@testable import LaunchCurl

@Suite struct BodyDecoderTests {
  /// The chunks that the wire gives, and the ending.
  func decode(_ wire: [[UInt8]], _ fields: Fields, limit: Int = 1 << 20) -> ([Chunk], Ending) {
    var decoder = BodyDecoder(ResponseHead(status: 200, fields: fields), limit: limit)
    return (wire.map { decoder.chunk($0) }, decoder.ending(trailers: [:]))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var file: String
    var fields: Fields
    var encoding: String?
    var testDescription: String { file }
  }

  @Test(arguments: [
    Case(file: "best.br", fields: ["Content-Encoding": "br"], encoding: "br"),
    Case(file: "best.zst", fields: ["Content-Encoding": "zstd"], encoding: "zstd"),
    Case(file: "content.gz.br", fields: ["Content-Encoding": "gzip, br"], encoding: "gzip, br"),
    Case(
      file: "content.gz.zst.gz", fields: ["Content-Encoding": "gzip", "content-encoding": "ZSTD,x-gzip"],
      encoding: "gzip, zstd, gzip"),
    Case(file: "content.txt", fields: ["Content-Encoding": "identity, identity"]),
    Case(file: "content.txt", fields: [:]),
  ]) func `encodings are undone chunk by chunk, beside the wire form`(row: Case) throws {
    let wire = try fixture(row.file).map { [$0] }
    let (chunks, ending) = decode(wire, row.fields)
    #expect(chunks.flatMap(\.content) == (try fixture("content.txt")))
    #expect(chunks.map { Array($0.wire) } == wire)
    #expect(ending == Ending(encoding: row.encoding))
  }

  @Test(arguments: [
    ("best.br", "gzip"), ("best.br", "br, br"), ("best.zst", "compress"), ("best.zst", "zstd, gzip"),
    ("long-window.zst", "zstd"), ("long-window-small.zst", "zstd"), ("zeros-1g.br", "br"), ("zeros-1g.zst", "zstd"),
    ("zeros-1g.gz.br", "gzip, br"),
  ]) func `what cannot be undone is raw`(file: String, encoding: String) throws {
    let wire = try fixture(file)
    let (chunks, ending) = decode([wire], ["Content-Encoding": encoding])
    #expect(chunks == [Chunk(wire)])
    #expect(ending == Ending(isRaw: true))
  }

  @Test(arguments: [("zeros-1g.br", "br"), ("zeros-1g.zst", "zstd"), ("zeros-1g.gz.br", "gzip, br")])
  func `a bomb is given up long before the limit`(file: String, encoding: String) throws {
    let wire = try fixture(file)
    let pieces = stride(from: 0, to: wire.count, by: 64).map { Array(wire[$0..<min($0 + 64, wire.count)]) }
    let (chunks, ending) = decode(pieces, ["Content-Encoding": encoding], limit: .max)
    #expect(chunks.reduce(0) { $0 + $1.content.count } < 17 << 20)
    #expect(chunks.flatMap { Array($0.wire) } == wire)
    #expect(ending == Ending(isRaw: true))
  }

  @Test(arguments: [("best.br", "br"), ("best.zst", "zstd"), ("content.gz.br", "gzip, br")])
  func `a body whose encoding ends too early is raw`(file: String, encoding: String) throws {
    let wire = try fixture(file)
    for count in 1..<wire.count {
      #expect(decode([Array(wire[..<count])], ["Content-Encoding": encoding]).1 == Ending(isRaw: true))
    }
  }

  @Test(arguments: ["br", "gzip, br", "compress"])
  func `a body without bytes has nothing to undo`(encoding: String) {
    #expect(decode([], ["Content-Encoding": encoding]).1 == Ending())
  }

  private func fixture(_ name: String) throws -> [UInt8] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: tests.appendingPathComponent("Fixtures/codings/\(name)")))
  }
}
