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
    /// Holds one line at a time; kept for its memory.
    var line = JSONWriter()
    var failure: FileError?
  }

  private let journal: Journal
  private let state = Mutex(State())

  /// Opens `PATH.part` and writes the header's line.
  /// - Parameter replaces: Whether a cassette at `path` may be replaced at the end.
  /// - Throws: `FileError` when the folder is missing or not writable, when something else records to `path`, or when
  ///   what is there may not be replaced.
  public init(path: String, header: CassetteHeader, replaces: Bool = true) throws(FileError) {
    journal = try Journal(path: path, replaces: replaces)
    var line = JSONWriter()
    header.encode(into: &line)
    journal.append(line.bytes)
    try journal.commit()
  }

  /// Where the lines stand until `close`.
  public var partPath: String { journal.partPath }

  /// The first failure to write, for a recorder that wants to stop early. Nothing is written after it, and `close`
  /// throws it.
  public var failure: FileError? { state.withLock { $0.failure } }

  /// Adds the event's line in memory; it reaches the file with the next `commit`. After a failure nothing is added.
  public func append(_ event: Event) {
    state.withLock { state in
      guard state.failure == nil else { return }
      event.encode(into: &state.line)
      journal.append(state.line.bytes)
      state.line.removeAll()
    }
  }

  /// Writes what was appended since the last commit, in one write.
  public func commit() {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(FileError) { try journal.commit() } catch { state.failure = error }
    }
  }

  /// Makes the cassette safe on disk and gives it its name. The closing event must have been appended, or it will be
  /// read as a cut recording.
  /// - Throws: `FileError` of the first failure since the recording began; what was at the path is then untouched.
  public func close() throws(FileError) { try journal.close() }

  /// Stops writing and leaves what was committed in `PATH.part`. What was at the path is untouched.
  public func abandon() { journal.abandon() }
}
