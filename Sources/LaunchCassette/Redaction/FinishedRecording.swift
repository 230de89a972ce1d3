import LaunchJSON
import LaunchTrace

extension Redactor {
  /// What has to be done with the file of a recording that was redacted while it was written.
  ///
  /// A value that its rule found late still stands in earlier lines. The scan that every recording ends with finds it; then
  /// the lines are redacted once more, by what is known now, and scanned again.
  ///
  /// - Parameter file: The bytes on disk: all of a closed or a cut recording.
  /// - Returns: What the file must hold instead; nil when it may stay as it is.
  /// - Throws: `LeakError` when a secret cannot be got rid of. The file must then not stay on disk.
  public func finish(
    file: [UInt8], path: String, decoders: [LeakScan.Decoder] = []
  ) throws(LeakError) -> [UInt8]? {
    let scan = LeakScan(self, decoders: decoders)
    let leaks = scan.leaks(in: file)
    if leaks.isEmpty { return nil }
    // A cassette that cannot be read, because a disk was full, say, is no reason to keep a secret in it.
    guard let cassette = try? Cassette(parsing: file, path: path) else { throw LeakError(path: path, leaks: leaks) }
    var redactor = self
    let rewritten = cassette.rewritten { redactor.redact($0, learning: false) }.serialized
    let left = scan.leaks(in: rewritten)
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
  public func redacted(by rules: RedactionRules) -> (cassette: Cassette, redactor: Redactor) {
    var redactor = Redactor(rules: rules)
    let redacted = redactor.redact(events)
    var copy = Cassette(header: header, events: redacted)
    redactor.redact(&copy.header.unknown, nil)
    return (copy, redactor)
  }

  fileprivate func rewritten(_ redact: (Event) -> Event) -> Cassette {
    Cassette(header: header, events: events.map(redact))
  }
}
