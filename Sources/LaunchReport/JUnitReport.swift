import LaunchContract

/// A run as JUnit XML, in the elements and attributes that every CI server reads.
///
/// A suite is a contract on a trace, a case a rule. Broken is a failure; open and unordered are errors, since the run
/// could not tell; idle is skipped. Advice passes, and says what it found on the case's standard output.
struct JUnitReport {
  private let run: RunReport

  init(_ run: RunReport) { self.run = run }

  var text: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let suites = run.entries.map { entry in
      Suite(entry, name: "\(run.contractLabel(entry)) on \(run.traceLabel(entry))")
    }
    let problems = run.problems
    let tests = suites.reduce(problems.count) { $0 + $1.cases.count }
    lines.append(
      tag(
        "testsuites",
        [
          ("name", "launchtape"), ("tests", "\(tests)"), ("failures", "\(suites.reduce(0) { $0 + $1.failures })"),
          ("errors", "\(suites.reduce(problems.count) { $0 + $1.errors })"),
        ]) + ">")
    for suite in suites { lines += suite.lines }
    if !problems.isEmpty { lines += suite(of: problems) }
    lines += run.strengths.flatMap(Suite.lines(about:))
    if !run.doubts.isEmpty { lines += Suite.output(run.doubts.map(TextReport.line), named: "recordings") }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n")
  }

  private func suite(of problems: [RunReport.Problem]) -> [String] {
    let count = "\(problems.count)"
    var lines = [
      "  "
        + tag(
          "testsuite",
          [("name", "files"), ("tests", count), ("failures", "0"), ("errors", count), ("skipped", "0"), ("time", "0")])
        + ">"
    ]
    for problem in problems {
      lines.append("    " + tag("testcase", [("name", problem.path), ("classname", "files"), ("time", "0")]) + ">")
      lines.append(
        "      " + tag("error", [("message", problem.message), ("type", "unreadable")]) + "/>")
      lines.append("    </testcase>")
    }
    return lines + ["  </testsuite>"]
  }
}

/// One contract on one trace.
private struct Suite {
  let name: String
  let cases: [Case]

  init(_ entry: RunReport.Entry, name: String) {
    self.name = name
    let contract = ContractReport([entry], traces: [entry.verification.trace])
    cases = contract.rules.map { summary in
      Case(summary, className: name, story: TextReport.story(of: summary))
    }
  }

  var failures: Int { cases.count { $0.element == "failure" } }
  var errors: Int { cases.count { $0.element == "error" } }
  private var skipped: Int { cases.count { $0.element == "skipped" } }

  var lines: [String] {
    let attributes = [
      ("name", name), ("tests", "\(cases.count)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
      ("skipped", "\(skipped)"), ("time", "0"),
    ]
    return ["  " + tag("testsuite", attributes) + ">"] + cases.flatMap(\.lines) + ["  </testsuite>"]
  }

  /// Strength has no verdict; it is told as the output of a suite of its own.
  static func lines(about strength: Strength) -> [String] {
    output(TextReport.lines(about: strength), named: "strength of \(strength.contract) on \(strength.trace)")
  }

  /// What has no verdict, as the output of a suite of its own.
  static func output(_ lines: [String], named name: String) -> [String] {
    let attributes = [
      ("name", name), ("tests", "0"), ("failures", "0"), ("errors", "0"), ("skipped", "0"), ("time", "0"),
    ]
    let text = lines.joined(separator: "\n")
    return [
      "  " + tag("testsuite", attributes) + ">", "    <system-out>\(text.escaped)</system-out>", "  </testsuite>",
    ]
  }
}

/// One rule on one trace.
private struct Case {
  let name: String
  let className: String
  /// What is inside; nil for a rule that is kept.
  let element: String?
  let message: String
  let type: String
  let story: String

  init(_ summary: RuleSummary, className: String, story: String) {
    let report = summary.worst
    name = summary.rule.title
    self.className = className
    self.story = story
    type = report.verdict.description
    message = [report.verdict.description, report.distance ?? report.note].compactMap(\.self).joined(separator: ": ")
    switch report.verdict {
    case _ where summary.rule.isAdvice: element = report.verdict == .holds ? nil : "system-out"
    case .broken: element = "failure"
    case .open, .unordered: element = "error"
    case .idle: element = summary.rule.isOptional ? nil : "skipped"
    case .holds: element = nil
    }
  }

  var lines: [String] {
    let head = "    " + tag("testcase", [("name", name), ("classname", className), ("time", "0")])
    switch element {
    case nil: return [head + "/>"]
    case "skipped"?: return [head + ">", "      " + tag("skipped", [("message", message)]) + "/>", "    </testcase>"]
    case "system-out"?: return [head + ">", "      <system-out>\(story.escaped)</system-out>", "    </testcase>"]
    case let element?:
      let start = tag(element, [("message", message), ("type", type)])
      return [head + ">", "      \(start)>\(story.escaped)</\(element)>", "    </testcase>"]
    }
  }
}

private func tag(_ name: String, _ attributes: [(String, String)]) -> String {
  "<\(name)" + attributes.map { " \($0.0)=\"\($0.1.escaped)\"" }.joined()
}

extension String {
  /// This text for an attribute or the content of an element; what XML 1.0 cannot hold is replaced.
  fileprivate var escaped: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", "\r": text += scalar == "\n" ? "\n" : " "
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
