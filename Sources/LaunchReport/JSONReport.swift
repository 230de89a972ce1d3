import LaunchContract
import LaunchJSON
import LaunchTrace

/// A run for programs, as one JSON value on one line. <doc:Reports> documents every member.
struct JSONReport {
  private let run: RunReport

  init(_ run: RunReport) { self.run = run }

  var text: String {
    var report: JSONObject = ["report": 1, "exit": .integer(Int64(run.exitCode())), "times": "microseconds"]
    report["contracts"] = .array(run.contracts.map { .object(contract($0)) })
    report["problems"] = .array(run.problems.map { ["path": .string($0.path), "message": .string($0.message)] })
    if !run.doubts.isEmpty {
      report["doubts"] = .array(run.doubts.map { .object(warning($0)) })
    }
    if !run.strengths.isEmpty { report["strengths"] = .array(run.strengths.map { .object(strength($0)) }) }
    return JSON.object(report).text
  }

  private func contract(_ contract: ContractReport) -> JSONObject {
    let traces = contract.entries.map { entry -> JSON in
      var trace: JSONObject = [
        "name": .string(entry.verification.trace), "events": .integer(Int64(entry.verification.eventCount)),
        "closed": .bool(entry.verification.isClosed),
      ]
      trace["path"] = entry.path.map(JSON.string)
      return .object(trace)
    }
    return [
      "name": .string(contract.name), "file": .string(contract.file), "traces": .array(traces),
      "rules": .array(contract.rules.map { .object(rule($0)) }),
      "warnings": .array(contract.warnings.map { .object(warning($0)) }),
    ]
  }

  private func rule(_ summary: RuleSummary) -> JSONObject {
    let rule = summary.rule
    var object: JSONObject = [:]
    object["name"] = rule.name.map(JSON.string)
    object["sentence"] = .string(rule.sentence)
    object["file"] = .string(rule.file)
    object["line"] = .integer(Int64(rule.line))
    object["advice"] = .bool(rule.isAdvice)
    object["optional"] = .bool(rule.isOptional)
    object["because"] = rule.reason.map(JSON.string)
    object["verdict"] = .string(summary.verdict.word)
    object["exercised"] = .integer(Int64(summary.exercised))
    object["results"] = .array(summary.results.map { .object(result($0)) })
    return object
  }

  private func result(_ result: RuleSummary.Result) -> JSONObject {
    let report = result.report
    var object: JSONObject = ["trace": .string(result.trace), "verdict": .string(report.verdict.word)]
    if case .open(let leaning) = report.verdict { object["leaning"] = .string(leaning.rawValue) }
    object["note"] = report.note.map(JSON.string)
    object["distance"] = report.distance.map(JSON.string)
    object["nearMiss"] = report.nearMiss.map(JSON.string)
    if report.verdict.needsStory { object["rerun"] = result.rerun.map(JSON.string) }
    if !report.witness.isEmpty { object["witness"] = .array(report.witness.map { .object(event($0)) }) }
    return object
  }

  private func event(_ event: WitnessEvent) -> JSONObject {
    [
      "position": .integer(Int64(event.position)), "at": .integer(event.at.microseconds), "name": .string(event.name),
      "what": .string(event.what), "remark": .string(event.remark),
    ]
  }

  private func warning(_ warning: Diagnostic) -> JSONObject {
    [
      "file": .string(warning.file), "line": .integer(Int64(warning.line)),
      "column": .integer(Int64(warning.column)), "message": .string(warning.message),
    ]
  }

  private func strength(_ strength: Strength) -> JSONObject {
    let rules = strength.rules.map { rule -> JSON in
      [
        "sentence": .string(rule.rule.sentence), "line": .integer(Int64(rule.rule.line)),
        "caught": .integer(Int64(rule.caught)),
      ]
    }
    let unprotected = strength.unprotected.map { event -> JSON in
      ["name": .string(event.name), "at": .integer(event.at.microseconds)]
    }
    return [
      "contract": .string(strength.contract), "trace": .string(strength.trace),
      "mutants": .integer(Int64(strength.mutants)), "caught": .integer(Int64(strength.caught)),
      "rules": .array(rules), "unprotected": .array(unprotected),
    ]
  }
}
