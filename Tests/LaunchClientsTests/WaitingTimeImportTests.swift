import LaunchClients
import LaunchTrace
import Testing

@Suite struct WaitingTimeImportTests {
  @Test func `lines of the log become marks, and other output is passed over`() {
    let log = WaitingTimeImport(
      """
      launchd: hello
      [waitingTime] start counting\r
      2026-11-30 06:20:45.123 App[71:9] [waitingTime] splash launch 166ms
      [waitingTime] adjust initialization: 3502 milliseconds
      [waitingTime] waiting for idfa adid idfv campaign
      [waitingTime]no blank
      """)
    #expect(
      log.events == [
        Event(at: .zero, .launch(1)), mark(0, "start counting"), mark(166, "splash launch"),
        mark(3502, "adjust initialization"), mark(3502, "waiting for idfa adid idfv campaign"),
      ])
    #expect(log.remarks.isEmpty)
  }

  @Test func `a time that falls counts as the one above, and is told`() {
    let log = WaitingTimeImport("[waitingTime] idfa 20ms\n[waitingTime] idfv 19ms\n[waitingTime] adid 21ms")
    #expect(log.events.map(\.at.microseconds) == [0, 20_000, 20_000, 21_000])
    #expect(log.remarks.map(\.line) == [2])
  }

  @Test func `a second start is a second launch, whose times go on from the first one`() {
    let log = WaitingTimeImport(
      """
      [waitingTime] start counting
      [waitingTime] navigated to home 900ms
      [waitingTime] start counting
      [waitingTime] splash launch 100ms
      """)
    #expect(log.events.map(\.at.microseconds) == [0, 0, 900_000, 900_000, 900_000, 1_000_000])
    #expect(log.events[3].kind == .launch(2))
    #expect(log.remarks.map(\.line) == [3])
  }

  @Test(arguments: [
    "[waitingTime] idfa 9223372036854775807ms", "[waitingTime] idfa 99999999999999999999ms",
    "[waitingTime] ", "[waitingTime]", "", "\n\n\r\n", "[waitingTime] start counting",
  ])
  func `any text is read without harm`(text: String) {
    for cut in 0...text.utf8.count {
      let events = WaitingTimeImport(String(decoding: text.utf8.prefix(cut), as: UTF8.self)).events
      #expect(events.isEmpty || events[0].kind == .launch(1))
    }
  }
}

private func mark(_ milliseconds: Int64, _ name: String) -> Event {
  Event(at: Instant(microseconds: milliseconds * 1000), .mark(Mark(name)))
}
