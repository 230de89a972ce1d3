import LaunchContract

/// A run as one line for each thing that is wrong, at the place of its rule.
struct Annotations {
  private enum Severity: String {
    case error, warning, note
  }

  private struct Line {
    var severity: Severity
    var file: String
    var line: Int
    var column = 1
    var title: String
    var text: String
  }

  private let run: RunReport

  init(_ run: RunReport) { self.run = run }

  /// GitHub's workflow commands.
  var github: String {
    let commands = lines.map { line in
      let place = line.line > 0 ? ",line=\(line.line),col=\(line.column)" : ""
      let command = line.severity == .note ? "notice" : line.severity.rawValue
      return "::\(command) file=\(line.file.asProperty)\(place),title=\(line.title.asProperty)::\(line.text.asData)"
    }
    return (commands + [summary]).joined(separator: "\n")
  }

  /// What compilers print: `file:line:column: error: …`, and what belongs to it as notes at the same place.
  var xcode: String {
    let diagnostics = lines.flatMap { line -> [String] in
      let place = line.line > 0 ? "\(line.file):\(line.line):\(line.column)" : line.file
      let parts = line.text.split(separator: "\n").map { $0.trimmed.printable }
      return ["\(place): \(line.severity.rawValue): \(line.title): \(parts.first ?? "")"]
        + parts.dropFirst().map { "\(place): note: \($0)" }
    }
    return (diagnostics + [summary]).joined(separator: "\n")
  }

  private var lines: [Line] {
    run.contracts.flatMap { contract in
      contract.rules.flatMap(lines) + contract.warnings.map { line($0, title: "contract") }
    } + run.strengths.flatMap(lines(about:))
      + run.doubts.map { line($0, title: "recording") }
      + run.problems.map {
        Line(severity: .error, file: $0.path, line: 0, title: "could not be read", text: $0.message)
      }
  }

  private func lines(_ summary: RuleSummary) -> [Line] {
    if summary.verdict == .idle {
      if summary.rule.isOptional { return [] }
      return [line(summary, summary.worst, .warning, summary.worst.note ?? "never exercised")]
    }
    return summary.results.filter { $0.report.verdict.isUndecided || $0.report.verdict == .broken }.map { result in
      let story = TextReport.story(of: result).split(separator: "\n").dropFirst().joined(separator: "\n")
      let first = [result.report.distance ?? result.report.note, "on \(result.trace)"].compactMap(\.self)
      return line(summary, result.report, .error, first.joined(separator: ", ") + (story.isEmpty ? "" : "\n" + story))
    }
  }

  private func line(_ summary: RuleSummary, _ report: RuleReport, _ severity: Severity, _ text: String) -> Line {
    Line(
      severity: summary.rule.isAdvice ? .note : severity, file: summary.rule.file, line: summary.rule.line,
      title: "\(report.verdict.description)  \(summary.rule.title)", text: text)
  }

  private func line(_ warning: Diagnostic, title: String) -> Line {
    Line(
      severity: .warning, file: warning.file, line: warning.line, column: warning.column, title: title,
      text: warning.message)
  }

  private func lines(about strength: Strength) -> [Line] {
    strength.rules.filter { $0.caught == 0 }.map { rule in
      Line(
        severity: .warning, file: rule.rule.file, line: rule.rule.line, title: rule.rule.title,
        text: "catches none of \(strength.mutants) mutants of \(strength.trace)")
    }
  }

  private var summary: String {
    "launchtape: " + TextReport.total(of: run)
  }
}

extension String {
  /// For the message of a workflow command.
  fileprivate var asData: String {
    var text = printableLines
    for (character, code) in [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")] {
      text = text.replacing(character, with: code)
    }
    return text
  }

  /// For a property of a workflow command.
  fileprivate var asProperty: String {
    var text = asData
    for (character, code) in [(":", "%3A"), (",", "%2C")] { text = text.replacing(character, with: code) }
    return text
  }

  private func replacing(_ character: String, with code: String) -> String {
    split(separator: character, omittingEmptySubsequences: false).joined(separator: code)
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
