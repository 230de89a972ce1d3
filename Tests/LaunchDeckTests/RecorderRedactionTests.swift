import Foundation
import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

final class RecorderRedactionTests {
  private let folder: String
  private var path: String { folder + "/toy.cassette" }
  private var bodies: [String] { (try? fileNames(in: path + ".bodies")) ?? [] }

  init() throws { folder = try createUniqueFolder(prefix: "launchtape-redaction-") }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func recorder(rules: String = "redact json token as token") throws -> Recorder {
    var recorder = Recorder(path: path, by: "x", replaces: true)
    recorder.rules = try RedactionRules(parsing: rules, file: "test.rules")
    return recorder
  }

  /// Records a mark with the secret in its name, and then the answer by which it is known to be one.
  private func record(_ recorder: Recorder, answer: String) async throws {
    let server = AnswerTransport { _ in Answer(head: ResponseHead(status: 200), body: Array(answer.utf8)) }
    try await recorder.record(over: server) { tap in
      tap.mark("signed in as \(secret)")
      _ = try await tap.response(to: get("/token"))
    }
  }

  @Test func `a secret that is recognised late is replaced where it was written before`() async throws {
    try await record(recorder(), answer: #"{"token":"\#(secret)"}"#)
    #expect(try !text(path).contains(secret))
    let cassette = try Cassette(path: path)
    #expect(cassette.warnings == [])
    guard case .closed(let closing) = cassette.events.last?.kind else { return #expect(Bool(false)) }
    let pseudonym = try #require(closing.redacted["token"]?.array?.first?.string)
    #expect(pseudonym.count == secret.count)
    #expect(cassette.events.contains { $0.kind == .mark(Mark("signed in as \(pseudonym)")) })
    #expect(try text(path).contains(#"{"json":{"token":"\#(pseudonym)"}}"#))
  }

  @Test func `a credential that is known from the start is replaced where no rule points`() async throws {
    var recorder = try recorder()
    recorder.secrets = [("credential", secret)]
    try await record(recorder, answer: #"{"echo":["\#(secret)"]}"#)
    #expect(try !text(path).contains(secret))
    let cassette = try Cassette(path: path)
    guard case .closed(let closing) = cassette.events.last?.kind else { return #expect(Bool(false)) }
    let pseudonym = try #require(closing.redacted["credential"]?.array?.first?.string)
    #expect(cassette.events.contains { $0.kind == .mark(Mark("signed in as \(pseudonym)")) })
    #expect(try text(path).contains(#"{"json":{"echo":["\#(pseudonym)"]}}"#))
  }

  @Test func `a launch that fails leaves no late secret in its cut recording`() async throws {
    let server = AnswerTransport { _ in
      Answer(head: ResponseHead(status: 200), body: Array(#"{"token":"\#(secret)"}"#.utf8))
    }
    await #expect(throws: ToyError.noSession) {
      try await self.recorder().record(over: server) { tap in
        tap.mark(secret)
        _ = try await tap.response(to: get("/token"))
        throw ToyError.noSession
      }
    }
    #expect(try !text(path + ".part").contains(secret))
    #expect(try !Cassette(path: path + ".part").trace.isClosed)
  }

  @Test func `a secret that cannot be replaced fails the recording, and nothing of it stays on disk`() async throws {
    try writeFile(Array("old".utf8), to: path)
    var recorder = try recorder()
    let packed: [UInt8] = [0x1F, 0x8B] + (0..<60).map { $0 &* 7 }
    recorder.unpacker = Unpacker { [secret] bytes, encoding, _ in
      encoding == "gzip" ? Unpacker.Content(Array(secret.utf8), reach: .whole) : nil
    } encode: { _, _ in
      nil
    }
    let answer = #"{"token":"\#(secret)","packed":"\#(Data(packed).base64EncodedString())"}"#
    let failing = recorder
    await #expect(throws: LeakError.self) { try await self.record(failing, answer: answer) }
    #expect(try text(path) == "old")
    #expect(!fileExists(path + ".part"))
  }

  @Test func `a large body goes to a file of its own, and is redacted there, too`() async throws {
    let filler = String(repeating: "x", count: 2 << 20)
    try await record(recorder(), answer: #"{"filler":"\#(filler)","note":"\#(secret)","token":"\#(secret)"}"#)
    #expect(bodies.count == 1)
    #expect(try !text(path + ".bodies/" + bodies[0]).contains(secret))
    let cassette = try Cassette(path: path)
    guard case .end(let content) = cassette.trace.exchanges[0].steps.last?.step else { return #expect(Bool(false)) }
    #expect(content.body.count > filler.count)
    #expect(try readFile(path).count < 4096)
  }

  @Test func `a file of a large body is written anew when it has a late secret, and the old one goes`() async throws {
    let large = #"{"note":"\#(secret)","filler":"\#(String(repeating: "x", count: 2 << 20))"}"#
    let server = AnswerTransport { request in
      let body = request.location.path == "/large" ? large : #"{"token":"\#(secret)"}"#
      return Answer(head: ResponseHead(status: 200), body: Array(body.utf8))
    }
    try await recorder().record(over: server) { tap in
      _ = try await tap.response(to: get("/large"))
      _ = try await tap.response(to: get("/token"))
    }
    #expect(bodies.count == 1)
    #expect(try !text(path + ".bodies/" + bodies[0]).contains(secret))
    #expect(try Cassette(path: path).warnings == [])
  }

  @Test func `the bodies of an older cassette stay until the new one is complete`() async throws {
    func server(_ letter: Character) -> AnswerTransport {
      AnswerTransport { _ in
        Answer(head: ResponseHead(status: 200), body: Array(String(repeating: letter, count: 2 << 20).utf8))
      }
    }
    try await recorder().record(over: server("a")) { tap in _ = try await tap.response(to: get("/a")) }
    let old = bodies
    await #expect(throws: ToyError.noSession) {
      try await self.recorder().record(over: server("b")) { tap in
        _ = try await tap.response(to: get("/a"))
        throw ToyError.noSession
      }
    }
    #expect(bodies.count == 2)
    #expect(try Cassette(path: path).trace.exchanges.count == 1)
    #expect(try Cassette(path: path + ".part").trace.exchanges.count == 1)
    #expect(try Cassette(file: path + ".part", inflate: { _ in nil }).trace.exchanges.count == 1)
    try await recorder().record(over: server("c")) { tap in _ = try await tap.response(to: get("/a")) }
    #expect(bodies.count == 1 && bodies != old)
    try await recorder().record(over: server("c")) { tap in _ = try await tap.response(to: get("/a")) }
    #expect(try Cassette(path: path).warnings == [])
  }

  private func text(_ path: String) throws -> String { String(decoding: try readFile(path), as: UTF8.self) }
}

private let secret = "s3cr3t-t0ken-value"
