/// How punctual a server was.
///
/// ```swift
/// let report = server.pacing
/// print(report.schedulingClass, report.samples.max() ?? .zero, report.slowClients)
/// ```
public struct PacingReport: Hashable, Sendable {
  /// What the system granted the thread that writes timed parts.
  public enum SchedulingClass: String, Hashable, Sendable {
    /// It runs before every ordinary thread as soon as it is ready.
    case realTime
    /// It takes turns with every other thread of the machine; on a busy one that costs milliseconds now and then.
    case ordinary
  }

  /// How long after its moment each part was written that was not due at once, in the order of writing: the clock after
  /// the write, less the deadline. Parts of one moment count once; of a part too large for one write the first counts.
  /// The last 262,144 are kept. A client that was too slow to take its parts is left out until it has caught up.
  public var samples: [Duration]
  /// How many answers had to wait for a client that did not take what was due.
  public var slowClients: Int
  public var schedulingClass: SchedulingClass

  public init(samples: [Duration], slowClients: Int, schedulingClass: SchedulingClass) {
    self.samples = samples
    self.slowClients = slowClients
    self.schedulingClass = schedulingClass
  }
}

/// The latest samples, in memory that stays bounded.
struct PacingLog: Sendable {
  static let limit = 1 << 18

  var schedulingClass = PacingReport.SchedulingClass.ordinary
  var slowClients = 0
  private var ring: [Int64] = []
  private var oldest = 0

  mutating func add(nanoseconds: Int64) {
    if ring.count < Self.limit {
      ring.append(nanoseconds)
    } else {
      ring[oldest] = nanoseconds
      oldest = (oldest + 1) % Self.limit
    }
  }

  var report: PacingReport {
    PacingReport(
      samples: (ring[oldest...] + ring[..<oldest]).map { .nanoseconds($0) }, slowClients: slowClients,
      schedulingClass: schedulingClass)
  }
}
