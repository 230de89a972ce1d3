import LaunchClients
import LaunchDiagnostics
import LaunchHTTP
import TestSupport
import Testing

/// Files of credentials: what they mean, and that no mistake in one shows a value.
@Suite struct VendorAccessTests {
  private static let whole = """
    # everything
    ONESIGNAL_APP_ID=7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f35
    export ADJUST_APP_TOKEN = canaryadjust   # the app

    ADJUST_ENVIRONMENT=sandbox
    ADJUST_S2S_TOKEN='canary # server'#
    ADJUST_AUTHORIZATION='Signature signature="canary=", algorithm="x"'
    ADAPTY_PUBLIC_KEY="public_live_canary.123456"
    ADAPTY_CLUSTER=eu
    MOTISIG_SDK_KEY=msk#canary
    MOTISIG_PROJECT_ID=canary-project
    MOTISIG_BASE_URL=https://push.example.org:8443/client
    LAUNCHTAPE_CA_FILE=my authorities.pem

    """.replacing("canary # server", with: "canary#server")

  @Test func `every setting reaches its client`() throws {
    let access = try VendorAccess(parsing: "\u{FEFF}" + Self.whole.replacing("\n", with: "\r\n"), file: "a.env")
    var credentials = Credentials()
    credentials.oneSignalAppID = "7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f35"
    credentials.adjustAppToken = "canaryadjust"
    credentials.adjustServerToken = "canary#server"
    credentials.adjustSignature = #"Signature signature="canary=", algorithm="x""#
    credentials.adaptyPublicKey = "public_live_canary.123456"
    credentials.motiSigSDKKey = "msk#canary"
    credentials.motiSigProjectID = "canary-project"
    #expect(access.credentials == credentials)
    #expect(access.authorityFile == "my authorities.pem")
    var scenario = LaunchScenario.firstLaunch
    access.apply(to: &scenario)
    #expect(scenario.adjust.environment == .sandbox)
    #expect(scenario.adjust.sendsServerSession)
    #expect(scenario.adapty.cluster == .eu)
    #expect(
      scenario.motiSig?.baseURL == Location(scheme: "https", host: "push.example.org", port: 8443, path: "/client"))
    let secrets = access.secrets.map(\.value)
    #expect(
      Set(secrets) == [
        credentials.oneSignalAppID, credentials.adjustAppToken, credentials.adjustServerToken,
        credentials.adjustSignature, credentials.adaptyPublicKey, "public_live_canary", credentials.motiSigSDKKey,
        credentials.motiSigProjectID,
      ])
  }

  static let subsets: [(String, [String])] = [
    ("ONESIGNAL_APP_ID=7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f35", ["api.onesignal.com", "onesignal.com"]),
    ("ADJUST_APP_TOKEN=canaryadjust\nADJUST_S2S_TOKEN=canaryserver", ["s2s.adjust.com"]),
    (
      "ADJUST_APP_TOKEN=canaryadjust\nADJUST_AUTHORIZATION=canary signature",
      ["analytics.adjust.com", "consent.adjust.com", "analytics.adjust.io", "consent.adjust.io"]
    ),
    ("MOTISIG_SDK_KEY=canary\nMOTISIG_PROJECT_ID=canary", ["api.motisig.ai"]),
    (
      "MOTISIG_SDK_KEY=canary\nMOTISIG_PROJECT_ID=canary\nMOTISIG_BASE_URL=http://127.0.0.1:9/client", ["127.0.0.1"]
    ),
  ]

  @Test(arguments: subsets) func `only the vendors that are named have real hosts`(text: String, hosts: [String]) throws
  {
    let access = try VendorAccess(parsing: text, file: "a.env")
    #expect(access.locations.map(\.host) == hosts)
    var scenario = LaunchScenario.firstLaunch
    access.apply(to: &scenario)
    // The published flow's word counts where Adjust is a stand-in (Q8).
    #expect(scenario.adjust.environment == (text.contains("ADJUST") ? .sandbox : .production))
  }

  @Test func `Adapty has the hosts of every cluster, once each, and the look-up of the address`() throws {
    let access = try VendorAccess(parsing: "ADAPTY_PUBLIC_KEY=public_live_x.1", file: "a.env")
    let hosts = access.locations.map(\.host)
    #expect(Set(hosts).count == hosts.count)
    #expect(Set(hosts).isSuperset(of: ["api.adapty.io", "api-eu.adapty.io", "fallback-cn.adapty.io", "api.ipify.org"]))
  }

  private static let oneSignal = "ONESIGNAL_APP_ID=7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f35\n"

  static let mistakes: [(String, String)] = [
    ("", "1:1: error: the file names no vendor; there is ONESIGNAL_APP_ID, "),
    ("canary", "1:1: error: a line is NAME=value; there is no = here"),
    ("  Y2FuYXJ5=", "1:3: error: unknown name; there is ONESIGNAL_APP_ID, "),
    ("onesignal_app_id=canary", "1:1: error: unknown name onesignal_app_id; did you mean ONESIGNAL_APP_ID?\n"),
    ("ADJUST_TOKEN=canary", "1:1: error: unknown name ADJUST_TOKEN; did you mean ADJUST_APP_TOKEN?\nADJUST_TOKEN=…\n^"),
    ("MOTISIG_X=canary", "1:1: error: unknown name MOTISIG_X; there is ONESIGNAL_APP_ID, "),
    ("ONESIGNAL_APP_ID=", "1:18: error: the value is missing\nONESIGNAL_APP_ID=…\n                 ^"),
    ("ONESIGNAL_APP_ID=''", "1:18: error: the value is missing"),
    ("ONESIGNAL_APP_ID=canary", "1:18: error: an app id is a UUID, "),
    ("ONESIGNAL_APP_ID='canary", "1:18: error: the quote ' is not closed"),
    ("ONESIGNAL_APP_ID=\"canary\" canary", "1:18: error: behind the closing quote \" nothing but a comment may stand"),
    (oneSignal + oneSignal, "2:18: error: ONESIGNAL_APP_ID stands in line 1 already"),
    ("ADJUST_APP_TOKEN=canary", "1:18: error: an app token is 12 letters and digits"),
    (
      "ADJUST_APP_TOKEN=canaryadjust",
      "1:18: error: ADJUST_APP_TOKEN alone is of no use: ADJUST_S2S_TOKEN or ADJUST_AUTHORIZATION is missing"
    ),
    ("ADJUST_S2S_TOKEN=canary", "1:18: error: ADJUST_S2S_TOKEN alone is of no use: ADJUST_APP_TOKEN is missing"),
    ("ADJUST_S2S_TOKEN=canary canary", "1:18: error: a credential has no spaces, "),
    ("ADJUST_S2S_TOKEN=canarÿ", "1:18: error: a credential has no spaces, and visible ASCII characters only"),
    ("MOTISIG_PROJECT_ID=cana", "1:20: error: a credential has 6 characters at least"),
    ("ADJUST_ENVIRONMENT=canary", "1:20: error: there is sandbox, production"),
    ("ADAPTY_CLUSTER=canary", "1:16: error: there is default, eu, cn"),
    ("ADAPTY_PUBLIC_KEY=secret_live_canary.1", "1:19: error: this is a secret key; an app has the public one"),
    ("ADAPTY_PUBLIC_KEY=canary/canary", "1:19: error: a public key has letters, "),
    ("MOTISIG_BASE_URL=canary", "1:18: error: a base URL is https:// with a host and perhaps a path, "),
    ("MOTISIG_BASE_URL=https://canary@example.org", "1:18: error: a base URL is https:// "),
    ("MOTISIG_BASE_URL=http://example.org", "1:18: error: without https the credentials would be readable on the way"),
  ]

  @Test(arguments: mistakes) func `a mistake is told with its place and without a value`(text: String, wanted: String) {
    let error = #expect(throws: DiagnosticsError.self) { try VendorAccess(parsing: text, file: "a.env") }
    let lines = "\(error.map { "\($0)" } ?? "")"
    #expect(lines.hasPrefix("a.env:\(wanted)"), "\(lines)")
    #expect(!lines.contains("canar") && !lines.contains("Y2Fu"))
  }

  @Test func `all mistakes are told, in the order of the lines`() {
    let text = "ADJUST_ENVIRONMENT=production\nwrong\nADAPTY_CLUSTER=eu\n\n x=1"
    let error = #expect(throws: DiagnosticsError.self) { try VendorAccess(parsing: text, file: "a.env") }
    #expect(error?.diagnostics.map(\.line) == [1, 1, 2, 3, 5])
  }

  @Test func `production has to be allowed`() throws {
    let text = "ADJUST_APP_TOKEN=canaryadjust\nADJUST_S2S_TOKEN=canaryserver\nADJUST_ENVIRONMENT=production\n"
    let error = #expect(throws: DiagnosticsError.self) { try VendorAccess(parsing: text, file: "a.env") }
    #expect(
      error?.description == """
        a.env:3:20: error: production counts what is recorded as real installs: write sandbox, or allow it with \
        --production
        ADJUST_ENVIRONMENT=…
                           ^
        """)
    var scenario = LaunchScenario.firstLaunch
    try VendorAccess(parsing: text, file: "a.env", allowsProduction: true).apply(to: &scenario)
    #expect(scenario.adjust.environment == .production)
  }

  @Test func `a file cut at any byte, or changed anywhere, is read or refused without its values`() {
    let bytes = Array(Self.whole.utf8)
    for count in bytes.indices { check(Array(bytes[..<count])) }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] =
          [0x0A, 0x0D, 0x20, 0x22, 0x23, 0x27, 0x3D, 0x00, 0xC3].randomElement(using: &generator) ?? 0x61
      }
      check(changed)
    }
  }

  private func check(_ bytes: [UInt8]) {
    do throws(DiagnosticsError) {
      _ = try VendorAccess(parsing: String(decoding: bytes, as: UTF8.self), file: "a.env")
    } catch {
      #expect(!error.description.contains("canary"), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
