import LaunchCassette
import LaunchCodings
import LaunchDiagnostics
import LaunchFile
import LaunchReport

/// What `--rules FILE` adds to the built-in redaction rules, and how secrets are looked for.
enum RedactionOption {
  static let option = Usage.Option(
    "rules", "FILE", "more redaction rules; may stand several times, of two for one place the later file's counts",
    isRepeatable: true)

  /// - Throws: `Failure` for a file with mistakes, after all of them were printed.
  static func rules(_ arguments: Arguments) throws -> RedactionRules {
    try arguments.all(option.name).reduce(.builtIn) { rules, path in rules.adding(try read(path)) }
  }

  /// The cassette with every secret replaced, and what was replaced, for a file at `path`.
  /// - Throws: `Failure` when a secret would be left.
  static func redact(
    _ cassette: Cassette, by rules: RedactionRules = .builtIn, for path: String
  ) throws(Failure) -> (cassette: Cassette, redactor: Redactor) {
    let redacted = cassette.redacted(by: rules, unpacker: unpacker)
    let leaks = LeakScan(redacted.redactor).leaks(in: redacted.cassette.serialized)
    guard leaks.isEmpty else {
      throw Failure(
        message: "\(LeakError(path: path, leaks: leaks))",
        next: "a secret inside compressed content cannot be replaced; remove that call, or add a rule")
    }
    return redacted
  }

  /// Looks into content in all encodings that there are codecs for.
  static let unpacker = Unpacker { bytes, encoding, limit in
    ContentDecoder.prefix(of: bytes, encoding: encoding, limit: limit).map { prefix in
      Unpacker.Content(prefix.content, reach: prefix.fault == nil ? .whole : prefix.isRead ? .cut : .part)
    }
  } encode: { content, encoding in
    try? LaunchCodings.encode(content, as: encoding)
  }

  private static func read(_ path: String) throws -> RedactionRules {
    let text = String(decoding: try readFile(path, limit: 16 << 20), as: UTF8.self)
    do throws(DiagnosticsError) {
      return try RedactionRules(parsing: text, file: path)
    } catch {
      for line in "\(error)".split(separator: "\n") { Console.complain(String(line).printable) }
      let count = error.diagnostics.count
      throw Failure(message: "\(path) has \(count == 1 ? "a mistake" : "\(count) mistakes"); nothing was redacted")
    }
  }
}
