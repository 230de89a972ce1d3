import Foundation
import LaunchCassette
import LaunchHTTP
import LaunchTrace
import Testing

/// `launchtape record --env` against the stand-ins, served over HTTPS under the vendors' real host names: all but the
/// vendors themselves.
@Suite struct RecordVendorsTests {
  /// Nothing of this may be seen anywhere: each value has the word in it.
  private static let canary = "canary"
  private static let oneSignal = "ONESIGNAL_APP_ID=ca4a47ca-4a47-4ca4-8a47-ca4a47ca4a47"
  private static let adapty = "ADAPTY_PUBLIC_KEY=\"public_live_canaryAdapty.CanaryKeyTail99\"\nADAPTY_CLUSTER=eu"
  private static let motiSig = "MOTISIG_SDK_KEY=msk_canary_motisig_key\nMOTISIG_PROJECT_ID=canary-project"
  private static let adjust = "ADJUST_APP_TOKEN=canaryadjust\nADJUST_S2S_TOKEN='CanaryServer-77'"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `a launch at four real vendors is recorded over https, without a credential, with the usual verdicts`()
    async throws
  {
    let env = [Self.oneSignal, Self.adjust, Self.adapty, Self.motiSig, "LAUNCHTAPE_CA_FILE=ca.pem"]
    _ = try folder.write(env.joined(separator: "\n"), to: "launch.env")
    async let plainly = CommandLineTool.run(
      "record", folder.path("plain.cassette"), "--flow", "first-launch", in: folder)
    let inside = ["analytics.adjust.com", "consent.adjust.com"].flatMap { ["--inside", $0] }
    let recorded = try await record(inside, ["out.cassette", "--flow", "first-launch", "--env", "launch.env"])
    #expect(recorded.status == 0)
    #expect(recorded.errors == "")
    try expectNoCanary(in: recorded, "out.cassette")

    let trace = try Cassette(path: folder.path("out.cassette")).trace
    let hosts = Set(trace.exchanges.map(\.request.location.host))
    #expect(
      hosts.isSuperset(of: [
        "api.onesignal.com", "s2s.adjust.com", "consent.adjust.com", "api-eu.adapty.io", "fallback.adapty.io",
        "configs-cdn.adapty.io", "api.motisig.ai",
      ]))
    for exchange in trace.exchanges {
      #expect(exchange.request.location.scheme == "https")
      let connection = try #require(exchange.connection?.connection)
      // Only what Adjust's SDK sends cannot be signed here.
      let isReal = exchange.request.location.host != "consent.adjust.com"
      #expect((connection.tls != nil) == (isReal && !connection.isReused), "\(exchange.request.location)")
    }
    let text = try folder.text("out.cassette")
    #expect(text.contains(#""environment":"sandbox""#) && !text.contains("production"))
    #expect(try folder.text("requests.json").contains("s2s.adjust.com"))

    #expect(try await plainly.status == 0)
    let verdicts = try await verdicts(of: "out.cassette")
    var usual = try await self.verdicts(of: "plain.cassette")
    // The published launch counts test launches as installs (Q8); this one says that it is a test.
    let index = try #require(usual.firstIndex { $0.contains("[R41]") && $0.hasPrefix("BROKEN") })
    usual[index].replace("BROKEN", with: "HOLDS")
    #expect(verdicts == usual)
    let replayed = try await CommandLineTool.run(
      "replay", folder.path("out.cassette"), "--flow", "first-launch", "--speed", "immediate", "--strict", in: folder)
    #expect(replayed.status == 0, "\(replayed.errors)")
  }

  @Test func `a certificate that is not trusted ends the recording with the reason`() async throws {
    let env = [Self.oneSignal, Self.adapty, "LAUNCHTAPE_CA_FILE=other.pem"]
    _ = try folder.write(env.joined(separator: "\n"), to: "launch.env")
    let recorded = try await record([], ["out.cassette", "--flow", "first-launch", "--env", "launch.env"])
    #expect(recorded.status == 2)
    let lines = recorded.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("launchtape: the recording was ended: there is no trusted connection to "))
    #expect(lines[0].contains(": SSL certificate problem: "))
    #expect(lines[1] == "  only the certificates in the file that LAUNCHTAPE_CA_FILE names are trusted")
    try expectNoCanary(in: recorded, "out.cassette.part")
  }

  @Test func `a host that refuses and one that does not know the key are warned of, and recorded`() async throws {
    let env = [
      Self.adjust, Self.motiSig, "MOTISIG_BASE_URL=https://push.example.org/client", "LAUNCHTAPE_CA_FILE=ca.pem",
    ]
    _ = try folder.write(env.joined(separator: "\n"), to: "launch.env")
    let recorded = try await record(
      ["--host", "push.example.org", "--closed", "s2s.adjust.com"],
      ["out.cassette", "--flow", "first-launch", "--env", "launch.env"])
    #expect(recorded.status == 0)
    let lines = recorded.errors.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("warning: s2s.adjust.com: refused during connect: ") }, "\(recorded.errors)")
    // No stand-in answers for that name.
    #expect(lines.contains { $0.hasPrefix("warning: push.example.org: POST was answered with 421") })
    #expect(lines.count == 2, "\(recorded.errors)")
    try expectNoCanary(in: recorded, "out.cassette")
  }

  @Test func `a cut recording of vendors that refuse everything has no credential either`() async throws {
    let signature = #"ADJUST_AUTHORIZATION='Signature signature="canary/sig+value==",algorithm="adj1"'"#
    let env = [
      Self.oneSignal, "ADJUST_APP_TOKEN=canaryadjust", signature, Self.adapty, Self.motiSig,
      "LAUNCHTAPE_CA_FILE=ca.pem",
    ]
    _ = try folder.write(env.joined(separator: "\n"), to: "launch.env")
    let recorded = try await record(
      ["--fault", "at call *: 401", "--closed", "api.ipify.org", "--seconds", "9"],
      ["out.cassette", "--flow", "first-launch", "--env", "launch.env"])
    #expect(recorded.status == 2)
    #expect(recorded.errors.hasPrefix("launchtape: interrupted; "))
    try expectNoCanary(in: recorded, "out.cassette.part")
    let trace = try Cassette(path: folder.path("out.cassette.part")).trace
    let statuses = Set(trace.exchanges.compactMap { $0.response?.head.status })
    #expect(statuses == [401])
    #expect(trace.exchanges.contains { $0.request.location.host == "consent.adjust.com" && $0.connection != nil })
  }

  @Test func `a later launch goes on from what a first one has left in the store`() async throws {
    let env = [Self.oneSignal, Self.adapty, "LAUNCHTAPE_CA_FILE=ca.pem"]
    _ = try folder.write(env.joined(separator: "\n"), to: "launch.env")
    let rest = ["--env", "launch.env", "--store", "app"]
    _ = try await record(
      ["--seconds", "6"], ["first.cassette", "--flow", "first-launch"] + rest,
      ["later.cassette", "--flow", "later-launch"] + rest)
    func calls(_ name: String) throws -> [String] {
      try Cassette(path: folder.path(name)).trace.exchanges.map { "\($0.request.method) \($0.request.location.path)" }
    }
    let first = try calls("first.cassette")
    let later = try calls("later.cassette")
    #expect(first.contains { $0.hasPrefix("POST /apps/") && $0.hasSuffix("/users") })
    #expect(!later.contains { $0.hasPrefix("POST /apps/") && $0.hasSuffix("/users") })
    #expect(first.contains { $0.hasPrefix("POST /api/v1/sdk/analytics/profiles/") })
    #expect(!later.contains { $0.hasPrefix("POST /api/v1/sdk/analytics/profiles/") })
    #expect(later.contains { $0.hasPrefix("PATCH /api/v1/sdk/analytics/profiles/") })

    let again = try await CommandLineTool.run(
      "record", folder.path("x.cassette"), "--flow", "first-launch", "--store", folder.path("app"), in: folder)
    #expect(again.status == 2)
    #expect(again.errors.contains("app remembers a launch, and first-launch is an app's first one\n"))
  }

  /// Runs the recordings, each with its arguments, in the folder.
  private func record(_ options: [String], _ recordings: [String]...) async throws -> CommandLineTool.Result {
    let words = [CommandLineTool.path, folder.url.path] + options + recordings.flatMap { ["--"] + $0 }
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    return try await Shell.run(
      "exec python3 '\(CommandLineTool.packageFolder)/Tests/Fixtures/vendors/https.py' \(quoted)", in: folder)
  }

  /// The verdict and the rule of each line of a verification that has them, without MotiSig's times.
  private func verdicts(of name: String) async throws -> [String] {
    let verified = try await CommandLineTool.run("verify", folder.path(name), in: folder)
    #expect(verified.status == 0, "\(verified.output)")
    return verified.output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /(HOLDS|BROKEN|IDLE|OPEN|UNORDERED) +(\[R\d+\] [^(]*)/).map { "\($0.1) \($0.2)" }
    }
  }

  private func expectNoCanary(in result: CommandLineTool.Result, _ cassette: String) throws {
    for text in [try folder.text(cassette), result.output, result.errors] {
      #expect(!text.lowercased().contains(Self.canary))
      #expect(!text.lowercased().contains("ca4a47ca-4a47"))
      #expect(!text.contains(Data("canary".utf8).base64EncodedString().prefix(8)))
    }
  }
}
