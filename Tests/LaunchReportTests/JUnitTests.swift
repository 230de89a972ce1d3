import LaunchContract
import LaunchReport
import LaunchTrace
import Testing

/// The XML that CI servers read.
struct JUnitTests {
  static func run() throws -> RunReport {
    let contract = try Contract(
      parsing: """
        contract "o & <x>" version 1
        mark a, b, c
        [O1] b only after a   # because "b" & <a> belong together
        every a is followed by c
        optional: c only after b
        advice: no a
        """, file: "order.contract")
    var events = ["b", "a"].enumerated().map { index, mark in
      Event(at: Instant(microseconds: Int64(index) * 1000), .mark(Mark(mark)))
    }
    var run = RunReport()
    run.entries = [
      RunReport.Entry(contract.verification(of: Trace(name: "cut", events: events)), rerun: "launchtape x")
    ]
    events = [Event(at: .zero, .closed(Closing(events: 0)))]
    run.entries.append(RunReport.Entry(contract.verification(of: Trace(name: "empty", events: events))))
    run.problems = [RunReport.Problem(path: "no\u{1B}.cassette", message: "not there")]
    return run
  }

  @Test func `a suite a trace, a case a rule`() throws {
    #expect(
      ReportFormat.junit.text(of: try Self.run()) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="launchtape" tests="9" failures="1" errors="3">
          <testsuite name="o &amp; &lt;x&gt; on cut" tests="4" failures="1" errors="2" skipped="0" time="0">
            <testcase name="[O1] b only after a" classname="o &amp; &lt;x&gt; on cut" time="0">
              <failure message="BROKEN: 1 ms too late" type="BROKEN">order.contract:3: BROKEN  [O1] b only after a
              0.000 s  b    &lt;- needs a before it
              0.001 s  a    comes 1 ms too late
           nothing else matters: 2 of 2 events
           because &quot;b&quot; &amp; &lt;a&gt; belong together
           rerun: launchtape x</failure>
            </testcase>
            <testcase name="every a is followed by c" classname="o &amp; &lt;x&gt; on cut" time="0">
              <error message="OPEN, leaning broken: no c in the 0 ms until the trace stops" type="OPEN, leaning broken">order.contract:4: OPEN, leaning broken  every a is followed by c
              0.001 s  a    &lt;- needs c after it
           no c in the 0 ms until the trace stops
           nothing else matters: 1 of 2 events
           rerun: launchtape x</error>
            </testcase>
            <testcase name="c only after b" classname="o &amp; &lt;x&gt; on cut" time="0">
              <error message="OPEN, leaning kept: the trace is cut, nothing is wrong so far" type="OPEN, leaning kept">order.contract:5: OPEN, leaning kept  c only after b
           the trace is cut, nothing is wrong so far
           rerun: launchtape x</error>
            </testcase>
            <testcase name="advice: no a" classname="o &amp; &lt;x&gt; on cut" time="0">
              <system-out>order.contract:6: BROKEN  advice: no a
              0.001 s  a    &lt;- is not allowed
           nothing else matters: 1 of 2 events
           1 a came, none allowed
           rerun: launchtape x</system-out>
            </testcase>
          </testsuite>
          <testsuite name="o &amp; &lt;x&gt; on empty" tests="4" failures="0" errors="0" skipped="2" time="0">
            <testcase name="[O1] b only after a" classname="o &amp; &lt;x&gt; on empty" time="0">
              <skipped message="IDLE: b never came"/>
            </testcase>
            <testcase name="every a is followed by c" classname="o &amp; &lt;x&gt; on empty" time="0">
              <skipped message="IDLE: a never came"/>
            </testcase>
            <testcase name="c only after b" classname="o &amp; &lt;x&gt; on empty" time="0"/>
            <testcase name="advice: no a" classname="o &amp; &lt;x&gt; on empty" time="0"/>
          </testsuite>
          <testsuite name="files" tests="1" failures="0" errors="1" skipped="0" time="0">
            <testcase name="no�.cassette" classname="files" time="0">
              <error message="not there" type="unreadable"/>
            </testcase>
          </testsuite>
        </testsuites>
        """)
  }
}
