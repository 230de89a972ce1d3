public import LaunchFile
import LaunchJSON
public import LaunchTrace
import Synchronization

/// Writes a recording to disk while it happens, so that a killed process loses at most what was appended since the last
/// commit: with a `Tap`, nothing that its client has seen.
///
/// ```swift
/// let writer = try CassetteWriter(path: "first-launch.cassette", header: CassetteHeader(name: "first-launch"))
/// let tap = Tap(transport, sinks: [writer])
/// // … the launch …
/// tap.finish()
/// try writer.close()
/// ```
///
/// Until `close` succeeds the lines stand in `PATH.part`, which any reader takes as a cut recording, and a cassette that
/// was at `PATH` stays as it is. Bodies over a limit go to files of their own in `PATH.bodies`, before the line that refers
/// to them.
public final class CassetteWriter: EventSink {
  private struct State {
    /// The lines since the last commit.
    var lines = JSONWriter()
    var encoder: EventEncoder
    var bodies: BodyFolder
    var failure: FileError?
  }

  private let journal: Journal
  private let onFailure: @Sendable (FileError) -> Void
  private let bodyLimit: Int
  private let state: Mutex<State>

  /// Opens `PATH.part` and writes the header's line.
  /// - Parameters:
  ///   - replaces: Whether a cassette at `path` may be replaced at the end.
  ///   - bodyLimit: Bodies with more bytes go to files of their own.
  ///   - onFailure: Told of the first failure to write, once and at once, for a recorder that stops then. Called inside
  ///     `commit`, and so under the tap's lock: it must neither block nor call back into either.
  /// - Throws: `FileError` when the folder is missing or not writable, when something else records to `path`, or when
  ///   what is there may not be replaced.
  public convenience init(
    path: String, header: CassetteHeader, replaces: Bool = true, bodyLimit: Int = 1 << 20,
    onFailure: @escaping @Sendable (FileError) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(
      journal: Journal(path: path, replaces: replaces), header: header, bodyLimit: bodyLimit, onFailure: onFailure)
  }

  /// A writer into a new journal.
  package init(
    journal: Journal, header: CassetteHeader, bodyLimit: Int = 1 << 20,
    onFailure: @escaping @Sendable (FileError) -> Void = { _ in }
  ) throws(FileError) {
    self.journal = journal
    self.bodyLimit = bodyLimit
    let encoder = EventEncoder(bodyLimit: bodyLimit)
    state = Mutex(State(encoder: encoder, bodies: BodyFolder(ofCassette: journal.path)))
    self.onFailure = onFailure
    var line = JSONWriter()
    header.encode(into: &line)
    try journal.commit(appending: line.bytes)
  }

  /// Where the lines stand until `close`.
  public var partPath: String { journal.partPath }

  /// The first failure to write. Nothing is written after it, and `close` throws it.
  public var failure: FileError? { state.withLock { $0.failure } }

  /// Adds the event's line in memory; it reaches the file with the next `commit`. A large body is on disk when this
  /// returns. After a failure nothing is added.
  public func append(_ event: Event) {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(FileError) {
        try state.encoder.encode(event, into: &state.lines) { (name, bytes) throws(FileError) in
          try state.bodies.store(name, bytes)
        }
      } catch {
        fail(error, &state)
      }
    }
  }

  /// Writes what was appended since the last commit, in one write.
  public func commit() {
    state.withLock { state in
      guard state.failure == nil, !state.lines.bytes.isEmpty else { return }
      do throws(FileError) {
        try journal.commit(appending: state.lines.bytes)
      } catch {
        fail(error, &state)
      }
      state.lines.removeAll()
    }
  }

  private func fail(_ error: FileError, _ state: inout State) {
    state.failure = error
    onFailure(error)
  }

  /// Looks once more at what is on disk, with what `redactor` has learnt until now: a value may turn out to be a secret
  /// after it was written. Then everything is written anew, and `PATH.part` is the old or the new one at every moment; on a
  /// full disk it is written over where it stands, since pseudonyms are as long as secrets. What cannot be redacted is
  /// removed, and so is what can in no way be rewritten.
  /// - Throws: `LeakError` when a secret cannot be got rid of; `FileError` when it cannot be read or written.
  package func removeSecrets(known redactor: Redactor) throws {
    commit()
    guard redactor.table.isSearching, regularFileExists(partPath) else { return }
    do {
      try state.withLock { state in
        var bodies: [String: [UInt8]] = [:]
        for name in state.bodies.names { bodies[name] = try state.bodies.load(name) }
        let file = try readFile(partPath)
        guard let safe = try redactor.finish(file: file, bodies: bodies, path: partPath) else {
          return
        }
        var names: Set<String> = []
        let bytes = try safe.serialized(bodyLimit: bodyLimit) { (name, bytes) throws(FileError) in
          names.insert(name)
          try state.bodies.store(name, bytes)
        }
        do throws(FileError) { try journal.replaceContents(with: bytes) } catch {
          try overwriteFile(partPath, with: bytes)
        }
        try state.bodies.removeStored(except: names)
      }
    } catch {
      try discard()
      throw error
    }
  }

  /// Makes the cassette safe on disk and gives it its name. The closing event must have been appended, or it will be
  /// read as a cut recording.
  /// - Throws: `FileError` of the first failure since the recording began; what was at the path is then untouched.
  public func close() throws(FileError) {
    commit()
    try journal.close()
    state.withLock { $0.bodies.removeOthers() }
  }

  /// Stops writing and leaves what was committed in `PATH.part`. What was at the path is untouched.
  public func abandon() { journal.abandon() }

  /// Stops writing and removes `PATH.part` and its bodies, for a recording that must not stay on disk.
  /// - Throws: `FileError` when something cannot be removed.
  package func discard() throws(FileError) {
    try journal.discard()
    try state.withLock { (state) throws(FileError) in try state.bodies.removeStored() }
  }
}
