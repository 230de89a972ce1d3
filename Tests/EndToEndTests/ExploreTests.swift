import Foundation
import LaunchCassette
import LaunchTrace
import Testing

/// `launchtape explore` on shipped cassettes.
@Suite struct ExploreTests {
  private static let cassette = "cassettes/first-launch.cassette"
  private static let contract = "contracts/onesignal.contract"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explore(_ arguments: String...) async throws -> CommandLineTool.Result {
    try await CommandLineTool.run(
      ["explore", Self.cassette, "--flow", "first-launch", "--contract", Self.contract] + arguments, in: folder)
  }

  @Test func `the launch as recorded has the findings of the recording`() async throws {
    let result = try await explore("--schedule", "0", "--output", folder.path("found"))
    // Broken advice fails nothing.
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains("ADVICE  iam.page only after tags.install  (in 1 of 1 schedules)\n   breaks as recorded"))
    #expect(result.output.contains("\nschedule 0 of first-launch was run, twice with equal events\n"))
    #expect(result.output.contains(" rules × 1 verdict: 0 broken, 2 advice broken, "))
    // The counterexample is a launch like any other.
    let verified = try await CommandLineTool.run(
      "verify", folder.path("found/R26.cassette"), "--contract", Self.contract, in: folder)
    #expect(verified.output.contains("ADVICE") || verified.output.contains("BROKEN"))
    let replayed = try await CommandLineTool.run(
      "replay", folder.path("found/R26.cassette"), "--flow", "first-launch", "--speed", "immediate", "--strict",
      in: folder)
    #expect(replayed.status == 0, "\(replayed.errors)")
  }

  /// `first-launch-R46.cassette` breaks R46.
  @Test func `every counterexample that is kept breaks the rule it is named after`() async throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: "\(CommandLineTool.packageFolder)/cassettes/counterexamples"
    ).filter { $0.hasSuffix(".cassette") }
    #expect(names.count >= 8)
    for name in names {
      let rule = try #require(name.firstMatch(of: /R\d+/)).output
      let verified = try await CommandLineTool.run("verify", "cassettes/counterexamples/\(name)", in: folder)
      let isBroken = verified.output.split(separator: "\n").contains { $0.contains("BROKEN  [\(rule)]") }
      #expect(isBroken, "\(name): \(verified.output)")
    }
  }

  /// What takes longer is in the README of the counterexamples.
  @Test(arguments: [
    (
      "clicks-across-restart", "motisig", "clicks-as-shipped", "clicks-across-restart",
      ["BROKEN  no click between launch.begin and user.create", "BROKEN  user.create never overlaps click"]
    ),
    ("push-prompt", "launch", "first-launch", "first-launch-strict", ["BROKEN  no push.prompt"]),
  ])
  func `a quirk is found as recorded, and its correction is free of it`(
    cassette: String, contract: String, quirky: String, corrected: String, findings: [String]
  ) async throws {
    for flow in [quirky, corrected] {
      let result = try await CommandLineTool.run(
        "explore", "cassettes/\(cassette).cassette", "--flow", flow, "--contract", "contracts/\(contract).contract",
        "--schedule", "0", "--output", folder.path(flow), in: folder)
      for finding in findings {
        #expect(result.output.contains(finding) == (flow == quirky), "\(flow): \(result.output)")
      }
    }
  }

  @Test func `workers, shards and one process come to the same`() async throws {
    let options = ["--orders", "random", "--runs", "6", "--depth", "1", "--output", folder.path("out")]
    func run(_ more: String...) async throws -> CommandLineTool.Result {
      try await CommandLineTool.run(
        ["explore", Self.cassette, "--flow", "first-launch", "--contract", Self.contract] + options + more, in: folder)
    }
    let alone = try await run("--workers", "1")
    #expect(alone.errors == "exploring 6 schedules (random), each twice, in one process\n")
    var files: [String] = []
    for number in 1...3 {
      let part = try await run("--shard", "\(number)/3")
      #expect(part.status == 0, "\(part.errors)")
      files.append(try folder.write(part.output, to: "\(number).json"))
    }
    let merged = try await run("--merge", files[2], "--merge", files[0], "--merge", files[1])
    #expect(merged.output == alone.output)
    #expect(merged.status == alone.status)

    let missing = try await run("--merge", files[0], "--merge", files[2])
    #expect(missing.status == 2)
    #expect(missing.errors.contains("part 2 of 3 is missing"))
    let twice = try await run("--merge", files[0], "--merge", files[1], "--merge", files[1])
    #expect(twice.errors.contains("are both part 2 of 3"))
    let torn = try folder.write(String(try folder.text("1.json").dropLast(40)), to: "torn.json")
    let unread = try await run("--merge", torn)
    #expect(unread.errors.contains("torn.json is no result of a part of an exploration"))
    let other = try await run("--seed", "2", "--merge", files[0])
    #expect(other.errors.contains("is a part of another exploration"))
  }

  @Test func `the part of a worker that is killed is run again`() async throws {
    let options =
      "--flow first-launch --orders random --runs 200 --depth 1 --contract '\(CommandLineTool.packageFolder)/contracts/retries.contract'"
    let result = try await Shell.run(
      """
      cassette='\(CommandLineTool.packageFolder)/\(Self.cassette)'
      "$launchtape" explore "$cassette" \(options) --workers 2 --output out > whole.txt & explorer=$!
      \(Self.waitForWorker)
      kill -KILL $id && echo killed
      wait $explorer
      "$launchtape" explore "$cassette" \(options) --workers 1 --output out > alone.txt
      cmp whole.txt alone.txt && echo same
      """, in: folder)
    #expect(result.output == "killed\nsame\n", "\(result.errors)")
  }

  @Test func `an exploration that is ended leaves neither workers nor files`() async throws {
    let result = try await Shell.run(
      """
      export TMPDIR="$PWD/temporary" && mkdir "$TMPDIR"
      "$launchtape" explore '\(CommandLineTool.packageFolder)/\(Self.cassette)' --flow first-launch --orders random \\
        --runs 5000 --contract '\(CommandLineTool.packageFolder)/contracts/retries.contract' --workers 2 & explorer=$!
      \(Self.waitForWorker)
      kill -TERM $explorer
      wait $explorer
      echo $? $(ls "$TMPDIR" | wc -l)
      kill -0 $id 2>/dev/null || echo gone
      """, in: folder)
    #expect(result.output == "2 0\ngone\n", "\(result.errors)")
    #expect(result.errors.contains("interrupted; nothing was concluded"))
  }

  /// Shell commands that wait until `$explorer` has a worker, and call it `$id`.
  private static let waitForWorker = """
    worker() {
      for process in /proc/[0-9]*; do
        read -r stat < $process/stat && set -- ${stat##*) } && [ "$2" = $explorer ] && echo ${process#/proc/} && return
      done
    }
    until id=$(worker 2>/dev/null) && [ -n "$id" ] || ! kill -0 $explorer 2>/dev/null; do sleep 0.05; done
    """

  @Test(arguments: [
    (["--orders", "5-way"], "--orders is one of exhaustive, 2-way, 3-way, 4-way, random, not 5-way"),
    (["--schedule", "1.x"], "--schedule 1.x: choices with dots between them, as in 0x3.1.2"),
    (["--shard", "3/2"], "--shard 3/2: the part and how many there are, as in 2/5"),
    (["--faults", "-1"], "--faults -1: a whole number from 0 to 100"),
    (["--budget", "soon"], "--budget soon: a time such as 30s or 500ms"),
    (["--vary", "weather"], "--vary is outcomes or jobs, not weather"),
    (["--schedule", "1", "--orders", "2-way"], "--schedule goes without --orders"),
    (["--shard", "1/2", "--merge", "nowhere.json"], "--shard goes without --merge"),
    (["--merge", "nowhere.json"], "cannot read nowhere.json: No such file or directory"),
    (["--output", "/dev/null"], "/dev/null is no folder"),
  ])
  func `a wrong option is refused`(arguments: [String], message: String) async throws {
    let result = try await CommandLineTool.run(
      ["explore", Self.cassette, "--flow", "first-launch", "--contract", Self.contract] + arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test func `a test is printed for what breaks, with the options it takes, and none for advice`() async throws {
    let result = try await CommandLineTool.run(
      "explore", "cassettes/push-prompt.cassette", "--flow", "first-launch", "--contract", "contracts/launch.contract",
      "--schedule", "0", "--repeat", "last", "--faults", "1", "--output", folder.path("found"), "--write-test",
      in: folder)
    #expect(
      result.output.hasSuffix(
        #"""


        import LaunchCassette
        import LaunchClients
        import LaunchDeck
        import LaunchExplore
        import LaunchXCTest
        import XCTest

        /// To be run where the paths lead to the files. Your own launch can take the place of `flow.launch`.
        final class CounterexampleTests: XCTestCase {
          // breaks as recorded; nothing need change
          func testOrder_R31() throws {
            let path = "cassettes/push-prompt.cassette"
            let flow = try ExploredFlow(XCTUnwrap(Flow.named("first-launch")), Cassette(path: path))
            var matching = Matching()
            try matching.repeat("last")
            XCTAssertContract(
              "contracts/launch.contract", holdsOnEveryOrderOf: path, orders: .only("0"),
              varies: Variations(faults: 1), matching: matching, fallback: flow.fallback, launch: flow.launch)
          }
        }

        """#), "\(result.output)")
    let advice = try await explore("--schedule", "0", "--output", folder.path("advice"), "--write-test")
    #expect(advice.output.contains("ADVICE"))
    #expect(!advice.output.contains("XCTest"))
  }

  @Test func `what was found is printed also when it cannot be written`() async throws {
    let result = try await explore("--schedule", "0", "--output", "/proc/found")
    #expect(result.status == 2)
    #expect(result.output.contains("ADVICE  iam.page only after tags.install"))
    #expect(!result.output.contains("counterexample: "))
    #expect(result.errors.contains("cannot create the folder /proc/found"))
  }

  @Test func `more orders than the ceiling are not begun`() async throws {
    let result = try await explore("--orders", "exhaustive", "--ceiling", "100")
    #expect(result.status == 3)
    #expect(result.output.contains("more than the ceiling of 100"))
  }
}
