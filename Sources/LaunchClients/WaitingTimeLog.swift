public import LaunchJSON
public import LaunchTrace
import Synchronization

/// The log a launch prints about itself: each line once to the output, and once as a mark of the trace under its text.
///
/// ```swift
/// let log = WaitingTimeLog(marks: tap) { print($0) }
/// log.startCounting()     // [waitingTime] start counting
/// log.mark(.splashLaunch) // [waitingTime] splash launch 166ms
/// ```
///
/// The published log reads the wall clock, so a clock correction in mid-launch makes its numbers jump or fall
/// (launch-flow.md section 1). This one counts on `ContinuousClock`: monotonic, running on while the device sleeps, and
/// virtual inside a simulation. Text and order are the published ones.
public final class WaitingTimeLog: Sendable {
  private let marks: (any MarkSink)?
  private let output: @Sendable (String) -> Void
  private let start = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameter output: Takes each line without a line end, on the task that logs.
  public init(marks: (any MarkSink)? = nil, output: @escaping @Sendable (String) -> Void = { _ in }) {
    self.marks = marks
    self.output = output
  }

  /// Starts the clock. Only the first call counts; later ones print and mark nothing.
  public func startCounting() {
    let isFirst = start.withLock { start in
      guard start == nil else { return false }
      start = .now
      return true
    }
    if isFirst { write(.start, .startCounting, [:]) }
  }

  /// Says that something happened, with fields that only the trace keeps.
  public func mark(_ entry: WaitingTimeEntry, _ fields: JSONObject = [:]) {
    write(.mark(entry.rawValue, milliseconds: milliseconds), entry, fields)
  }

  /// Says that a step is finished.
  public func ready(_ entry: WaitingTimeEntry) {
    write(.ready(entry.rawValue, milliseconds: milliseconds), entry, [:])
  }

  /// Says something without a time.
  public func note(_ entry: WaitingTimeEntry) { write(.note(entry.rawValue), entry, [:]) }

  private func write(_ line: WaitingTimeLine, _ entry: WaitingTimeEntry, _ fields: JSONObject) {
    marks?.mark(Mark(entry.rawValue, fields))
    output(line.description)
  }

  /// Whole milliseconds since the start, truncated; 0 before it.
  private var milliseconds: Int {
    guard let start = start.withLock({ $0 }) else { return 0 }
    return Int(clamping: (ContinuousClock.now - start).wholeMilliseconds)
  }
}
