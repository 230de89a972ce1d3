/// Says where a `[waitingTime]` log breaks the published vocabulary, its counts and its order (launch-flow.md section 1).
///
/// ```swift
/// let check = WaitingTimeCheck("""
///   [waitingTime] start counting
///   [waitingTime] start adjust initialization 12ms
///   """)
/// check.findings.first?.message  // 'start adjust initialization' needs 'ATT answered' before it …
/// ```
///
/// Each `start counting` begins a launch of its own, which is held to the counts. What stands before the prefix on a line
/// is the console's, and lines without it are somebody else's. A launch that stops early was cut or killed, which is
/// doubted, not refused: only what later lines presuppose is missed. Known quirks of the published flow are no findings: a
/// second `one signal user id fetched`, or one before its wait (Q1), and `ATT answered` without an answer (Q3).
public struct WaitingTimeCheck: Hashable, Sendable {
  public enum Check: String, Hashable, Sendable, CaseIterable {
    /// A launch begins with `start counting`.
    case beginning = "L1"
    /// The text is of the vocabulary.
    case vocabulary = "L2"
    /// It is written in its format, with or without a time.
    case format = "L3"
    /// A text stands as often as it may.
    case count = "L4"
    /// Texts that exclude each other.
    case exclusion = "L5"
    /// What a line presupposes stands before it.
    case order = "L6"
    /// The times rise.
    case times = "L7"
    /// The launch is complete.
    case completeness = "L8"
  }

  public enum Severity: String, Hashable, Sendable { case error, warning }

  public struct Finding: Hashable, Sendable {
    public var check: Check
    public var severity: Severity
    /// Counted from 1; lines end with LF or CR LF.
    public var line: Int
    /// Where the text begins, behind the prefix: counted from 1, in characters.
    public var column: Int
    /// One sentence without a full stop.
    public var message: String
    /// The line as written, its line break left out.
    public var sourceLine: String
  }

  /// In the order of the lines; none for a text without the prefix.
  public let findings: [Finding]
  /// How many lines have the prefix.
  public let lineCount: Int

  /// - Parameter nearest: The known text that an unknown one was probably meant to be, to be named in the message.
  public init(_ text: String, nearest: (_ unknown: String) -> String? = { _ in nil }) {
    let lines = Self.lines(of: text)
    lineCount = lines.count
    var findings: [Finding] = []
    var launch = WaitingTimeLaunch()
    for line in lines {
      if line.parsed == .start, !launch.isEmpty {
        findings += launch.finish()
        launch = WaitingTimeLaunch()
      }
      findings += launch.take(line, nearest: nearest)
    }
    findings += launch.finish()
    self.findings = findings.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }

  /// Whether a line of the text has the prefix.
  public static func isLog(_ text: String) -> Bool { text.utf8.firstRange(of: mark.utf8) != nil }

  private static let mark = "[waitingTime]"

  private static func lines(of text: String) -> [WaitingTimeSourceLine] {
    var lines: [WaitingTimeSourceLine] = []
    // CR LF is one character, so bytes are compared.
    for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard let prefix = bytes.firstRange(of: mark.utf8) else { continue }
      let end = bytes.last == 0x0D ? bytes.index(before: bytes.endIndex) : bytes.endIndex
      let source = String(text[bytes.startIndex..<end])
      let entry = String(text[prefix.lowerBound..<end])
      lines.append(
        WaitingTimeSourceLine(
          number: index + 1, column: text[bytes.startIndex..<prefix.upperBound].count + 1, source: source,
          text: String(entry.dropFirst(mark.count)), parsed: WaitingTimeLine(parsing: entry)))
    }
    return lines
  }
}

/// A line with the prefix.
struct WaitingTimeSourceLine {
  /// Counted from 1.
  var number: Int
  /// Right behind the prefix.
  var column: Int
  var source: String
  /// What stands behind `[waitingTime]`, its blank included.
  var text: String
  /// Nil when that is not a blank first.
  var parsed: WaitingTimeLine?

  func finding(
    _ check: WaitingTimeCheck.Check, _ severity: WaitingTimeCheck.Severity, _ message: String
  ) -> WaitingTimeCheck.Finding {
    .init(
      check: check, severity: severity, line: number, column: column + (parsed == nil ? 0 : 1), message: message,
      sourceLine: source)
  }
}
