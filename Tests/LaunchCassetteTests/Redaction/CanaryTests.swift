import Foundation
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

@testable import LaunchCassette

/// Secrets in every position and form of the vendors' traffic: none is left, and every equality still holds.
@Suite struct CanaryTests {
  private static let events =
    Canaries.traffic { name in value(name) } + [event(1_000_000, .closed(Closing(events: 0)))]

  private static func value(_ name: String) -> String { Canaries.secrets.first { $0.name == name }?.value ?? name }

  /// Redacts event by event, as a recording is, and finishes the file.
  private static func recorded() throws -> (cassette: Cassette, file: [UInt8], redactor: Redactor) {
    var redactor = Redactor()
    let streamed = events.map { redactor.redact($0) }
    let file = Cassette(header: CassetteHeader(name: "canaries"), events: streamed).serialized
    let finished = try redactor.finish(file: file, path: "canaries.cassette")?.serialized ?? file
    return (try Cassette(parsing: finished, path: "canaries.cassette"), finished, redactor)
  }

  @Test func `no canary is left in any form`() throws {
    let (_, file, redactor) = try Self.recorded()
    let before = Cassette(header: CassetteHeader(name: "canaries"), events: Self.events).serialized
    for (name, value) in Canaries.secrets where !Canaries.short.contains(name) {
      #expect(!NaiveScan.forms(of: value, in: before).isEmpty, "\(name) was never there")
      #expect(NaiveScan.forms(of: value, in: file).isEmpty, "\(name)")
    }
    #expect(LeakScan(redactor).leaks(in: file).isEmpty)
    #expect(!LeakScan(redactor).leaks(in: before).isEmpty)
  }

  /// The same traffic made with the pseudonyms in place of the secrets: so every place that held an equal value, in
  /// whatever form, holds an equal one, every other place is untouched, and every length is kept.
  @Test func `every place holds the pseudonym in the form of the secret`() throws {
    let (cassette, _, redactor) = try Self.recorded()
    let pseudonyms = try Self.pseudonyms(redactor)
    #expect(Set(pseudonyms.values).count == pseudonyms.count)
    let expected = Canaries.traffic { pseudonyms[$0] ?? $0 }
    for (redacted, expected) in zip(cassette.events, expected) {
      #expect(Self.line(redacted) == Self.line(expected))
    }
    #expect(cassette.events.count == expected.count + 1)
  }

  @Test func `a whole list gets the pseudonyms that a stream gets`() throws {
    let streamed = try Self.recorded()
    var redactor = Redactor()
    let listed = redactor.redact(Self.events)
    #expect(listed.map(Self.line) == streamed.cassette.events.map(Self.line))
    #expect(redactor.redacted == streamed.redactor.redacted)
  }

  @Test func `redacting again changes nothing`() throws {
    let (cassette, file, _) = try Self.recorded()
    let (again, _) = cassette.redacted(by: .builtIn)
    #expect(again.serialized == file)
  }

  @Test func `the closing event lists every pseudonym under its kind`() throws {
    let (cassette, _, redactor) = try Self.recorded()
    guard case .closed(let closing) = cassette.events.last?.kind else { throw Unexpected() }
    #expect(closing.redacted == redactor.redacted)
    let listed = closing.redacted.members.flatMap { $0.value.array ?? [] }.compactMap(\.string)
    #expect(try Set(Self.pseudonyms(redactor).values).isSubset(of: Set(listed)))
    #expect(closing.redacted["idfa"]?.array?.count == 1)
  }

  private static func pseudonyms(_ redactor: Redactor) throws -> [String: String] {
    var pseudonyms: [String: String] = [:]
    for (name, value) in Canaries.secrets {
      let secret = redactor.table.secrets.first { $0.value == Array(value.utf8) }
      pseudonyms[name] = String(decoding: try #require(secret, "\(name)").replacement, as: UTF8.self)
    }
    return pseudonyms
  }

  private static func line(_ event: Event) -> String {
    var writer = JSONWriter()
    event.encode(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private struct Unexpected: Error {}
}

/// Looks for a secret by writing down its forms, the slow way, and knows nothing of how it is redacted.
enum NaiveScan {
  static func forms(of secret: String, in file: [UInt8]) -> [String] {
    var forms: Set<String> = []
    for value in Set([secret, secret.uppercased(), secret.lowercased()]) {
      let once = value.percentEncoded
      let json = String(JSON.string(value).text.dropFirst().dropLast())
      let twiceJSON = String(JSON.string(json).text.dropFirst().dropLast())
      forms.formUnion([value, once, once.percentEncoded, once.lowercased(), json, twiceJSON])
      for skipped in 0..<3 {
        let encoded = Canaries.base64(String(repeating: "x", count: skipped) + value)
        let rest = (value.utf8.count + skipped) % 3
        let core = encoded.dropFirst([0, 2, 3][skipped]).prefix { $0 != "=" }
        let certain = String(rest == 0 ? core : core.dropLast())
        forms.formUnion([certain, certain.forURLs])
      }
    }
    let data = Data(file)
    return forms.filter { data.range(of: Data($0.utf8)) != nil }
  }
}
