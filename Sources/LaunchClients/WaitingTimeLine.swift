/// One line of a `[waitingTime]` log (launch-flow.md section 1), formatted and parsed.
///
/// ```swift
/// WaitingTimeLine(parsing: "[waitingTime] splash launch 166ms")  // .mark("splash launch", milliseconds: 166)
/// WaitingTimeLine.ready("onesignal initialization", milliseconds: 41).description
/// ```
public enum WaitingTimeLine: Hashable, Sendable {
  /// `start counting`: the clock starts here, so the line has no time.
  case start
  /// Something happened, so many whole milliseconds after the start.
  case mark(String, milliseconds: Int)
  /// A step was finished, so many whole milliseconds after the start (not: took so long).
  case ready(String, milliseconds: Int)
  /// A remark without a time.
  case note(String)

  /// Reads one line without its line end; nil when it does not begin with `[waitingTime] `, so other output of the app
  /// can be passed in as well.
  ///
  /// Tried in this order: the start, a finished step, a mark; everything else is a note.
  public init?(parsing line: String) {
    guard line.hasPrefix(Self.prefix) else { return nil }
    let text = line.dropFirst(Self.prefix.count)
    if text == Self.startText {
      self = .start
    } else if let (name, number) = Self.split(text, between: ": ", and: " milliseconds") {
      self = .ready(name, milliseconds: number)
    } else if let (name, number) = Self.split(text, between: " ", and: "ms") {
      self = .mark(name, milliseconds: number)
    } else {
      self = .note(String(text))
    }
  }

  static let prefix = "[waitingTime] "
  static let startText = "start counting"

  /// The two captures of `^(.+)SEPARATOR(\d+)UNIT$`; nil as well for a number that does not fit.
  private static func split(_ text: Substring, between separator: String, and unit: String) -> (String, Int)? {
    guard text.hasSuffix(unit) else { return nil }
    let timed = text.dropLast(unit.count)
    let name = timed[..<(timed.lastIndex { !("0"..."9").contains($0) }.map(timed.index(after:)) ?? timed.startIndex)]
    guard name.hasSuffix(separator), name.count > separator.count, let number = Int(timed[name.endIndex...]) else {
      return nil
    }
    return (String(name.dropLast(separator.count)), number)
  }
}

extension WaitingTimeLine {
  /// The text without the time.
  var name: String {
    switch self {
    case .start: Self.startText
    case .mark(let name, _), .ready(let name, _), .note(let name): name
    }
  }

  /// Which format it has.
  var kind: WaitingTimeEntry.Kind {
    switch self {
    case .start: .start
    case .mark: .mark
    case .ready: .ready
    case .note: .note
    }
  }

  /// Nil for a line without a time.
  var milliseconds: Int? {
    switch self {
    case .mark(_, let milliseconds), .ready(_, let milliseconds): milliseconds
    case .start, .note: nil
    }
  }
}

extension WaitingTimeLine: CustomStringConvertible {
  public var description: String {
    switch self {
    case .start: Self.prefix + Self.startText
    case .mark(let name, let milliseconds): "\(Self.prefix)\(name) \(milliseconds)ms"
    case .ready(let name, let milliseconds): "\(Self.prefix)\(name): \(milliseconds) milliseconds"
    case .note(let text): Self.prefix + text
    }
  }
}
