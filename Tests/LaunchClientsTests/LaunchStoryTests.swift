import LaunchClients
import LaunchJSON
import LaunchTrace
import Testing

@Suite struct LaunchStoryTests {
  private func story(_ marks: [(Int64, Mark)]) -> [String] {
    LaunchStory(marks.map { Event(at: Instant(microseconds: $0.0 * 1000), .mark($0.1)) }).lines
  }

  @Test func `a launch in which everything appears`() {
    #expect(
      story([
        (300, Mark("splash launch")), (500, Mark("system prompt shown")), (7500, Mark("system prompt closed")),
        (7501, Mark("ATT answered", ["status": 3])), (5400, Mark("paywall shown", ["source": "default"])),
        (9100, Mark("IAM did display")), (11_900, Mark("navigated to home")),
      ]) == [
        "   0.300 s  the splash appears",
        "   0.500 s  the tracking prompt appears, and is answered 7.000 s later: allowed",
        "   5.400 s  the default paywall is there",
        "   9.100 s  a message appears",
        "  11.900 s  home appears, 11.600 s after the splash",
      ])
  }

  @Test func `what never comes is told at the end`() {
    #expect(
      story([(300, Mark("splash launch")), (500, Mark("system prompt shown"))]) == [
        "   0.300 s  the splash appears",
        "   0.500 s  the tracking prompt appears, and nobody answers it",
        "           no message appears",
        "           no paywall appears",
        "           home never appears",
      ])
  }

  @Test func `a trace that is no launch has no story`() {
    #expect(story([(1, Mark("navigated to home"))]).isEmpty)
  }
}
