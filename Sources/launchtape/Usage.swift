/// What a verb takes: the one description that its arguments are parsed by and its `--help` is printed from.
struct Usage {
  struct Option {
    /// Without the dashes.
    var name: String
    /// What the value is called in the help; nil for an option that takes none.
    var value: String?
    var help: String
    /// Whether it may be given several values, each with its name before it.
    var isRepeatable: Bool

    init(_ name: String, _ value: String? = nil, _ help: String, isRepeatable: Bool = false) {
      self.name = name
      self.value = value
      self.help = help
      self.isRepeatable = isRepeatable
    }
  }

  var verb: String
  /// What the paths are called, `OUT` or `TRACE…`; empty when the verb takes none.
  var paths: String
  var pathCount: ClosedRange<Int>
  /// One line.
  var summary: String
  /// What else there is to know; may be empty.
  var details = ""
  var options: [Option]
  /// What the words behind `--` are called, `COMMAND…`; nil when the verb runs none.
  var command: String?
  var example: String

  /// The verb with its paths, `record OUT`.
  var synopsis: String { paths.isEmpty ? verb : "\(verb) \(paths)" }

  var help: String {
    let all = options + [Option("help", nil, "print this and exit")]
    let column = (all.map { $0.spelling.count }.max() ?? 0) + 2
    let lines = all.map { option in
      "  " + option.spelling + String(repeating: " ", count: column - option.spelling.count) + option.help
    }
    return """
      usage: launchtape \(synopsis) [options]\(command.map { " [-- \($0)]" } ?? "")

      \(summary)\(details.isEmpty ? "" : "\n\n" + details)

      options:
      \(lines.joined(separator: "\n"))

      example:
        \(example)
      """
  }
}

extension Usage.Option {
  var spelling: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
