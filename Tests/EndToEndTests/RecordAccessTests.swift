import Foundation
import Testing

/// What `launchtape record` says about credentials and stores that it cannot use; nothing is then recorded.
@Suite struct RecordAccessTests {
  private static let oneSignal = "ONESIGNAL_APP_ID=ca4a47ca-4a47-4ca4-8a47-ca4a47ca4a47\n"
  private static let adjust = "ADJUST_APP_TOKEN=canaryadjust\nADJUST_S2S_TOKEN=canaryserver\n"

  struct Case: Sendable {
    var arguments: String
    var env = ""
    var errors: String

    init(_ arguments: String, _ env: String = "", _ errors: String) {
      (self.arguments, self.env, self.errors) = (arguments, env, errors)
    }
  }

  static let cases = [
    Case(
      "--env a.env", "ONESIGNAL_ID=canary\n",
      """
      a.env:1:1: error: unknown name ONESIGNAL_ID; did you mean ONESIGNAL_APP_ID?
      ONESIGNAL_ID=…
      ^
      launchtape: the credentials cannot be used; nothing was recorded

      """),
    Case(
      "--env a.env", adjust + "ADJUST_ENVIRONMENT=production\n",
      """
      a.env:3:20: error: production counts what is recorded as real installs: write sandbox, or allow it with --production
      ADJUST_ENVIRONMENT=…
                         ^
      launchtape: the credentials cannot be used; nothing was recorded

      """),
    Case("--env b.env", "", "launchtape: cannot read b.env: No such file or directory\n"),
    Case("--production", "", "launchtape: --production goes with --env\n  see: launchtape record --help\n"),
    Case(
      "--env a.env", oneSignal + "LAUNCHTAPE_CA_FILE=b.pem",
      "launchtape: cannot read b.pem: No such file or directory\n"),
    Case(
      "--env a.env", oneSignal + "LAUNCHTAPE_CA_FILE=a.env",
      """
      launchtape: a.env holds no certificate
        LAUNCHTAPE_CA_FILE names a file with certificates in PEM

      """),
    Case(
      "--env a.env --route api.onesignal.com=192.0.2.1:80", oneSignal,
      """
      launchtape: --route api.onesignal.com=192.0.2.1:80 would send credentials unencrypted; write tls://192.0.2.1:80
        see: launchtape record --help

      """),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: cases) func `what cannot be used is one clear error`(sample: Case) async throws {
    _ = try folder.write(sample.env, to: "a.env")
    let result = try await Shell.run(
      "$launchtape record out.cassette --flow first-launch \(sample.arguments)", in: folder)
    #expect(result.status == 2)
    #expect(result.errors == sample.errors)
    #expect(result.output == "")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.cassette.part")))
  }

  @Test func `a later launch needs a first one to go on from`() async throws {
    _ = try folder.write(Self.oneSignal, to: "a.env")
    let real = try await Shell.run("$launchtape record out.cassette --flow later-launch --env a.env", in: folder)
    #expect(real.status == 2)
    #expect(
      real.errors.hasPrefix("launchtape: later-launch with --env goes on from a first launch at the same vendors, "))
    let empty = try await Shell.run("$launchtape record out.cassette --flow later-launch --store app", in: folder)
    #expect(empty.status == 2)
    #expect(
      empty.errors == """
        launchtape: app remembers no launch that later-launch could go on from
          record one: launchtape record … --flow first-launch --store app

        """)
    #expect(!FileManager.default.fileExists(atPath: folder.path("app")))
  }

  @Test func `a recording that could not begin leaves no launch to go on from`() async throws {
    _ = try folder.write(Self.oneSignal, to: "a.env")
    let options = "--flow first-launch --env a.env --store app"
    let failed = try await Shell.run("$launchtape record missing/out.cassette \(options)", in: folder)
    #expect(
      failed.errors == "launchtape: cannot open missing/out.cassette.part: No such file or directory\n")
    let later = try await Shell.run("$launchtape record out.cassette --flow later-launch --store app", in: folder)
    #expect(later.errors.hasPrefix("launchtape: app remembers no launch that later-launch could go on from\n"))
    let again = try await Shell.run("$launchtape record missing/out.cassette \(options)", in: folder)
    #expect(again.errors == failed.errors)
  }

  @Test func `every mistake of a fault script stands below its place`() async throws {
    _ = try folder.write("at call tags: 500, onc\nat call tags: wait 1 h\n", to: "faults.txt")
    let result = try await Shell.run(
      "$launchtape record out.cassette --flow first-launch --fault faults.txt", in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors == """
        faults.txt:1:20: error: a count is once, twice, 3 times or always
        at call tags: 500, onc
                           ^
        faults.txt:2:22: error: h is no unit; there is ms, s, min
        at call tags: wait 1 h
                             ^
        launchtape: the fault script cannot be used; nothing was started

        """)
  }
}
