import LaunchFile
import LaunchJSON
import LaunchTrace

extension Redactor {
  /// What has to be done with the file of a recording that was redacted while it was written.
  ///
  /// A value that its rule found late still stands in earlier lines. The scan that every recording ends with finds it; then
  /// the lines are redacted once more, by what is known now, and scanned again. So are those with compressed content that
  /// was kept: what is withheld now was no secret then.
  ///
  /// - Parameters:
  ///   - file: The bytes on disk: all of a closed or a cut recording.
  ///   - bodies: The bodies in files of their own, by name.
  /// - Returns: What must stand there instead; nil when it may stay as it is.
  /// - Throws: `LeakError` when a secret cannot be got rid of. The file must then not stay on disk.
  public func finish(
    file: [UInt8], bodies: [String: [UInt8]] = [:], path: String
  ) throws(LeakError) -> Cassette? {
    let scan = LeakScan(self)
    let leaks = scan.leaks(in: file) + bodies.sorted { $0.key < $1.key }.flatMap { scan.leaks(inBody: $0.value) }
    if leaks.isEmpty && !holdsPackedContent { return nil }
    // A cassette that cannot be read, because a disk was full, say, is no reason to keep a secret in it.
    let cassette = try? Cassette(parsing: file, path: path) { (name) throws(FileError) in
      guard let body = bodies[name] else { throw FileError(.open, name, "no such body") }
      return body
    }
    guard let cassette else {
      if leaks.isEmpty { return nil }
      throw LeakError(path: path, leaks: leaks)
    }
    var redactor = self
    var rewritten = Cassette(
      header: cassette.header, events: cassette.events.map { redactor.redacted($0, learning: false) ?? $0 })
    redactor.redact(&rewritten.header)
    if leaks.isEmpty, rewritten.header == cassette.header, rewritten.events == cassette.events { return nil }
    let left = scan.leaks(in: rewritten.serialized)
    guard left.isEmpty else { throw LeakError(path: path, leaks: left) }
    return rewritten
  }
}

extension Cassette {
  /// This cassette with every secret replaced, and what was replaced.
  ///
  /// ```swift
  /// let (safe, redactor) = cassette.redacted(by: .builtIn)
  /// let leaks = LeakScan(redactor).leaks(in: safe.serialized)
  /// ```
  /// - Parameter unpacker: Looks into compressed content; without it, nothing does.
  public func redacted(
    by rules: RedactionRules, unpacker: Unpacker? = nil
  ) -> (cassette: Cassette, redactor: Redactor) {
    var redactor = Redactor(rules: rules, unpacker: unpacker)
    var header = header
    let redacted = redactor.redact(events, beside: &header.unknown)
    redactor.redact(&header)
    return (Cassette(header: header, events: redacted), redactor)
  }
}

extension Redactor {
  /// Replaces what is known by now in the texts of a header; nothing is learnt from them.
  fileprivate mutating func redact(_ header: inout CassetteHeader) {
    redact(&header.name, nil)
    redact(&header.by, nil)
  }
}
