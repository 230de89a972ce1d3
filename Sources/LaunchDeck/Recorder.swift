public import LaunchCassette
package import LaunchFile
public import LaunchHTTP
public import LaunchJSON

/// Records what a launch sends, receives and marks into a cassette, with pseudonyms in the place of secrets.
///
/// ```swift
/// try await Recorder(path: "first-launch.cassette", by: "launchtape 0.1.0").record(over: transport) { tap in
///   tap.mark("splash launch")
///   try await AppLaunch(transport: tap).run()
/// }
/// ```
public struct Recorder: Sendable {
  /// Where the cassette goes. Its name is the file's, without `.cassette`.
  public var path: String
  /// What the cassette says it was made by.
  public var by: String
  /// Whether a cassette at the path is replaced, once the new one is complete. If not, recording over it fails.
  public var replaces: Bool
  /// What is a secret. The built-in rules know the vendors' identifiers and credentials, and those of any host.
  public var rules = RedactionRules.builtIn
  /// Values that are secrets from the start, whatever the rules find: the credentials that the launch was given.
  public var secrets: [(kind: String, value: String)] = []
  /// Pseudonyms that may stand in answers because they come from an older cassette, by kind, as its closing event lists
  /// them: no secrets, and kept.
  public var pseudonyms: JSONObject = [:]
  /// Looks into compressed content: bodies of requests, bodies whose encoding could not be undone, and base64 that holds
  /// such. Without it they are kept as they are.
  public var unpacker: Unpacker?
  /// What the file is written with.
  package var calls = SystemCalls()

  public init(path: String, by: String, replaces: Bool = false) {
    self.path = path
    self.by = by
    self.replaces = replaces
  }

  /// Runs the launch over `transport`, in a task of its own, and writes the cassette.
  ///
  /// The cassette takes its name at the end; until then, and for good when the launch throws, `PATH.part` holds what was
  /// recorded, as a cut trace, and an older cassette stays as it was. A recording that can no longer be written, or is no
  /// longer true, cancels the launch at once; so does cancelling the calling task. It ends when the launch has.
  ///
  /// Secrets are replaced before they are written. A value that turns out to be one only later makes the file be
  /// rewritten at its end. The last step is a scan for every secret that was met: a file that still has one is removed.
  /// - Throws: `LeakError` when a secret could not be kept out; `FileError` when something could not be written, whenever
  ///   that was; `TransportError` when `transport` told
  ///   what cannot have happened (`Tap.failure`); else what the launch throws.
  public func record<Value: Sendable>(
    over transport: any Transport, _ launch: @escaping @Sendable (Tap) async throws -> Value
  ) async throws -> Value {
    let header = CassetteHeader(
      name: cassetteName(of: path), microsecondsSince1970: microsecondsSince1970(), by: by)
    // The failure is met under locks that cancelling may need, so another task does it.
    let (failures, signal) = AsyncStream.makeStream(of: Never.self)
    let writer = try CassetteWriter(
      journal: Journal(path: path, replaces: replaces, calls: calls), header: header,
      onFailure: { _ in signal.finish() })
    var redactor = Redactor(rules: rules, keeping: pseudonyms, unpacker: unpacker)
    for secret in secrets { redactor.know(secret.value, kind: secret.kind) }
    let redacting = RedactingSink(redactor, next: writer)
    let tap = Tap(transport, sinks: [redacting], onFailure: { _ in signal.finish() })
    let running = Task { try await launch(tap) }
    Task {
      for await _ in failures {}
      running.cancel()
    }
    let result = await withTaskCancellationHandler {
      await running.result
    } onCancel: {
      running.cancel()
    }
    signal.finish()
    do {
      // What the launch throws then only follows from it.
      if let failure = writer.failure { throw failure }
      if let failure = tap.failure { throw failure }
      let value = try result.get()
      tap.finish()
      try writer.removeSecrets(known: redacting.redactor)
      try writer.close()
      return value
    } catch let error as LeakError {
      throw error
    } catch {
      try writer.removeSecrets(known: redacting.redactor)
      writer.abandon()
      throw error
    }
  }
}
