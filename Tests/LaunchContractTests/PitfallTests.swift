import LaunchContract
import LaunchDiagnostics
import LaunchHTTP
import LaunchTrace
import Testing

/// The pitfalls that contract-semantics.md 2.5 decides.
struct PitfallTests {
  private static let a = "https://h.test/a"

  @Test(arguments: DecidedCase.pitfalls)
  func `a pitfall is decided`(decided: DecidedCase) { decided.check() }

  static let retries: [(first: TraceEnd, isRetry: Bool)] = [
    (.status(500), true), (.status(599), true), (.status(408), true), (.status(425), true), (.status(429), true),
    (.status(200), false), (.status(404), false), (.status(304), false),
    (.error(.timeout), true), (.error(.refused), true), (.error(.truncated), true), (.error(.cancelled), false),
    (.none, false),
  ]

  enum TraceEnd: Sendable { case status(Int), error(TransportError.Reason), none }

  @Test(arguments: retries)
  func `only what clients retry is continued by an equal call`(first: TraceEnd, isRetry: Bool) throws {
    let trace = TraceBuilder.make {
      let call = $0.start("POST", Self.a, at: 1)
      switch first {
      case .status(let status): $0.answer(call, status, at: 2)
      case .error(let reason): $0.fail(call, reason, at: 2)
      case .none: break
      }
      $0.answer($0.start("POST", Self.a, at: 3), 200, at: 4)
    }.trace()
    #expect(try trace.verdict(on: isRetry ? "exactly 1 a" : "exactly 2 a") == .holds)
  }

  static let keys: [(url: String, body: String, type: String, isSame: Bool)] = [
    ("https://h.test/a?x=1&y=2", #"{"k":1,"l":[2]}"#, "application/json", true),
    ("https://other.test/a?y=2&x=1", #"{"l":[2.0],"k":1}"#, "application/json", true),
    ("https://h.test/a?x=1&y=3", #"{"k":1,"l":[2]}"#, "application/json", false),
    ("https://h.test/a?x=1&y=2", #"{"k":2,"l":[2]}"#, "application/json", false),
    ("https://h.test/b?x=1&y=2", #"{"k":1,"l":[2]}"#, "application/json", false),
  ]

  @Test(arguments: keys)
  func `attempts are equal by method, path, query and content by meaning, whatever the host`(
    url: String, body: String, type: String, isSame: Bool
  ) throws {
    let contract = try Contract(parsing: "contract \"x\" version 1\nexactly 1 calls", file: "f")
    let trace = TraceBuilder.make {
      let json: Fields = ["Content-Type": "application/json"]
      let first = $0.start(
        "POST", "https://h.test/a?x=1&y=2", body: #"{"k":1,"l":[2]}"#, fields: json, at: 1)
      $0.fail(first, .reset, at: 2)
      _ = $0.start("POST", url, body: body, fields: ["Content-Type": type], at: 3)
    }.trace()
    #expect(contract.reports(on: trace)[0].verdict == (isSame ? .holds : .broken))
  }

  @Test func `attempts can be told by a field or by an idempotency key`() throws {
    let text = """
      contract "x" version 1
      call session = POST https://h.test/session attempts by form.created_at
      call track = POST https://h.test/t
      exactly 1 session
      exactly 1 track
      """
    let trace = TraceBuilder.make {
      $0.fail($0.start("POST", "https://h.test/session", body: "created_at=1&retry_count=0", at: 1), .timeout, at: 2)
      _ = $0.start("POST", "https://h.test/session", body: "created_at=1&retry_count=1", at: 3)
      $0.fail($0.start("POST", "https://h.test/t", body: "1", fields: ["Idempotency-Key": "k"], at: 4), .timeout, at: 5)
      _ = $0.start("POST", "https://h.test/t", body: "2", fields: ["idempotency-key": "k"], at: 6)
    }.trace()
    #expect(try Contract(parsing: text, file: "f").reports(on: trace).map(\.verdict) == [.holds, .holds])
  }

  @Test func `a file's tolerance widens every bound that has none of its own`() throws {
    let trace = TraceBuilder.make {
      $0.mark("m", at: 0)
      $0.mark("n", at: 12_002)
    }.trace()
    #expect(try trace.verdict(on: "n within 12002 ms of m") == .holds)
    #expect(try trace.verdict(on: "n within 12 s of m") == .broken)
    #expect(try trace.verdict(on: "n within 12 s of m", tolerance: "tolerance 2 ms") == .holds)
    #expect(try trace.verdict(on: "n within 12 s of m", tolerance: "tolerance 1 ms") == .broken)
    #expect(try trace.verdict(on: "n within 12 s of m ± 2 ms") == .holds)
    #expect(try trace.verdict(on: "n within 12 s of m ± 1 ms", tolerance: "tolerance 1 s") == .broken)
  }

  @Test func `broken advice and idle optional rules do not count`() throws {
    let trace = TraceBuilder.make { $0.mark("m", at: 1) }.trace()
    let table: [(rule: String, code: Int32, strict: Int32)] = [
      ("m only after n", 1, 1), ("advice: m only after n", 0, 0), ("n only after m", 0, 4),
      ("optional: n only after m", 0, 0), ("exactly 1 m", 0, 0),
    ]
    for row in table {
      let verification = try Contract.rule(row.rule).verification(of: trace)
      #expect(verification.exitCode() == row.code, "\(row.rule)")
      #expect(verification.exitCode(idleFails: true) == row.strict, "\(row.rule)")
    }
    let cut = TraceBuilder.make { $0.mark("m", at: 1) }.trace(isClosed: false)
    #expect(try Contract.rule("n only after m").verification(of: cut).exitCode(idleFails: true) == 3)
    #expect(try Contract.rule("m only after n\nn only after att").verification(of: cut).exitCode() == 1)
  }

  @Test func `a declared name that nothing matched is warned about`() throws {
    let trace = TraceBuilder.make { $0.mark("m", at: 1) }.trace()
    let text = "contract \"x\" version 1\nmark m, n\ncall a = GET https://a.test/**\nno a\nexactly 1 m\nno n\n"
    let warnings = try Contract(parsing: text, file: "f").verification(of: trace).warnings
    #expect(
      warnings.map { "\($0.line):\($0.column) \($0.message)" } == [
        "2:9 nothing in the trace matched 'n'", "3:6 nothing in the trace matched 'a'",
      ])
  }
}
