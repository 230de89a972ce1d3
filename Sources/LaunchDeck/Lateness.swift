public import LaunchTrace

/// How late a paced replay made its deliveries.
///
/// ```swift
/// let replay = deck.replay(pace: .real(speed: 10)) { launch in launch.mark("cold start") }
/// print(replay.lateness)  // p50 0.041 ms, p99 0.310 ms, max 1.204 ms (ordinary scheduling) over 214 deliveries
/// print(replay.lateness.table)
/// ```
public struct Lateness: Hashable, Sendable {
  /// One delivery and when it was made.
  public struct Sample: Hashable, Sendable {
    /// The number of the call in the cassette.
    public var call: Int
    public var step: Step
    /// When it was to be made, since the replay began. In the app's time: ten times the real one at ten times the speed.
    public var due: Instant
    /// How much later it was made, in real time.
    public var lateness: Duration

    public init(call: Int, _ step: Step, due: Instant, lateness: Duration) {
      self.call = call
      self.step = step
      self.due = due
      self.lateness = lateness
    }
  }

  /// What was delivered, as cassettes name it.
  public enum Step: String, Hashable, Sendable {
    case connection, sent, informational, response, chunk, end, error
  }

  /// How the system ran the thread that made the deliveries.
  public enum SchedulingClass: String, Hashable, Sendable {
    /// With all other threads.
    case ordinary
    /// Before all ordinary threads.
    case realTime = "real-time"
  }

  /// One for each delivery, in order; empty when nothing was measured.
  public var samples: [Sample]
  public var schedulingClass: SchedulingClass

  public init(_ samples: [Sample] = [], schedulingClass: SchedulingClass = .ordinary) {
    self.samples = samples
    self.schedulingClass = schedulingClass
  }

  /// The median, by nearest rank; nil without samples.
  public var p50: Duration? { percentile(50) }
  /// What 99 of 100 deliveries do not exceed, by nearest rank; nil without samples.
  public var p99: Duration? { percentile(99) }
  /// The latest delivery; nil without samples.
  public var max: Duration? { samples.map(\.lateness).max() }

  /// The nearest rank: the smallest lateness that at least so many per cent of all do not exceed; nil without samples.
  /// - Parameter percent: From 1 to 100.
  public func percentile(_ percent: Int) -> Duration? {
    precondition((1...100).contains(percent), "a percentile is from 1 to 100, not \(percent)")
    guard !samples.isEmpty else { return nil }
    let rank = (percent * samples.count + 99) / 100
    return samples.map(\.lateness).sorted()[rank - 1]
  }

  /// A line for each delivery: the recorded call, what was delivered, when it was due in seconds, and how late it was.
  public var table: String {
    let rows = samples.map { sample in
      [
        "\(sample.call)", sample.step.rawValue, thousandths(sample.due.microseconds / 1000),
        thousandths(sample.lateness.wholeMicroseconds),
      ]
    }
    let all = [["call", "step", "due s", "late ms"]] + rows
    let widths = (0..<4).map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 1 ? row[column] + space : space + row[column]
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

extension Lateness: CustomStringConvertible {
  /// `p50 0.041 ms, p99 0.310 ms, max 1.204 ms (ordinary scheduling) over 214 deliveries`
  public var description: String {
    guard let p50, let p99, let max else { return "not measured" }
    func milliseconds(_ duration: Duration) -> String { "\(thousandths(duration.wholeMicroseconds)) ms" }
    return "p50 \(milliseconds(p50)), p99 \(milliseconds(p99)), max \(milliseconds(max)) "
      + "(\(schedulingClass.rawValue) scheduling) over \(count(samples.count, "delivery", "deliveries"))"
  }
}

extension Duration {
  /// Rounded down, and held to what 64 bits can say.
  fileprivate var wholeMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return overflow || overflowed ? (seconds < 0 ? .min : .max) : sum
  }
}
