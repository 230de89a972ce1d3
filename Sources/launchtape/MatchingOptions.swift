import LaunchDeck
import LaunchTrace

/// The options that say which recorded exchange answers a request.
enum MatchingOptions {
  static let options: [Usage.Option] = [
    .init(
      "ignore", "FIELD", "leave FIELD out of matching, as in body.sent_at or 'api.example.com query.ts'; repeatable",
      isRepeatable: true),
    .init(
      "repeat", "[CALL=]POLICY",
      "when all answers are used: fail (default), last or loop, for all or for one; repeatable", isRepeatable: true),
  ]

  /// The options as they were given, for a command that does the same again.
  static func words(_ arguments: Arguments) -> String { arguments.words(options) }

  /// The options as Swift calls of a `Matching`.
  static func calls(_ arguments: Arguments) -> [String] {
    options.flatMap { option in arguments.all(option.name).map { "\(option.name)(\($0.debugDescription))" } }
  }

  /// - Throws: `Failure` for the first option that cannot be understood.
  static func matching(_ arguments: Arguments, verb: String) throws(Failure) -> Matching {
    var matching = Matching()
    matching.decode = { Files.decoded($0, from: $1) }
    let parsers: [(option: String, parse: (inout Matching, String) throws(MatchingError) -> Void)] = [
      ("ignore", { matching, text throws(MatchingError) in try matching.ignore(text) }),
      ("repeat", { matching, text throws(MatchingError) in try matching.repeat(text) }),
    ]
    for (option, parse) in parsers {
      for text in arguments.all(option) {
        do throws(MatchingError) {
          try parse(&matching, text)
        } catch {
          throw Failure.usage("--\(option) \(error)", verb: verb)
        }
      }
    }
    return matching
  }

  /// Holds the options against the recording: warns of fields that no recorded request has.
  /// - Throws: `Failure` for a policy of a call that was not recorded.
  static func check(_ matching: Matching, against trace: Trace, verb: String) throws(Failure) {
    let exchanges = trace.exchanges
    if let call = matching.absentCalls(in: exchanges).first {
      let calls = exchanges.map(\.call)
      let recorded = calls.min().flatMap { first in calls.max().map { "its calls are \(first) to \($0)" } }
      throw Failure.usage(
        "--repeat names call \(call), and the recording has none; \(recorded ?? "it has no call at all")", verb: verb)
    }
    for field in matching.absentFields(in: exchanges) {
      Console.complain("warning: --ignore \(field.description.shellWord): no recorded request has this field")
    }
  }
}

extension Arguments {
  /// The options with their values as they were given, each behind a space, for a command that does the same again.
  func words(_ options: [Usage.Option]) -> String {
    options.flatMap { option in all(option.name).map { " --\(option.name) \($0.shellWord)" } }.joined()
  }
}

extension String {
  /// As a shell takes it for one word.
  var shellWord: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "_./:=@%+-,".utf8.contains(byte)
      }
    return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }
}
