import Foundation
import LaunchContract
import LaunchDiagnostics
import LaunchJSON
import LaunchReport
import LaunchTrace
import Testing

/// Several contracts on several traces, in every format.
struct RunReportTests {
  private static let order = """
    contract "order" version 1
    mark a, b, c, d
    [O1] b only after a   # because b & <a> "belong" together
    every c is followed by d
    advice: no d
    """
  private static let number = """
    contract "number" version 1
    mark a
    at most 1 a
    """

  private static func trace(_ name: String, _ marks: String, isClosed: Bool = true) -> Trace {
    var events = marks.enumerated().map { index, mark in
      Event(at: Instant(microseconds: Int64(index) * 1500), .mark(Mark(String(mark))))
    }
    if isClosed { events.append(Event(at: Instant(microseconds: 60_000), .closed(Closing(events: events.count)))) }
    return Trace(name: name, events: events)
  }

  static func run(_ traces: [Trace]) throws -> RunReport {
    var run = RunReport()
    for (text, file) in [(order, "order.contract"), (number, "number.contract")] {
      let contract = try Contract(parsing: text, file: file)
      for trace in traces {
        let rerun = "launchtape verify \(trace.name).cassette --contract \(file)"
        run.entries.append(RunReport.Entry(contract.verification(of: trace), rerun: rerun))
      }
    }
    return run
  }

  static func mixed() throws -> RunReport {
    try run([trace("good", "abcd"), trace("bad", "baa"), trace("short", "a", isClosed: false)])
  }

  @Test func `several traces are one section a contract`() throws {
    #expect(
      ReportFormat.text.text(of: try Self.mixed()) == """
        order.contract "order" on 3 traces
          good: 5 events, closed
          bad: 4 events, closed
          short: 1 event, cut
        order.contract:3: BROKEN  [O1] b only after a     on bad
              0.000 s  b    <- needs a before it
              0.001 s  a    comes 1.5 ms too late
           nothing else matters: 2 of 4 events
           because b & <a> "belong" together
           rerun: launchtape verify bad.cassette --contract order.contract
          OPEN    every c is followed by d   (the trace is cut, nothing is wrong so far; exercised in 2 of 3)
        order.contract:5: BROKEN  advice: no d     on good
              0.004 s  d    <- is not allowed
           nothing else matters: 1 of 5 events
           1 d came, none allowed
           rerun: launchtape verify good.cassette --contract order.contract
        2 rules: 1 broken, 1 open; 1 advice: 1 broken
        number.contract "number" on 3 traces
          good: 5 events, closed
          bad: 4 events, closed
          short: 1 event, cut
        number.contract:3: BROKEN  at most 1 a     on bad
              0.001 s  a
              0.003 s  a    <- is one too many
           nothing else matters: 2 of 4 events
           2 a came, at most 1 allowed
           rerun: launchtape verify bad.cassette --contract number.contract
        1 rule: 1 broken
        2 contracts on 3 traces: 3 rules: 2 broken, 1 open; 1 advice: 1 broken
        """)
  }

  @Test func `a rule is idle only if it is idle everywhere`() throws {
    let run = try Self.run([Self.trace("one", "ab"), Self.trace("two", "cd")])
    let rules = run.contracts[0].rules
    #expect(rules[0].verdict == .holds && rules[0].exercised == 1)
    #expect(run.exitCode(idleFails: true) == 0)
    #expect(try Self.run([Self.trace("one", "ab")]).exitCode(idleFails: true) == 4)
    #expect(ReportFormat.text.text(of: run).contains("  HOLDS   [O1] b only after a   (exercised in 1 of 2)"))
  }

  @Test func `a name that one trace matched is no warning`() throws {
    let warnings = try Self.run([Self.trace("one", "ab"), Self.trace("two", "cb")]).contracts[0].warnings
    #expect(warnings.map(\.message) == ["nothing in the trace matched 'd'"])
  }

  @Test func `what could not be read comes before everything`() throws {
    var run = try Self.mixed()
    #expect(run.exitCode() == 1)
    run.problems = [RunReport.Problem(path: "gone.cassette", message: "gone.cassette: no such file")]
    #expect(run.exitCode() == 2)
    for format in ReportFormat.allCases {
      #expect(format.text(of: run).contains("gone.cassette: no such file"), "\(format)")
    }
  }

  /// Two recordings of one name, and two contracts of one name.
  private static func twins() throws -> RunReport {
    var run = RunReport()
    for file in ["a.contract", "b.contract"] {
      let contract = try Contract(parsing: number, file: file)
      for path in ["one/launch.cassette", "two/launch.cassette"] {
        run.entries.append(RunReport.Entry(contract.verification(of: trace("launch", "aa")), path: path))
      }
    }
    return run
  }

  @Test func `traces and contracts of one name are told apart by their paths`() throws {
    let run = try Self.twins()
    let suites = ReportFormat.junit.text(of: run).split(separator: "\n").compactMap { line in
      line.contains("<testsuite ") ? line.split(separator: "\"")[1] : nil
    }
    #expect(
      suites == [
        "number (a.contract) on launch (one/launch.cassette)", "number (a.contract) on launch (two/launch.cassette)",
        "number (b.contract) on launch (one/launch.cassette)", "number (b.contract) on launch (two/launch.cassette)",
      ])
    let text = ReportFormat.text.text(of: run)
    #expect(text.contains("BROKEN  at most 1 a     on launch (two/launch.cassette)"))
    #expect(text.contains("\n2 contracts on 2 traces: "))
    let report = try JSON(parsing: Array(ReportFormat.json.text(of: run).utf8))
    #expect(report["contracts"]?[0]?["traces"]?[1]?["path"] == "two/launch.cassette")
    #expect(report["times"] == "microseconds")
  }

  @Test func `a warning about a file that two contracts include stands once`() throws {
    var run = RunReport()
    for file in ["a.contract", "b.contract"] {
      let contract = try Contract(
        parsing: "contract \"x\" version 1\ninclude \"names.contract\"\nno m\n", file: file
      ) { _ in Array("contract \"names\" version 1\nmark m\n".utf8) }
      run.entries.append(RunReport.Entry(contract.verification(of: Self.trace("t", "a"))))
    }
    let warnings = run.contracts.map { $0.warnings.map(\.description.firstLine) }
    #expect(warnings == [["names.contract:2:6: warning: nothing in the trace matched 'm'"], []])
  }

  @Test func `what is doubtful about a recording stands in every format`() throws {
    var run = try Self.run([Self.trace("one", "ab")])
    run.doubts = [
      Diagnostic(
        file: "one.cassette", line: 9, column: 1, severity: .warning,
        message: "the closing line counts 11 events, there are 9", sourceLine: "")
    ]
    for format in ReportFormat.allCases {
      let text = format.text(of: run)
      #expect(text.contains("the closing line counts 11 events, there are 9"), "\(format)")
      #expect(text.contains("one.cassette"), "\(format)")
    }
    #expect(
      ReportFormat.xcode.text(of: run).contains(
        "one.cassette:9:1: warning: recording: the closing line counts 11 events, there are 9"))
  }

  @Test func `many failures of one rule are told three times`() throws {
    let run = try Self.run((1...5).map { Self.trace("t\($0)", "b") })
    let text = ReportFormat.text.text(of: run)
    #expect(text.contains("BROKEN  [O1] b only after a     on t3"))
    #expect(!text.contains("BROKEN  [O1] b only after a     on t4"))
    #expect(text.contains("   the same rule fails on t4, t5"))
  }

  @Test func `JSON says all of it`() throws {
    let report = try JSON(parsing: Array(ReportFormat.json.text(of: try Self.mixed()).utf8))
    #expect(report["report"] == 1 && report["exit"] == 1)
    let rule = try #require(report["contracts"]?[0]?["rules"]?[0])
    #expect(rule["name"] == "O1" && rule["verdict"] == "BROKEN" && rule["exercised"] == 3 && rule["line"] == 3)
    #expect(rule["because"] == "b & <a> \"belong\" together")
    let result = try #require(rule["results"]?[1])
    #expect(result["trace"] == "bad" && result["verdict"] == "BROKEN" && result["distance"] == "1.5 ms too late")
    #expect(
      result["witness"]
        == [
          ["position": 0, "at": 0, "name": "b", "what": "", "remark": "<- needs a before it"],
          ["position": 1, "at": 1500, "name": "a", "what": "", "remark": "comes 1.5 ms too late"],
        ])
    #expect(report["contracts"]?[0]?["rules"]?[1]?["results"]?[2]?["leaning"] == "kept")
    #expect(report["contracts"]?[0]?["traces"]?[2] == ["name": "short", "events": 1, "closed": false])
  }

  @Test func `GitHub gets a command a failure`() throws {
    let lines = ReportFormat.github.text(of: try Self.mixed()).split(separator: "\n")
    #expect(
      lines.first == """
        ::error file=order.contract,line=3,col=1,title=BROKEN  [O1] b only after a::1.5 ms too late, on bad%0A      \
        0.000 s  b    <- needs a before it%0A      0.001 s  a    comes 1.5 ms too late%0A   nothing else matters: 2 of 4 \
        events%0A   because b & <a> "belong" together%0A   rerun: launchtape verify bad.cassette --contract order.contract
        """)
    #expect(lines.filter { $0.hasPrefix("::notice ") }.count == 2)
    #expect(lines.last == "launchtape: 2 contracts on 3 traces: 3 rules: 2 broken, 1 open; 1 advice: 1 broken")
  }

  @Test func `Xcode gets compiler lines`() throws {
    let lines = ReportFormat.xcode.text(of: try Self.mixed()).split(separator: "\n")
    #expect(lines[0] == "order.contract:3:1: error: BROKEN  [O1] b only after a: 1.5 ms too late, on bad")
    #expect(lines[1] == "order.contract:3:1: note: 0.000 s  b    <- needs a before it")
    #expect(
      lines.contains(
        "order.contract:4:1: error: OPEN, leaning kept  every c is followed by d: the trace is cut, nothing is wrong so far, on short"
      ))
    #expect(
      lines.dropLast().allSatisfy {
        $0.firstRange(of: #/^(order|number)\.contract:\d+:\d+: (error|warning|note): /#) != nil
      })
  }

  @Test func `idle rules are warnings, optional ones are not`() throws {
    let contract = try Contract(
      parsing: "contract \"x\" version 1\nmark a, b, c\nb only after a\noptional: a only after c", file: "x.contract")
    var run = RunReport()
    run.entries = [RunReport.Entry(contract.verification(of: Self.trace("t", "")))]
    let lines = ReportFormat.xcode.text(of: run).split(separator: "\n")
    #expect(lines.filter { $0.contains("IDLE") } == ["x.contract:3:1: warning: IDLE  b only after a: b never came"])
    #expect(ReportFormat.junit.text(of: run).split(separator: "<skipped ").count == 2)
    let text = ReportFormat.text.text(of: run)
    #expect(text.contains("  IDLE    b only after a") && !text.contains("a only after c"))
    #expect(text.hasSuffix("\n2 rules: 1 idle, 1 optional idle"))
  }

  @Test func `a warning for each of many names costs no search among the others`() {
    let (few, many) = (Self.processorTime(ofWarnings: 2_000), Self.processorTime(ofWarnings: 16_000))
    // A search costs 64 times as much.
    #expect(many < few * 24, "\(many) for 16,000, \(few) for 2,000")
  }

  /// What it takes to gather so many warnings of two traces, in nanoseconds of this thread.
  private static func processorTime(ofWarnings count: Int) -> UInt64 {
    let warnings = (0..<count).map {
      Diagnostic(file: "x", line: $0, column: 1, severity: .warning, message: "m\($0)", sourceLine: "mark m\($0)")
    }
    var run = RunReport()
    run.entries = ["one", "two"].map { trace in
      RunReport.Entry(
        Verification(
          contract: "x", file: "x", trace: trace, eventCount: 0, isClosed: true, reports: [], warnings: warnings))
    }
    let start = threadNanoseconds()
    #expect(run.contracts[0].warnings.count == count)
    return threadNanoseconds() - start
  }
}

extension String {
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}

private func threadNanoseconds() -> UInt64 {
  var time = timespec()
  guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return 0 }
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
