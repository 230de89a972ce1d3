import LaunchContract
import LaunchDiagnostics

/// The words behind a verb, sorted into paths, options and the command to run.
struct Arguments {
  private(set) var paths: [String] = []
  /// The words behind `--`, for a verb that takes a command; nil without `--`.
  private(set) var command: [String]?
  private var values: [String: [String]] = [:]

  /// Options are `--name value` or `--name=value`; everything behind `--` is the command, or a path for a verb
  /// that takes none.
  /// - Throws: `Failure` for an unknown option (with the nearest known name), a missing or unwanted value, an option
  ///   given twice that can stand only once, a wrong number of paths, and `--` without the command.
  init(_ words: some Sequence<String>, for usage: Usage) throws(Failure) {
    var words = words.makeIterator()
    while let word = words.next() {
      if word == "--" {
        var rest: [String] = []
        while let word = words.next() { rest.append(word) }
        if usage.command == nil { paths += rest } else { command = rest }
        break
      }
      if word == "-h" || word == "--help" {
        values["help"] = [""]
        continue
      }
      guard word.hasPrefix("--") else {
        guard word == "-" || !word.hasPrefix("-") else {
          throw Failure.usage("unknown option \(word): options are spelt out, --name", verb: usage.verb)
        }
        paths.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = usage.options.first(where: { $0.name == name }) else {
        let nearest = Suggestion.nearest(to: name, in: usage.options.map(\.name) + ["help"])
        throw Failure.usage(
          "unknown option --\(name)" + (nearest.map { "; did you mean --\($0)?" } ?? ""), verb: usage.verb)
      }
      if option.value == nil {
        guard parts.count == 1 else { throw Failure.usage("--\(name) takes no value", verb: usage.verb) }
        values[name] = [""]
      } else {
        guard let value = parts.count == 2 ? String(parts[1]) : words.next() else {
          throw Failure.usage("\(option.spelling): the value is missing", verb: usage.verb)
        }
        guard option.isRepeatable || values[name] == nil else {
          throw Failure.usage("--\(name) is given twice, and stands once", verb: usage.verb)
        }
        values[name, default: []].append(value)
      }
    }
    if let name = usage.command, command?.isEmpty == true {
      throw Failure.usage("-- \(name): the command is missing", verb: usage.verb)
    }
    guard !wantsHelp, !usage.pathCount.contains(paths.count) else { return }
    let wanted = usage.paths.isEmpty ? "takes no path" : "takes \(usage.paths)"
    let hint = usage.command != nil && paths.count > 1 ? "; a command stands behind --" : ""
    throw Failure.usage("\(usage.verb) \(wanted), \(paths.count) given\(hint)", verb: usage.verb)
  }

  /// The paths and options, as they could have been given, but for some options.
  func words(without names: Set<String>) -> [String] {
    let options = values.sorted { $0.key < $1.key }.filter { !names.contains($0.key) }
    return options.flatMap { name, values in values.map { $0.isEmpty ? "--\(name)" : "--\(name)=\($0)" } } + ["--"]
      + paths
  }

  var wantsHelp: Bool { values["help"] != nil }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value given for `name`.
  func value(_ name: String) -> String? { values[name]?.last }

  /// Every value given for `name`, in order.
  func all(_ name: String) -> [String] { values[name] ?? [] }
}
