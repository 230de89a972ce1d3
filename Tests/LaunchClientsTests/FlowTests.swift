import LaunchClients
import Testing

@Suite struct FlowTests {
  @Test func `flows are found by name`() {
    #expect(
      Flow.allNames == [
        "first-launch", "first-launch-strict", "later-launch", "clicks-across-restart", "clicks-as-shipped",
      ])
    for name in Flow.allNames { #expect(Flow.named(name)?.name == name) }
    #expect(Flow.named("last-launch") == nil)
  }
}
