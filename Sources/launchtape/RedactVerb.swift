import LaunchCassette
import LaunchCodings
import LaunchFile
import LaunchReport

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
      .init("rules", "FILE", "more rules; may stand several times, of two for one place the later file's counts"),
      .init("force", nil, "replace OUT if it exists"),
    ],
    example: "launchtape redact old.cassette safe.cassette --rules redaction.rules")

  static func run(_ arguments: Arguments) async throws -> ExitCode {
    let (input, output) = (arguments.paths[0], arguments.paths[1])
    guard arguments.has("force") || !pathExists(output) else {
      throw Failure(message: "\(output) exists and stays as it is", next: "to replace it: add --force")
    }
    var rules = RedactionRules.builtIn
    for path in arguments.all("rules") { rules = rules.adding(try self.rules(at: path)) }
    let (cassette, redactor) = try Files.cassette(at: input).redacted(by: rules)
    let bytes = cassette.serialized
    let leaks = LeakScan(redactor, decoders: Codings.decoders).leaks(in: bytes)
    guard leaks.isEmpty else {
      throw Failure(
        message: "\(LeakError(path: output, leaks: leaks))",
        next: "a secret inside compressed content cannot be replaced; remove that call, or add a rule")
    }
    let journal = try Journal(path: output, replaces: arguments.has("force"))
    journal.append(bytes)
    try journal.close()
    print(redactor, output)
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

  /// The rules in the file at `path`. A file with mistakes has all of them printed.
  private static func rules(at path: String) throws -> RedactionRules {
    let text = String(decoding: try readFile(path, limit: 16 << 20), as: UTF8.self)
    do throws(RedactionRulesError) {
      return try RedactionRules(parsing: text, file: path)
    } catch {
      for line in "\(error)".split(separator: "\n") { Console.complain(String(line).printable) }
      let count = error.diagnostics.count
      throw Failure(message: "\(path) has \(count == 1 ? "a mistake" : "\(count) mistakes"); nothing was redacted")
    }
  }
}

/// The content encodings that secrets are looked for in.
private enum Codings {
  static let decoders: [LeakScan.Decoder] = ["gzip", "deflate", "br", "zstd"].map { encoding in
    { bytes in
      guard let decoder = ContentDecoder(encoding: encoding, limit: 64 << 20), let content = try? decoder.decode(bytes),
        !content.isEmpty
      else { return nil }
      return content
    }
  }
}
