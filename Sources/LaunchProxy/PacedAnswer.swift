import LaunchDeck
import LaunchHTTP
import LaunchServer
import LaunchTrace

/// What parts an answer had and when, for the lateness report.
struct PacedAnswer {
  /// The number of the call in the cassette.
  private let call: Int
  private let start: Moment
  private let parts: [(offset: Duration, step: Lateness.Step)]

  init(_ answer: Answer, call: Int, from start: Moment) {
    self.call = call
    self.start = start
    parts = answer.parts.map { ($0.offset, $0.part.step) }
  }

  /// - Parameters:
  ///   - beginning: When the trace begins.
  ///   - speed: By what a time of the replay counts more in the recording.
  func sample(_ sample: PacingReport.Sample, since beginning: Moment, at speed: ReplaySpeed) -> Lateness.Sample? {
    guard let part = parts.first(where: { $0.offset == sample.offset }) else { return nil }
    let due = speed.recorded((start - beginning) + sample.offset)
    return Lateness.Sample(call: call, part.step, due: .zero + due, lateness: sample.lateness)
  }
}

extension Answer.Part {
  fileprivate var step: Lateness.Step {
    switch self {
    case .informational: .informational
    case .head: .response
    case .chunk: .chunk
    case .end: .end
    case .fault: .error
    }
  }
}
