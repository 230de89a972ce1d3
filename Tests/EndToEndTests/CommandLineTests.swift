import Foundation
import LaunchCassette
import LaunchTrace
import Testing

/// The built command line: whole output and exit code.
@Suite struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["demo", "record", "replay", "verify", "show", "sandbox"])
  func `every verb explains itself with an example`(verb: String) async throws {
    let result = try await CommandLineTool.run(verb, "--help", in: folder)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("usage: launchtape \(verb)"))
    #expect(result.output.contains("example:\n  launchtape \(verb)"))
    #expect(result.errors.isEmpty)
  }

  @Test func `-h is help, too`() async throws {
    #expect(try await CommandLineTool.run("-h", in: folder).output.contains("usage: launchtape VERB"))
    #expect(
      try await CommandLineTool.run("verify", "-h", in: folder).output.hasPrefix("usage: launchtape verify TRACE…"))
  }

  @Test(arguments: [
    ([], "launchtape: which verb?\n  see: launchtape --help\n"),
    (["verfy"], "launchtape: unknown verb verfy; did you mean verify?\n  see: launchtape --help\n"),
    (["verify"], "launchtape: verify takes TRACE…, 0 given\n  see: launchtape verify --help\n"),
    (
      ["verify", "a", "--contrct", "b"],
      "launchtape: unknown option --contrct; did you mean --contract?\n  see: launchtape verify --help\n"
    ),
    (
      ["verify", "a", "--contract"],
      "launchtape: --contract FILE: the value is missing\n  see: launchtape verify --help\n"
    ),
    (
      ["verify", "a", "--format", "json", "--format=junit"],
      "launchtape: --format is given twice, and stands once\n  see: launchtape verify --help\n"
    ),
    (["record", "a", "--force=1"], "launchtape: --force takes no value\n  see: launchtape record --help\n"),
    (
      ["record", "a", "--flow", "second-launch"],
      """
      launchtape: no flow second-launch; there is first-launch, first-launch-strict, later-launch, clicks-across-restart, clicks-as-shipped
        see: launchtape record --help

      """
    ),
    (
      ["replay", "a"],
      "launchtape: what is to be replayed? give --flow NAME, --listen ADDRESS, or a command behind --\n"
        + "  see: launchtape replay --help\n"
    ),
    (
      ["replay", "a", "--flow", "first-launch", "--speed", "fast"],
      "launchtape: --speed takes a number from 0.01 to 100 or immediate, not fast\n  see: launchtape replay --help\n"
    ),
    (
      ["replay", "a", "--flow", "first-launch", "--speed", "0x1"],
      "launchtape: --speed takes a number from 0.01 to 100 or immediate, not 0x1\n  see: launchtape replay --help\n"
    ),
    (
      ["replay", "cassettes/first-launch.cassette", "--flow", "first-launch", "--repeat", "999=last"],
      "launchtape: --repeat names call 999, and the recording has none; its calls are 1 to 27\n"
        + "  see: launchtape replay --help\n"
    ),
    (
      ["show", "/nowhere/x.cassette"],
      "launchtape: cannot read /nowhere/x.cassette: No such file or directory\n"
    ),
  ])
  func `what cannot run exits with 2 and says what to do`(arguments: [String], errors: String) async throws {
    let result = try await CommandLineTool.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors == errors)
  }

  @Test func `the checked-in cassette holds its contracts, and the findings of the guide are advice`() async throws {
    let result = try await CommandLineTool.run("verify", "cassettes/first-launch.cassette", in: folder)
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.filter { $0.contains(" rules: ") } == [
        "11 rules: 9 hold, 2 optional idle; 1 advice: 1 broken", "46 rules: 44 hold, 2 optional idle; 2 advice: 2 hold",
        "13 rules: 8 hold, 5 optional idle; 1 advice: 1 holds", "12 rules: 12 hold; 3 advice: 1 holds, 2 broken",
        "18 rules: 12 hold, 6 optional idle; 2 advice: 2 optional idle", "18 rules: 5 hold, 13 optional idle",
        "6 contracts on 1 trace: 118 rules: 90 hold, 28 optional idle; 9 advice: 4 hold, 3 broken, 2 optional idle",
      ])
    #expect(!lines.contains { $0.contains("warning") })
    // What is idle is optional, as an idle rule that is not would fail this run.
    let strict = try await CommandLineTool.run("verify", "cassettes/first-launch.cassette", "--no-idle", in: folder)
    #expect(strict.status == 0)
  }

  @Test func `without the ATT mark, verify names the rules it breaks and the events that matter`() async throws {
    let path = try edited { $0.contains(#""mark":"ATT answered""#) ? nil : $0 }
    let result = try await CommandLineTool.run(
      "verify", path, "--contract", "contracts/launch.contract", "--contract", "contracts/adjust.contract", in: folder)
    #expect(result.status == 1)
    let broken = result.output.split(separator: "\n").filter { $0.contains("BROKEN") && !$0.contains("advice") }
    #expect(broken.count == 2)
    #expect(broken.first?.hasSuffix("[R10] adjust.start only after att.answered") == true)
    #expect(broken.last?.hasSuffix("[R11] adjust only after att.answered") == true)
    #expect(result.output.contains("POST /session starts"))
    #expect(result.output.contains("rerun: launchtape verify \(path) --contract contracts/launch.contract"))
  }

  @Test func `a campaign that is tagged early does not pass for the tags of the install`() async throws {
    let path = try edited { line in
      guard let fields = line.range(of: #"{"mmp_id":"#), line.contains(#""mark":"tags added""#) else { return line }
      return String(line[..<fields.lowerBound]) + #"{"campaign":"Autumn launch"}}"#
    }
    let result = try await CommandLineTool.run("verify", path, "--contract", "contracts/launch.contract", in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("BROKEN  [R25] iam.wait only after tags.added"))
    #expect(result.output.contains("BROKEN  [R25] iam.unpaused only after tags.added"))
    #expect(
      result.output.hasSuffix(
        "46 rules: 38 hold, 2 broken, 4 idle, 2 optional idle; 2 advice: 1 holds, 1 idle\n"))
  }

  @Test func `two swapped names in the contract break the rule, by how much is said`() async throws {
    let contract = try text(of: "contracts/launch.contract")
      .replacingOccurrences(of: "adjust.start only after att.answered", with: "att.answered only after adjust.start")
    let path = try folder.write(contract, to: "swapped.contract")
    _ = try folder.write(try text(of: "contracts/names/launch-log.contract"), to: "names/launch-log.contract")
    let result = try await CommandLineTool.run(
      "verify", "cassettes/first-launch.cassette", "--contract", path, in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("BROKEN  [R10] att.answered only after adjust.start"))
    #expect(result.output.contains("too late"))
  }

  @Test func `a contract with mistakes gets all of them, with line, column and caret`() async throws {
    let path = try folder.write(
      """
      contract "x" version 1
      mark att.answered = "ATT answered"
      att.answerd only after att.answered
      exactly three att.answered
      """, to: "wrong.contract")
    let result = try await CommandLineTool.run(
      "verify", "cassettes/first-launch.cassette", "--contract", path, in: folder)
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errors.contains("\(path):3:1: error: "))
    #expect(result.errors.contains("did you mean 'att.answered'?"))
    #expect(result.errors.contains("\(path):4:9: error: "))
    #expect(result.errors.contains("\nexactly three att.answered\n        ^\n"))
  }

  @Test func `a cut cassette cannot tell, and exits with 3`() async throws {
    let path = try edited { line in
      ["\"closed\":true", "navigated to home", "home shown"].contains(where: line.contains) ? nil : line
    }
    let result = try await CommandLineTool.run("verify", path, in: folder)
    #expect(result.status == 3)
    #expect(result.output.contains("OPEN"))
  }

  @Test func `a replay in virtual time needs no network and exits with the verdict`() async throws {
    let result = try await CommandLineTool.run(
      "replay", "cassettes/first-launch.cassette", "--flow", "first-launch", "--speed", "immediate", "--contract",
      "contracts/launch.contract", "--strict", in: folder)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("replayed first-launch: 27 calls, 56 marks, "))
    #expect(result.errors.isEmpty)
  }

  @Test func `an ignored field that nothing recorded has is warned of`() async throws {
    let result = try await CommandLineTool.run(
      "replay", "cassettes/first-launch.cassette", "--flow", "first-launch", "--speed", "immediate", "--ignore",
      "body.nosuch", "--ignore", "api.adapty.io body.data", in: folder)
    #expect(result.status == 0)
    #expect(result.errors == "warning: --ignore body.nosuch: no recorded request has this field\n")
  }

  @Test func `no character of a cassette turns the terminal's text around`() async throws {
    let path = try edited {
      $0.replacingOccurrences(of: #""mark":"navigated to home""#, with: #""mark":"x\u202Eemoh 👩\u200D🚀""#)
        .replacingOccurrences(of: "net-config.json", with: "net-\u{2066}config.json")
    }
    let shown = try await CommandLineTool.run("show", path, "--width", "200", in: folder)
    #expect(shown.output.contains("◆ x\\u{202E}emoh 👩\u{200D}🚀"))
    let broken = try folder.write(
      #"{"cassette":1}"# + "\n" + #"{"at":0,"call":1,"request":{"method":"GET","url":"x\u202Ey"}}"# + "\n",
      to: "b.cassette")
    let refused = try await CommandLineTool.run("show", broken, in: folder)
    let replayed = try await CommandLineTool.run(
      "replay", path, "--flow", "first-launch", "--speed", "immediate", in: folder)
    #expect(refused.status == 2 && replayed.status == 1)
    for text in [shown.output, replayed.output, replayed.errors, refused.errors] {
      #expect(!text.unicodeScalars.contains { "\u{202E}\u{2066}".unicodeScalars.contains($0) }, "\(text)")
    }
  }

  @Test func `every cassette gets its verdict, whatever is wrong with another`() async throws {
    let good = "cassettes/first-launch.cassette"
    let result = try await CommandLineTool.run(
      "verify", "/nowhere.cassette", good, "--contract", "contracts/launch.contract", in: folder)
    #expect(result.status == 2)
    #expect(result.errors == "launchtape: cannot read /nowhere.cassette: No such file or directory\n")
    #expect(result.output.contains("on first-launch: "))
  }

  @Test func `contracts are found near the cassette, all of a folder, and else it says where it looked`() async throws {
    let cassette = try folder.write(
      "{\"cassette\":1}\n{\"at\":0,\"launch\":1}\n{\"at\":1,\"mark\":\"home\"}\n{\"at\":2,\"closed\":true,\"events\":2}\n",
      to: "a/b/x.cassette")
    for (name, rule) in [("one", "at most 1 home"), ("two", "at most 2 home")] {
      _ = try folder.write("contract \"\(name)\" version 1\nmark home\n\(rule)\n", to: "a/contracts/\(name).contract")
    }
    let found = try await CommandLineTool.run("verify", cassette, in: folder)
    #expect(found.status == 0 && found.errors.isEmpty)
    for name in ["one", "two"] { #expect(found.output.contains("a/contracts/\(name).contract \"\(name)\" on x: ")) }

    let elsewhere = try await CommandLineTool.run(["verify", cassette], at: folder.path("empty"), in: folder)
    #expect(elsewhere.status == 0)
    let alone = try folder.write(try text(of: "cassettes/first-launch.cassette"), to: "c/x.cassette")
    let lost = try await CommandLineTool.run(["verify", alone], at: folder.path("empty"), in: folder)
    #expect(lost.status == 2 && lost.output.isEmpty)
    #expect(
      lost.errors.hasPrefix(
        "launchtape: no contract belongs to \(alone): there is no *.contract in \(folder.path("c/contracts")), "
          + "\(folder.path("contracts")), "))
    #expect(lost.errors.hasSuffix("/contracts, contracts\n  name one: --contract FILE\n"))
  }

  @Test func `what a server or an app wrote cannot forge a line of the report`() async throws {
    let path = try edited { line in
      guard !line.contains(#""mark":"ATT answered""#) else { return nil }
      return
        line
        .replacingOccurrences(of: #""method":"POST""#, with: #""method":"PO\u001b[2JST""#)
        .replacingOccurrences(of: #""name":"first-launch""#, with: #""name":"x\n  HOLDS   [R99] all is well""#)
    }
    let result = try await CommandLineTool.run("verify", path, in: folder)
    #expect(result.output.contains(#"on x\u{A}  HOLDS   [R99] all is well: "#))
    #expect(!result.output.contains("\u{1B}"))
    #expect(!result.output.split(separator: "\n").contains { $0.hasPrefix("  HOLDS   [R99]") })
  }

  @Test func `a report that could not be printed is no success`() async throws {
    let result = try await CommandLineTool.run(
      ["show", "cassettes/first-launch.cassette"], outputTo: "/dev/full", in: folder)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("launchtape: the results could not be printed: "))
  }

  @Test func `a paced replay tells how late it was`() async throws {
    let result = try await CommandLineTool.run(
      "replay", "cassettes/first-launch.cassette", "--flow", "first-launch", "--speed", "20", in: folder)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last?.hasPrefix("lateness: p50 ") == true && lines.last?.hasSuffix(" deliveries") == true)
  }

  @Test func `the sandbox prints its base URLs and stops at Ctrl-C`() async throws {
    let result = try await CommandLineTool.run(
      ["sandbox"], interruptedBy: .init(signal: "INT", seconds: 3), in: folder)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.filter { $0.contains("http://127.0.0.1:") }.map { $0.prefix { $0 != ":" } } == [
        "OneSignal", "Adjust", "Adapty", "MotiSig", "admin",
      ])
    #expect(lines.contains { $0.hasPrefix("  api.onesignal.com=127.0.0.1:") })
    #expect(result.errors == "Ctrl-C stops\n")
  }

  @Test func `each address of the sandbox is a base URL of its vendor`() async throws {
    let result = try await Shell.run(
      """
      $launchtape sandbox >sandbox.txt & sandbox=$!
      trap 'kill -INT $sandbox; wait $sandbox' EXIT
      until grep -qs '^admin: ' sandbox.txt; do kill -0 $sandbox || exit 9; sleep 0.05; done
      address() { sed -n "s|^$1: http://127.0.0.1:||p" sandbox.txt; }
      status() { curl -s -o /dev/null -w "%{http_code}\\n" "$@"; }
      status http://127.0.0.1:$(address OneSignal)/apps/a/ios_params.js
      status http://localhost:$(address OneSignal)/apps/a/ios_params.js
      status http://127.0.0.1:$(address OneSignal)/nowhere
      status http://127.0.0.1:$(address Adapty)/api/v1/sdk/company/public_live_x/app/net-config.json
      status "http://127.0.0.1:$(address Adapty)?format=json"
      status http://127.0.0.1:$(address MotiSig)/client/health
      status -X POST http://127.0.0.1:$(address Adjust)/session
      status -H 'Host: example.com' http://127.0.0.1:$(address OneSignal)/apps/a/ios_params.js
      """, in: folder)
    // Adjust takes nobody without a signature, and no stand-in is taken for another host.
    let statuses = result.output.split(separator: "\n").map(String.init)
    #expect(statuses == ["200", "200", "404", "200", "200", "200", "401", "421"], "\(result.errors)")
  }

  @Test func `the demo holds and leaves its files where it was told`() async throws {
    let result = try await CommandLineTool.run("demo", "--dir", folder.path("demo"), in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.hasSuffix("everything held\n"))
    #expect(result.output.contains("once more: the same trace, byte for byte"))
    for name in ["first-launch", "replay", "virtual"] {
      #expect(try Cassette(path: folder.path("demo/\(name).cassette")).trace.isClosed)
    }
  }

  @Test func `a rule that was never exercised fails only when asked`() async throws {
    let path = try folder.write(
      """
      contract "idle" version 1
      mark home = "navigated to home"
      mark never.marked = "nobody says this"
      never.marked only after home

      """, to: "idle.contract")
    let verify = ["verify", "cassettes/first-launch.cassette", "--contract", path]
    #expect(try await CommandLineTool.run(verify, in: folder).status == 0)
    #expect(try await CommandLineTool.run(verify + ["--no-idle"], in: folder).status == 4)
  }

  @Test func `a request that was not recorded fails the replay and is explained`() async throws {
    let path = try edited { $0.replacingOccurrences(of: "/net-config.json", with: "/net-konfig.json") }
    let result = try await CommandLineTool.run(
      "replay", path, "--flow", "first-launch", "--speed", "immediate", in: folder)
    #expect(result.status == 1)
    #expect(result.errors.contains("GET https://fallback.adapty.io/api/v1/sdk/company/"))
  }

  @Test func `show draws one line a call or mark`() async throws {
    let result = try await CommandLineTool.run("show", "cassettes/first-launch.cassette", "--width", "100", in: folder)
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 1 + 27 + 56)
    // The first one is a sentence, which a terminal breaks.
    #expect(lines.dropFirst().allSatisfy { $0.count <= 100 })
    #expect(lines.contains { $0.contains("◆ ATT answered {status: 3}") })
    #expect(lines.contains { $0.contains("POST consent.adjust.com/session") && $0.contains("200 ") })
  }

  /// The checked-in cassette with each line edited, or dropped for nil.
  private func edited(_ edit: (String) -> String?) throws -> String {
    let lines = try text(of: "cassettes/first-launch.cassette").split(separator: "\n").map(String.init)
    return try folder.write(lines.compactMap(edit).joined(separator: "\n") + "\n", to: "edited.cassette")
  }

  private func text(of path: String) throws -> String {
    try String(contentsOfFile: "\(CommandLineTool.packageFolder)/\(path)", encoding: .utf8)
  }
}
