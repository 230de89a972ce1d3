import LaunchCassette
import LaunchContract
import LaunchExplore
import LaunchFile
import LaunchReport
import LaunchTrace

/// What an exploration came to, for people.
struct ExplorationText {
  private let result: ExplorationResult
  private let request: ExploreRequest
  private let paths: [String?]

  /// - Parameter paths: Where each counterexample was written; nil when they could not be.
  init(_ result: ExplorationResult, _ request: ExploreRequest, _ paths: [String]?) {
    self.result = result
    self.request = request
    self.paths = paths ?? Array(repeating: nil, count: result.counterexamples.count)
  }

  var text: String {
    let findings = zip(result.counterexamples, paths).flatMap(lines)
    let idle = result.idle.filter { !$0.isOptional && !$0.isAdvice }.map {
      "\($0.file):\($0.line): IDLE  \($0.sentence): no schedule exercised it".printable
    }
    return
      (findings + idle + result.withdrawals.map { "no claim: \($0)".printableLines } + result.claim.map(\.printable))
      .joined(separator: "\n")
  }

  private func lines(_ example: Counterexample, _ path: String?) -> [String] {
    let share = "in \(example.count) of \(result.tally.schedules) schedules"
    let head =
      switch example.finding {
      case .broken(let rule):
        "\(rule.file):\(rule.line): \(rule.isAdvice ? "ADVICE" : "BROKEN")  \(rule.sentence)  (\(share))"
      case .unfinished(let why): "UNFINISHED  the launch never ends (\(share)): \(why)"
      case .failed(let why): "FAILED  the launch throws an error (\(share)): \(why)"
      }
    let story = example.story.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map { "\($0)" }
    let file = path.map { ["   counterexample: \($0)".printable] } ?? []
    return [head.printable, "   \(example.explanation)".printable] + story + file + [
      "   again: \(request.rerun(example.schedule))".printable
    ]
  }
}

extension ExploreRequest {
  /// Writes each counterexample, and returns the paths.
  /// - Throws: `FileError` when that fails.
  func write(_ examples: [Counterexample], in folder: String?) throws -> [String] {
    guard !examples.isEmpty else { return [] }
    let folder = folder ?? (path.hasSuffix(".cassette") ? String(path.dropLast(9)) : path) + ".counterexamples"
    try createFolder(folder)
    return try zip(examples, fileNames(of: examples)).map { example, name in
      let path = joinPath(folder, "\(name).cassette")
      let header = CassetteHeader(name: "\(cassette.name) \(name)", by: "launchtape \(Launchtape.version)")
      // What the cassette holds are pseudonyms, and the device is the sample.
      try Cassette(header: header, events: example.trace.events).write(to: path, replaces: true)
      return path
    }
  }

  /// A name for each, unique among them.
  func fileNames(of examples: [Counterexample]) -> [String] {
    var names: [String] = []
    for example in examples {
      var name = example.finding.fileName
      if names.contains(name) { name += "-\(names.count + 1)" }
      names.append(name)
    }
    return names
  }
}

extension Counterexample.Finding {
  /// `R46`, `launch-12` for a rule without a name, `unfinished`.
  fileprivate var fileName: String {
    switch self {
    case .broken(let rule):
      rule.name?.map { $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "-" }.joined()
        ?? "\(rule.file.split(separator: "/").last?.split(separator: ".").first ?? "rule")-\(rule.line)"
    case .unfinished: "unfinished"
    case .failed: "failed"
    }
  }
}
