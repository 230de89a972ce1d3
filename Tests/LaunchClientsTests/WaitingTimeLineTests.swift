import LaunchClients
import TestSupport
import Testing

@Suite struct WaitingTimeLineTests {
  /// launch-flow.md section 1, m1 to m22.
  static let vocabulary: [(WaitingTimeEntry, WaitingTimeEntry.Kind, String)] = [
    (.startCounting, .start, "start counting"),
    (.startOneSignal, .mark, "start onesignal initialization"),
    (.oneSignalReady, .ready, "onesignal initialization"),
    (.splashLaunch, .mark, "splash launch"),
    (.waitingForUser, .mark, "waiting for onesignal user id"),
    (.userFetched, .mark, "one signal user id fetched"),
    (.userTimeout, .mark, "one signal user id timeout (empty)"),
    (.startATT, .mark, "start ATT"),
    (.attAnswered, .mark, "ATT answered"),
    (.startAdjust, .mark, "start adjust initialization"),
    (.adjustReady, .ready, "adjust initialization"),
    (.waitingForIdentifiers, .note, "waiting for idfa adid idfv campaign"),
    (.idfa, .mark, "idfa"),
    (.idfv, .mark, "idfv"),
    (.adid, .mark, "adid"),
    (.adidEmpty, .mark, "adid (empty)"),
    (.tagsReady, .mark, "adjust tags ready to sync"),
    (.startInAppWait, .mark, "start IAM wait"),
    (.didDisplay, .mark, "IAM did display"),
    (.gateFinished, .mark, "IAM gate finished"),
    (.navigatedToHome, .mark, "navigated to home"),
    (.campaign, .mark, "campaign"),
  ]

  @Test func `the vocabulary is m1 to m22`() {
    #expect(WaitingTimeEntry.allCases == Self.vocabulary.map(\.0))
    #expect(WaitingTimeEntry.allCases.map(\.kind) == Self.vocabulary.map(\.1))
    #expect(WaitingTimeEntry.allCases.map(\.rawValue) == Self.vocabulary.map(\.2))
  }

  static let lines: [(String, WaitingTimeLine)] = [
    ("[waitingTime] start counting", .start),
    ("[waitingTime] splash launch 166ms", .mark("splash launch", milliseconds: 166)),
    ("[waitingTime] adid (empty) 0ms", .mark("adid (empty)", milliseconds: 0)),
    ("[waitingTime] onesignal initialization: 41 milliseconds", .ready("onesignal initialization", milliseconds: 41)),
    ("[waitingTime] waiting for idfa adid idfv campaign", .note("waiting for idfa adid idfv campaign")),
    ("[waitingTime] a: b: 7 milliseconds", .ready("a: b", milliseconds: 7)),
    ("[waitingTime] took 5ms 7ms", .mark("took 5ms", milliseconds: 7)),
    ("[waitingTime] x: 5ms", .mark("x:", milliseconds: 5)),
  ]

  @Test(arguments: lines) func `a line is parsed and formatted`(text: String, line: WaitingTimeLine) {
    #expect(WaitingTimeLine(parsing: text) == line)
    #expect(line.description == text)
  }

  /// Nearly something else: kept as text.
  static let notes = [
    "", "start counting ", "12ms", " 12ms", "splash launch 12 ms", "splash launch12ms", "splash launch ms",
    "splash launch -1ms", "splash launch 99999999999999999999ms", ": 5 milliseconds", "x: milliseconds",
    "x: 5 milliseconds.", "x : five milliseconds", "idfa 5ms\u{301}",
  ]

  @Test(arguments: notes) func `everything else is a note`(text: String) {
    #expect(WaitingTimeLine(parsing: "[waitingTime] \(text)") == .note(text))
  }

  @Test(arguments: ["", "waitingTime", "[waitingTime]", "[waitingTime]x", " [waitingTime] x", "[waitingtime] x"])
  func `a line of somebody else is none`(text: String) {
    #expect(WaitingTimeLine(parsing: text) == nil)
  }

  @Test func `every cut and many mutations of a line are read`() {
    var generator = SeededGenerator(seed: 7)
    for (text, _) in Self.lines {
      for end in text.indices { _ = WaitingTimeLine(parsing: String(text[..<end])) }
      for _ in 0..<200 {
        var bytes = Array(text.utf8)
        for _ in 0..<3 {
          bytes[bytes.indices.randomElement(using: &generator) ?? 0] = .random(in: 0...255, using: &generator)
        }
        let mutated = String(decoding: bytes, as: UTF8.self)
        if let line = WaitingTimeLine(parsing: mutated), case .note = line { #expect(line.description == mutated) }
      }
    }
  }
}
