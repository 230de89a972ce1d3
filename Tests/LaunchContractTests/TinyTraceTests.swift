import LaunchContract
import LaunchTrace
import Testing

/// The ten tiny traces of contract-semantics.md section 3, on our own recordings.
struct TinyTraceTests {
  private static let precedence = "adjust.init only after att"
  private static let within = "paywall.shown within 5 s of fetch"
  private static let url = "https://api.adapty.io/api/v1/paywall/variations/p/d/"

  @Test func `same millisecond, att recorded first: holds`() throws {
    let trace = TraceBuilder.make {
      $0.mark("ATT answered", at: 5)
      $0.mark("start adjust initialization", at: 5)
    }.trace()
    #expect(try trace.verdict(on: Self.precedence) == .holds)
  }

  @Test func `same millisecond, adjust recorded first: broken`() throws {
    let report = try TraceBuilder.make {
      $0.mark("start adjust initialization", at: 5)
      $0.mark("ATT answered", at: 5)
    }.trace().report(on: Self.precedence)
    #expect(report.verdict == .broken)
    #expect(report.distance == "too late, at the same time")
  }

  @Test func `a call that starts before att and ends after: broken, it was still open`() throws {
    let report = try TraceBuilder.make {
      let call = $0.start("POST", "https://h.test/a", at: 60)
      $0.mark("ATT answered", at: 912)
      $0.answer(call, 200, at: 960)
    }.trace().report(on: "a only after att")
    #expect(report.verdict == .broken)
    #expect(report.distance == "852 ms too late")
    #expect(report.nearMiss == "a was still open when att came (answered 200 at 0.960 s)")
  }

  private static func shown(after milliseconds: Int64?) -> TraceBuilder {
    TraceBuilder.make {
      let fetch = $0.start("GET", url, at: 10)
      $0.answer(fetch, 200, at: 100)
      if let milliseconds { $0.mark("paywall.shown", at: 10 + milliseconds) }
    }
  }

  @Test func `shown exactly 5000 ms after: holds`() throws {
    #expect(try Self.shown(after: 5000).trace().verdict(on: Self.within) == .holds)
  }

  @Test func `shown 5001 ms after: broken, 1 ms late`() throws {
    let report = try Self.shown(after: 5001).trace().report(on: Self.within)
    #expect(report.verdict == .broken)
    #expect(report.distance == "1 ms too late")
  }

  @Test func `the trace stops 1000 ms after the fetch: open, leaning broken`() throws {
    var builder = Self.shown(after: nil)
    builder.mark("m", at: 1010)
    #expect(try builder.trace(isClosed: false).verdict(on: Self.within) == .open(leaning: .broken))
  }

  @Test func `no fetch at all: idle`() throws {
    let report = try TraceBuilder.make { $0.mark("paywall.shown", at: 3) }.trace().report(on: Self.within)
    #expect(report.verdict == .idle)
    #expect(report.note == "fetch never came")
  }

  @Test func `one logical fetch, sent again after 500: exactly one holds`() throws {
    let trace = TraceBuilder.make {
      $0.answer($0.start("GET", Self.url, at: 10), 500, at: 20)
      $0.answer($0.start("GET", Self.url, at: 30), 200, at: 40)
    }.trace()
    #expect(try trace.verdict(on: "exactly 1 fetch") == .holds)
    let report = try trace.report(on: "exactly 2 fetch")
    #expect(report.witness.map(\.remark) == ["2 attempts, one call"])
  }

  @Test func `tags answered 500 only, then unpause: broken, answered 500`() throws {
    let report = try TraceBuilder.make {
      $0.answer($0.start("PATCH", "https://api.onesignal.com/apps/x/users/u", at: 10), 500, at: 20)
      $0.mark("unpause", at: 30)
    }.trace().report(on: "unpause only after tags")
    #expect(report.verdict == .broken)
    #expect(report.nearMiss == "tags came before, answered 500 at 0.020 s")
  }

  @Test func `no event: idle`() throws {
    #expect(try TraceBuilder().trace().verdict(on: Self.precedence) == .idle)
    #expect(try TraceBuilder().trace(isClosed: false).verdict(on: Self.precedence) == .open(leaning: .kept))
  }
}
