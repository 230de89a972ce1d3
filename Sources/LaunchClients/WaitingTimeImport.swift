public import LaunchTrace

/// A console log read as a trace: a mark for each `[waitingTime]` line (launch-flow.md section 1), whatever else the app
/// or the system printed around them.
///
/// ```swift
/// let log = WaitingTimeImport("""
///   [waitingTime] start counting
///   2026-11-30 06:20:45.123 App[71:9] [waitingTime] ATT answered 3480ms
///   """)
/// log.events    // launch 1, the mark "start counting" at zero, "ATT answered" at 3.48 seconds
/// ```
///
/// The times are whole milliseconds of a wall clock, read and printed in two steps by several tasks, so line order and
/// times may disagree by a little: a time before the one above counts as that one, with a remark. A line without a
/// time takes the previous one's. A second `start counting` is a new process: its times go on from the last one, since
/// the log does not tell how long the app was gone.
public struct WaitingTimeImport: Hashable, Sendable {
  /// Something about a line that the trace cannot tell.
  public struct Remark: Hashable, Sendable {
    /// Counted from 1.
    public var line: Int
    /// One sentence without a full stop.
    public var message: String
  }

  /// A launch, then its marks in the order of the lines; empty when no line has the prefix. Without a closing event: a
  /// log does not say whether it is complete.
  public private(set) var events: [Event] = []
  /// In the order of the lines.
  public private(set) var remarks: [Remark] = []

  /// What lies closer has no known order between branches that run at the same time (launch-flow.md section 1).
  public static let resolution = Duration.milliseconds(5)

  /// What the order of `events` is worth: within a branch and between the phases of a launch the lines decide.
  public var order: TimeOrder {
    let branches: [[WaitingTimeEntry]] = [
      [.waitingForUser, .userFetched, .userTimeout],
      [
        .startATT, .attAnswered, .startAdjust, .adjustReady, .waitingForIdentifiers, .idfa, .idfv, .adid, .adidEmpty,
      ],
      [.campaign],
    ]
    return TimeOrder(resolution: Self.resolution, branches: branches.map { $0.map(\.rawValue) })
  }

  private var launches = 0
  /// When the present process began to count.
  private var origin = Instant.zero

  /// Lines may end with LF or CR LF.
  public init(_ text: String) {
    // CR LF is one character.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var hasTime = false
    for (index, line) in lines.enumerated() {
      guard let prefix = line.firstRange(of: WaitingTimeLine.prefix) else { continue }
      guard let line = WaitingTimeLine(parsing: String(line[prefix.lowerBound...])) else { continue }
      if case .mark = line { hasTime = true }
      if case .ready = line { hasTime = true }
      take(line, number: index + 1)
    }
    if events.count > 2, !hasTime {
      remark(1, "no line has a time, as in \"[waitingTime] splash launch 166ms\"; all marks stand at zero")
    }
  }

  private mutating func take(_ line: WaitingTimeLine, number: Int) {
    if line == .start || launches == 0 { beginLaunch(number) }
    switch line {
    case .start: append(WaitingTimeLine.startText, at: origin)
    case .note(let text): append(text, at: last)
    case .mark(let name, let milliseconds), .ready(let name, let milliseconds):
      append(name, at: moment(milliseconds, number))
    }
  }

  private var last: Instant { events.last?.at ?? .zero }

  private mutating func beginLaunch(_ number: Int) {
    launches += 1
    origin = last
    if launches > 1 {
      remark(number, "the app was started again; how long it was gone is not known and counts as nothing")
    }
    events.append(Event(at: origin, .launch(launches)))
  }

  private mutating func moment(_ milliseconds: Int, _ number: Int) -> Instant {
    let (microseconds, overflow) = Int64(milliseconds).multipliedReportingOverflow(by: 1000)
    let (sum, overflowed) = origin.microseconds.addingReportingOverflow(microseconds)
    if overflow || overflowed {
      remark(number, "the time \(milliseconds) ms is too large and counts as that of the line above")
      return last
    }
    if Instant(microseconds: sum) < last {
      remark(number, "the time \(milliseconds) ms lies before that of the line above and counts as that one")
    }
    return max(Instant(microseconds: sum), last)
  }

  private mutating func append(_ name: String, at moment: Instant) {
    events.append(Event(at: moment, .mark(Mark(name))))
  }

  private mutating func remark(_ line: Int, _ message: String) { remarks.append(Remark(line: line, message: message)) }
}
