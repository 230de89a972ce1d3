import Foundation
import LaunchCassette
import LaunchCodings
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

@testable import LaunchCurl

/// Secrets in compressed content that is cut off, broken, packed twice, or sent by the app.
@Suite struct PackedSecretTests {
  private static let token = "s3cr3t-t0ken-value"
  private static let content = Array(
    #"{"note":"some words before it, as answers have them","token":"\#(token)","more":"and some behind it"}"#.utf8)

  private static let unpacker = Unpacker { bytes, encoding, limit in
    ContentDecoder.prefix(of: bytes, encoding: encoding, limit: limit).map { prefix in
      Unpacker.Content(prefix.content, reach: prefix.fault == nil ? .whole : prefix.isRead ? .cut : .part)
    }
  } encode: { content, encoding in
    try? LaunchCodings.encode(content, as: encoding)
  }

  private static func redactor(_ rules: String = "redact json token as token") throws -> Redactor {
    Redactor(rules: try RedactionRules(parsing: rules, file: "r"), unpacker: unpacker)
  }

  /// What a recording makes of an answer whose wire form is this.
  private static func content(of wire: [UInt8], _ encoding: String) -> Content {
    var decoder = BodyDecoder(ResponseHead(status: 200, fields: ["Content-Encoding": encoding]))
    let chunk = decoder.chunk(wire)
    let ending = decoder.ending(trailers: [:])
    return Content(Body(ending.isRaw ? chunk.wire : chunk.content), encoding: ending.encoding, isRaw: ending.isRaw)
  }

  private static func redacted(_ content: Content, _ redactor: inout Redactor) throws -> Content {
    let event = redactor.redact(Event(at: .zero, .call(1, .end(content))))
    guard case .call(_, .end(let redacted)) = event.kind else { throw Unexpected() }
    #expect(redacted.isMissing == (event.unknownInside["withheld"] != nil))
    return redacted
  }

  /// How many bytes of the secret somebody can get out of these.
  private static func exposed(in bytes: [UInt8], depth: Int = 0) -> Int {
    let text = String(decoding: bytes, as: UTF8.self)
    let own = (1...token.count).last { count in
      count == token.count ? text.contains(token) : text.hasSuffix(token.prefix(count))
    }
    guard depth < 3 else { return own ?? 0 }
    let inside = ["gzip", "deflate", "br", "zstd"].map { encoding -> Int in
      guard let prefix = ContentDecoder.prefix(of: bytes, encoding: encoding, limit: 1 << 20), !prefix.content.isEmpty
      else { return 0 }
      return exposed(in: prefix.content, depth: depth + 1)
    }
    return max(own ?? 0, inside.max() ?? 0)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, br", "br, gzip"])
  func `no cut leaves a secret, and what was cut before it is kept`(encoding: String) throws {
    let wire = try encode(Self.content, as: encoding)
    var kept = 0
    for count in 1..<wire.count {
      var redactor = try Self.redactor()
      let raw = Self.content(of: Array(wire.prefix(count)), encoding)
      // Bytes that end the content may be missing: then it is not raw.
      let content = try Self.redacted(raw, &redactor)
      #expect(Self.exposed(in: content.body.bytes) < 2, "\(encoding) cut at \(count)")
      if content.isRaw { kept += 1 }
      if content.isMissing { #expect(content.wireBytes == count && content.body.isEmpty) }
    }
    #expect(encoding == "zstd" || kept > 0)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `no damage leaves what can still be decoded of a secret`(encoding: String) throws {
    let wire = try encode(Self.content, as: encoding)
    for place in wire.indices {
      var damaged = wire
      damaged[place] ^= 0x10
      var redactor = try Self.redactor()
      let content = try Self.redacted(Self.content(of: damaged, encoding), &redactor)
      guard Self.exposed(in: content.body.bytes) >= 6 else { continue }
      // Where the name itself is damaged, no rule knows what it was.
      #expect(content.isRaw || content.encoding != nil)
      let prefix = try #require(ContentDecoder.prefix(of: damaged, encoding: encoding))
      #expect(
        !String(decoding: prefix.content, as: UTF8.self).contains(#""token":"#), "\(encoding) damaged at \(place)")
    }
  }

  @Test func `a wrong checksum alone withholds what has a secret, and nothing else`() throws {
    for (text, isMissing) in [(Self.content, true), (Array(#"{"note":"nothing of interest"}"#.utf8), false)] {
      var wire = try encode(text, as: "gzip")
      wire[wire.count - 6] ^= 1
      var redactor = try Self.redactor()
      let content = try Self.redacted(Self.content(of: wire, "gzip"), &redactor)
      #expect(content.isMissing == isMissing && content.isRaw == !isMissing)
    }
  }

  @Test func `what is in no encoding at all stays, whatever its head says`() throws {
    for body in [
      Array("plain text, said to be gzip".utf8), [0x1F, 0x8B, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3], [0, 1, 2, 3],
    ] {
      var redactor = try Self.redactor()
      let content = Content(body, isRaw: true)
      #expect(try Self.redacted(content, &redactor) == content)
    }
  }

  @Test func `content that is packed once more is looked into`() throws {
    let twice = try encode(encode(Self.content, as: "gzip"), as: "zstd")
    for body in [try encode(Self.content, as: "gzip"), twice, Array(twice.dropLast(3))] {
      var redactor = try Self.redactor()
      #expect(try Self.redacted(Content(body), &redactor).isMissing)
    }
    var redactor = try Self.redactor()
    let clean = Content(try encode(Array("a harmless log of many words".utf8), as: "gzip"))
    #expect(try Self.redacted(clean, &redactor) == clean)
  }

  private static func request(_ body: [UInt8], _ encoding: String) -> Request {
    Request(
      method: "POST", location: Location(scheme: "https", host: "api.example.com", path: "/events"),
      fields: ["Content-Type": "application/json", "Content-Encoding": encoding], body: body)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, br"])
  func `what the app sends compressed is redacted and compressed again, and a replay matches it`(
    encoding: String
  ) async throws {
    var redactor = try Self.redactor()
    let location = Self.request(try encode(Self.content, as: encoding), encoding)
    let event = redactor.redact(Event(at: .zero, .call(1, .request(location, from: nil))))
    guard case .call(_, .request(let request, _)) = event.kind else { throw Unexpected() }
    let prefix = try #require(ContentDecoder.prefix(of: request.body.bytes, encoding: encoding))
    let text = String(decoding: prefix.content, as: UTF8.self)
    #expect(prefix.fault == nil && text.utf8.count == Self.content.count && !text.contains(Self.token))
    #expect(event.unknownInside.isEmpty)

    let end = Event(at: .zero, .call(1, .end(Content())))
    let head = Event(at: .zero, .call(1, .response(ResponseHead(status: 204))))
    let closed = redactor.redact(Event(at: .zero, .closed(Closing(events: 3))))
    var matching = Matching()
    matching.decode = { bytes, encoding in
      ContentDecoder.prefix(of: bytes, encoding: encoding).flatMap { $0.fault == nil ? $0.content : nil }
    }
    let replay = ReplayTransport(Trace(name: "t", events: [event, head, end, closed]), matching: matching)
    let other = String(decoding: Self.content, as: UTF8.self).replacing(Self.token, with: "an0ther-t0ken-here")
    let live = Self.request(try encode(Array(other.utf8), as: encoding), encoding)
    #expect(try await replay.response(to: live).head.status == 204)
  }

  @Test func `what the app sent broken is withheld behind a note of its length`() throws {
    let wire = Array(try encode(Self.content, as: "gzip").dropLast(9))
    var redactor = try Self.redactor()
    let event = redactor.redact(Event(at: .zero, .call(1, .request(Self.request(wire, "gzip"), from: nil))))
    guard case .call(_, .request(let request, _)) = event.kind else { throw Unexpected() }
    #expect(request.body.count == wire.count && request.body.bytes.starts(with: "<!-- withheld -->".utf8))
    #expect(event.unknownInside["withheld"] != nil)
    #expect(redactor.redact(event) == event)
  }

  @Test func `a secret that is recognised late is taken out of what was kept, and a replay says so`() async throws {
    let folder = try createUniqueFolder(prefix: "launchtape-packed-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/late.cassette"
    let cut = Array(
      try encode(Array("signed in as \(Self.token), which no rule points at".utf8), as: "gzip").dropLast(4))
    let server = AnswerTransport { request in
      guard request.location.path == "/cut" else {
        return Answer(head: ResponseHead(status: 200), body: Array(#"{"token":"\#(Self.token)"}"#.utf8))
      }
      return Answer(parts: [
        .init(at: .zero, .head(ResponseHead(status: 200, fields: ["Content-Encoding": "gzip"]))),
        .init(at: .zero, .chunk(Chunk(cut))), .init(at: .zero, .end(Ending(isRaw: true))),
      ])
    }
    var recorder = LaunchDeck.Recorder(path: path, by: "x")
    recorder.rules = try RedactionRules(parsing: "redact json token as token", file: "r")
    recorder.unpacker = Self.unpacker
    try await recorder.record(over: server) { tap in
      _ = try await tap.response(to: Self.get("/cut"))
      _ = try await tap.response(to: Self.get("/token"))
    }
    let cassette = try Cassette(path: path)
    #expect(
      cassette.warnings.map(\.message) == [
        "the body that call 1 got was withheld: what it holds in compressed form has a secret in it; it cannot be replayed"
      ])
    let replay = ReplayTransport(cassette.trace)
    let error = await #expect(throws: TransportError.self) { try await replay.response(to: Self.get("/cut")) }
    #expect(error?.message.contains("withheld because of a secret") == true)
    #expect(try await replay.response(to: Self.get("/token")).head.status == 200)
    // Through a HAR and back it says the same.
    let har = try Cassette(har: cassette.har, path: "late.har")
    #expect(har.events == cassette.events)
  }

  private static func get(_ path: String) -> Request {
    Request(method: "GET", location: Location(scheme: "https", host: "api.example.com", path: path))
  }

  private struct Unexpected: Error {}
}
