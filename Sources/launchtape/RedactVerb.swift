import LaunchCassette
import LaunchFile
import LaunchJSON
import LaunchReport
import LaunchTrace

/// Redacts a cassette that exists already.
@MainActor
enum RedactVerb {
  static let usage = Usage(
    verb: "redact", paths: "IN OUT", pathCount: 2...2,
    summary: "replaces the secrets in a cassette by pseudonyms",
    details: """
      Identifiers and credentials of the four vendors, credentials of any host, e-mail addresses, tokens and AWS keys are
      replaced; FILE adds rules of your own, one a line: redact header X-Tenant as tenant on api.example.com
      """,
    options: [
      RedactionOption.option,
      .init("force", nil, "replace OUT if it exists"),
    ],
    example: "launchtape redact old.cassette safe.cassette --rules redaction.rules")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let (input, output) = (arguments.paths[0], arguments.paths[1])
    let format = try OutputFormat(path: output, verb: usage.verb)
    guard arguments.has("force") || !pathExists(output) else {
      throw Failure(message: "\(output) exists and stays as it is", next: "to replace it: add --force")
    }
    let rules = try RedactionOption.rules(arguments)
    let original = try Files.cassette(at: input)
    let (cassette, redactor) = try RedactionOption.redact(original, by: rules, for: output)
    try format.write(cassette, to: output, replaces: arguments.has("force"), isPrivate: false)
    print(redactor, output)
    for body in cassette.withheldBodies { Console.complain("\(output): warning: \(body)") }
    for line in redactor.unusedRules.flatMap({ "\($0)".split(separator: "\n") }) {
      Console.complain(String(line).printable)
    }
    let listed = original.trace.pseudonyms.members.reduce(0) { $0 + ($1.value.array?.count ?? 0) }
    if listed > 0 { Console.complain("\(listed) values that \(input) lists as pseudonyms stay as they are") }
    if !original.trace.isClosed {
      Console.complain(
        "\(input) was cut off: a value that was recognised too late may still stand in it; look before you share it")
    }
    return .holds
  }

  private static func print(_ redactor: Redactor, _ output: String) {
    let kinds = redactor.counts
    let total = kinds.reduce(0) { $0 + $1.count }
    Console.print("\(output): \(total) \(total == 1 ? "secret" : "secrets") replaced")
    let width = kinds.map(\.kind.count).max() ?? 0
    for (kind, count) in kinds {
      Console.print("  \(kind)\(String(repeating: " ", count: width - kind.count))  \(count)")
    }
  }
}
