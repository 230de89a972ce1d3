public import LaunchFile
import LaunchJSON
public import LaunchTrace
import Synchronization

/// Writes a recording to disk while it happens, so that a killed process loses at most the line under way.
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
/// was at `PATH` stays as it is.
public final class CassetteWriter: EventSink {
  private struct State {
    /// The lines since the last commit.
    var lines = JSONWriter()
    var failure: FileError?
  }

  private let journal: Journal
  private let onFailure: @Sendable (FileError) -> Void
  private let state = Mutex(State())

  /// Opens `PATH.part` and writes the header's line.
  /// - Parameters:
  ///   - replaces: Whether a cassette at `path` may be replaced at the end.
  ///   - onFailure: Told of the first failure to write, once and at once, for a recorder that stops then. Called inside
  ///     `commit`, and so under the tap's lock: it must neither block nor call back into either.
  /// - Throws: `FileError` when the folder is missing or not writable, when something else records to `path`, or when
  ///   what is there may not be replaced.
  public convenience init(
    path: String, header: CassetteHeader, replaces: Bool = true,
    onFailure: @escaping @Sendable (FileError) -> Void = { _ in }
  ) throws(FileError) {
    try self.init(journal: Journal(path: path, replaces: replaces), header: header, onFailure: onFailure)
  }

  /// A writer into a new journal.
  package init(
    journal: Journal, header: CassetteHeader, onFailure: @escaping @Sendable (FileError) -> Void = { _ in }
  ) throws(FileError) {
    self.journal = journal
    self.onFailure = onFailure
    var line = JSONWriter()
    header.encode(into: &line)
    try journal.commit(appending: line.bytes)
  }

  /// Where the lines stand until `close`.
  public var partPath: String { journal.partPath }

  /// The first failure to write. Nothing is written after it, and `close` throws it.
  public var failure: FileError? { state.withLock { $0.failure } }

  /// Adds the event's line in memory; it reaches the file with the next `commit`. After a failure nothing is added.
  public func append(_ event: Event) {
    state.withLock { state in
      if state.failure == nil { event.encode(into: &state.lines) }
    }
  }

  /// Writes what was appended since the last commit, in one write.
  public func commit() {
    state.withLock { state in
      guard state.failure == nil, !state.lines.bytes.isEmpty else { return }
      do throws(FileError) {
        try journal.commit(appending: state.lines.bytes)
      } catch {
        state.failure = error
        onFailure(error)
      }
      state.lines.removeAll()
    }
  }

  /// Commits, and returns the file as it then stands in `PATH.part`, for a last look before `close`.
  /// - Throws: `FileError` when it cannot be written or read.
  package func contents() throws(FileError) -> [UInt8] {
    commit()
    return try journal.contents()
  }

  /// Puts `bytes`, a whole cassette, in the place of everything written so far. `PATH.part` is the old or the new one at
  /// every moment.
  /// - Throws: `FileError` when it cannot be written; `PATH.part` is then as it was.
  package func replaceContents(with bytes: [UInt8]) throws(FileError) {
    commit()
    try journal.replaceContents(with: bytes)
  }

  /// Makes the cassette safe on disk and gives it its name. The closing event must have been appended, or it will be
  /// read as a cut recording.
  /// - Throws: `FileError` of the first failure since the recording began; what was at the path is then untouched.
  public func close() throws(FileError) {
    commit()
    try journal.close()
  }

  /// Stops writing and leaves what was committed in `PATH.part`. What was at the path is untouched.
  public func abandon() { journal.abandon() }

  /// Stops writing and removes `PATH.part`, for a recording that must not stay on disk.
  /// - Throws: `FileError` when it cannot be removed.
  package func discard() throws(FileError) { try journal.discard() }
}
