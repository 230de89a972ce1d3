import LaunchDiagnostics
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import TestSupport
import Testing

@Suite struct FaultScriptTests {
  private func steps(_ text: String) throws -> [FaultScript.Step] { try FaultScript(parsing: text, file: "f").steps }

  private func sandbox(_ script: String) throws -> VendorSandbox {
    VendorSandbox(latency: .lan, faults: try FaultScript(parsing: script, file: "f"))
  }

  @Test func `a line names calls, what happens, and how often`() throws {
    let text = """
      # everything at once
      at call tags: 429 retry-after 2, twice
      at call adjust.session, adjust.click: wait 9 s   # both
      at call onesignal.create-user:slow 8 KB/s,3 times

      at call adapty.*: drop, once
      at call *: 500, always\r
      at call ip-lookup: hang
      """
    #expect(
      try steps("\u{FEFF}" + text) == [
        .init([.tags], .status(429, retryAfter: 2), times: 2),
        .init([.kind(.adjustSession), .kind(.adjustClick)], .wait(.seconds(9))),
        .init([.kind(.oneSignalCreateUser)], .slow(bytesPerSecond: 8000), times: 3),
        .init([.vendor("adapty")], .drop, times: 1),
        .init([.all], .status(500)),
        .init([.kind(.ipLookup)], .hang),
      ])
  }

  @Test(arguments: [
    ("at cal tags: 500", "f:1:4: error: a line is \"at call NAME: FAULT, TIMES\""),
    ("at call adjust.sesion: 500", "f:1:9: error: no call is named adjust.sesion; did you mean adjust.session?"),
    ("at call tags 500", "f:1:14: error: behind the call stands a colon, then what happens"),
    (
      "at call tags: explode",
      "f:1:15: error: explode is nothing that can happen; there is a status, and wait 9 s, slow 8 KB/s, drop, reset, hang, pass"
    ),
    ("at call tags: 700", "f:1:15: error: a status is from 200 to 599"),
    ("at call tags: wait 9", "f:1:21: error: the unit is missing; there is ms, s, min"),
    ("at call tags: wait 9 days", "f:1:22: error: days is no unit; there is ms, s, min"),
    ("at call tags: slow 0 B/s", "f:1:20: error: a rate is at least 1 B/s; hang never answers"),
    ("at call tags: 429 retry-after soon", "f:1:31: error: behind retry-after stand whole seconds, 86400 at most"),
    ("at call tags: 500, often", "f:1:20: error: a count is once, twice, 3 times or always"),
    ("at call tags: 500 twice", "f:1:19: error: nothing belongs behind this line's end; a count follows a comma"),
    ("at call", "f:1:8: error: the name of a call is missing"),
  ])
  func `a mistake is shown at its place`(_ text: String, _ message: String) {
    #expect {
      try steps(text)
    } throws: { error in
      "\(error)".split(separator: "\n").first.map(String.init) == message
    }
  }

  @Test func `every mistake is told at once`() {
    #expect {
      try steps("at call a: 1\nat call tags: 500\nat\n")
    } throws: { ($0 as? DiagnosticsError)?.diagnostics.map(\.line) == [1, 3] }
  }

  @Test func `a script cut anywhere, or spoilt, never traps`() throws {
    let text = "at call tags, adapty.*: 429 retry-after 2, 3 times\nat call *: slow 8.5 KB/s, twice\n"
    for count in 0...text.count { _ = try? steps(String(text.prefix(count))) }
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      var characters = Array(text)
      for _ in 0..<4 {
        guard let place = characters.indices.randomElement(using: &random) else { continue }
        characters[place] = "at:, #0123456789.*KBé\u{0}".randomElement(using: &random) ?? " "
      }
      _ = try? steps(String(characters))
    }
  }

  @Test func `lines for one call happen one after the other`() throws {
    var sandbox = try sandbox("at call adjust.session: 500, once\nat call adjust.session: 429 retry-after 7, once")
    let request = try Adjust.post("/session")
    let answers = (0..<3).map { _ in sandbox.respond(to: request) }
    #expect(answers.map(\.status) == [500, 429, 200])
    #expect(answers[1].head?.fields["Retry-After"] == "7")
  }

  @Test func `a refused request has no effect`() throws {
    var sandbox = try sandbox("at call onesignal.create-user: 500, once")
    let refused = sandbox.respond(to: try OneSignal.send("POST", "/users", OneSignal.user))
    #expect(refused.summary.hasPrefix(#"500 {"errors":[{"code":"scripted_500""#))
    var usual = VendorSandbox(latency: .lan)
    let created = sandbox.respond(to: try OneSignal.send("POST", "/users", OneSignal.user))
    #expect(created.body == usual.respond(to: try OneSignal.send("POST", "/users", OneSignal.user)).body)
  }

  @Test func `what fails, fails when its answer was due`() throws {
    let request = try Adjust.post("/session")
    var usual = VendorSandbox(latency: .lan)
    let due = usual.respond(to: request).parts.first?.offset
    for (word, fault) in [("drop", Answer.Fault.truncate), ("reset", .reset), ("hang", .hang)] {
      var sandbox = try sandbox("at call adjust.session: \(word)")
      #expect(sandbox.respond(to: request).parts == [.init(at: due ?? .zero, .fault(fault))])
    }
  }

  @Test func `slow content arrives at the rate, a late answer later`() throws {
    let request = try Adjust.post("/session")
    var usual = VendorSandbox(latency: .lan)
    let answer = usual.respond(to: request)
    let head = try #require(answer.parts.first?.offset)
    var late = try sandbox("at call adjust.session: wait 9 s")
    #expect(late.respond(to: request).parts.map(\.offset) == answer.parts.map { $0.offset + .seconds(9) })
    var slow = try sandbox("at call adjust.session: slow 100 B/s")
    let slowed = slow.respond(to: request)
    #expect(slowed.body == answer.body)
    #expect(slowed.parts.last?.offset == head + .milliseconds(10 * answer.body.count))
  }
}
