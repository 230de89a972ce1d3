import LaunchTrace
import Testing

@Suite struct MergingTests {
  private let trace = Trace(
    name: "launch",
    events: [
      Event(at: .zero, .launch(1)), mark(10, "own"), mark(20, "later"), Event(at: at(30), .closed(Closing(events: 3))),
    ])

  @Test func `marks are put in by time, behind what happened at the same moment`() {
    let merged = trace.merged(withMarksOf: [mark(5, "a"), mark(10, "b"), mark(15, "c")], shiftedBy: .microseconds(5))
    #expect(merged.known.isEmpty)
    #expect(
      merged.trace.events == [
        Event(at: .zero, .launch(1)), mark(10, "own"), mark(10, "a"), mark(15, "b"), mark(20, "later"), mark(20, "c"),
        Event(at: at(30), .closed(Closing(events: 6))),
      ])
  }

  @Test func `a mark that is there already is left out and named once`() {
    let merged = trace.merged(withMarksOf: [mark(1, "own"), mark(2, "own")], shiftedBy: .zero)
    #expect(merged.known == ["own"])
    #expect(merged.trace == trace)
  }

  @Test func `a mark behind the end moves the end, one before the start comes at the start`() {
    let merged = trace.merged(withMarksOf: [mark(1, "early"), mark(90, "late")], shiftedBy: .microseconds(-10))
    #expect(merged.trace.events[1] == mark(0, "early"))
    #expect(merged.trace.events.suffix(2) == [mark(80, "late"), Event(at: at(80), .closed(Closing(events: 5)))])
  }

  @Test func `a cut trace stays cut`() {
    let merged = Trace(name: "cut", events: [mark(1, "own")]).merged(withMarksOf: [mark(2, "a")], shiftedBy: .zero)
    #expect(merged.trace.events == [mark(1, "own"), mark(2, "a")])
  }
}

private func at(_ microseconds: Int64) -> Instant { Instant(microseconds: microseconds) }

private func mark(_ microseconds: Int64, _ name: String) -> Event { Event(at: at(microseconds), .mark(Mark(name))) }
