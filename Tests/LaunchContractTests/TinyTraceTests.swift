import LaunchContract
import Testing

/// The ten tiny traces of contract-semantics.md section 3, on our own recordings.
struct TinyTraceTests {
  @Test(arguments: DecidedCase.tiny)
  func `a tiny trace comes out right`(decided: DecidedCase) { decided.check() }

  @Test func `nothing is decided on a cut trace without events`() throws {
    #expect(
      try TraceBuilder().trace(isClosed: false).verdict(on: "adjust.init only after att") == .open(leaning: .kept))
  }

  @Test func `the page holds the table`() {
    let table = DecidedCase.markdown(DecidedCase.tiny + DecidedCase.pitfalls)
    #expect(LanguageTests.page.contains(table), "\(table)")
  }
}
