/// How a run is told. All formats say the same.
///
/// ```swift
/// try writeNewFile(Array(ReportFormat.junit.text(of: run).utf8), at: "launch.xml")
/// ```
public enum ReportFormat: String, CaseIterable, Sendable {
  /// For people.
  case text
  /// For programs; the schema is in <doc:Reports>.
  case json
  /// For CI servers: one suite for each contract and trace, one case a rule.
  case junit
  /// Workflow commands that GitHub shows beside the contract's lines.
  case github
  /// `file:line:column: error: …`, as compilers write it, so that Xcode and editors jump to the rule.
  case xcode

  /// The whole report, without a line break at its end.
  public func text(of run: RunReport, colour: Bool = false) -> String {
    switch self {
    case .text: TextReport(run, colour: colour).text
    case .json: JSONReport(run).text
    case .junit: JUnitReport(run).text
    case .github: Annotations(run).github
    case .xcode: Annotations(run).xcode
    }
  }
}
