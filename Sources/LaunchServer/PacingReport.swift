/// How punctual a server was.
///
/// ```swift
/// let report = server.pacing
/// print(report.schedulingClass, report.samples.map(\.lateness).max() ?? .zero, report.slowClients)
/// ```
public struct PacingReport: Hashable, Sendable {
  /// What the system granted the thread that writes timed parts.
  public enum SchedulingClass: String, Hashable, Sendable {
    /// It runs before every ordinary thread as soon as it is ready.
    case realTime
    /// It takes turns with every other thread of the machine; on a busy one that costs milliseconds now and then.
    case ordinary
  }

  /// One part of an answer that was not due at once.
  public struct Sample: Hashable, Sendable {
    /// The number of the answer that the replay server gave it.
    package var answer: Int
    /// When the part was due, counted as in its answer.
    public var offset: Duration
    /// How much later it was written: the clock after the write, less the deadline.
    public var lateness: Duration

    package init(answer: Int, offset: Duration, lateness: Duration) {
      self.answer = answer
      self.offset = offset
      self.lateness = lateness
    }
  }

  /// In the order of writing. Parts of one moment count once; of a part too large for one write the first counts. The
  /// last 131,072 are kept. A client that was too slow to take its parts is left out until it has caught up.
  public var samples: [Sample]
  /// How many answers had to wait for a client that did not take what was due.
  public var slowClients: Int
  public var schedulingClass: SchedulingClass

  public init(samples: [Sample], slowClients: Int, schedulingClass: SchedulingClass) {
    self.samples = samples
    self.slowClients = slowClients
    self.schedulingClass = schedulingClass
  }
}

/// The latest samples, in memory that stays bounded.
struct PacingLog: Sendable {
  static let limit = 1 << 17

  var schedulingClass = PacingReport.SchedulingClass.ordinary
  var slowClients = 0
  private var ring: [PacingReport.Sample] = []
  private var oldest = 0

  mutating func add(_ sample: PacingReport.Sample) {
    if ring.count < Self.limit {
      ring.append(sample)
    } else {
      ring[oldest] = sample
      oldest = (oldest + 1) % Self.limit
    }
  }

  var report: PacingReport {
    PacingReport(
      samples: Array(ring[oldest...] + ring[..<oldest]), slowClients: slowClients,
      schedulingClass: schedulingClass)
  }
}
