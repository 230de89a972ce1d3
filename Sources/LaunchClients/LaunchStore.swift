public import LaunchFile
public import LaunchJSON
import Synchronization

/// What an app keeps from one launch to the next: identifiers, attribution, queues. All clients of a launch share one.
///
/// ```swift
/// let store = try LaunchStore(folder: "state")
/// try await AppLaunch(transport: transport, store: store).run()   // a first launch
/// try await AppLaunch(transport: transport, store: store).run()   // a later one
/// ```
///
/// A key is a dotted name that begins with its client's (`onesignal.user`). Each change is one line of a journal, handed
/// to the system before `set` returns: a process that is killed loses nothing that was set.
///
/// Calls may come from any thread.
public final class LaunchStore: Sendable {
  private struct State {
    var entries: JSONObject
    var journal: Journal?
    var failure: FileError?
  }

  private let state: Mutex<State>

  /// An empty store in memory: every launch with a new one is a first launch.
  public init() { state = Mutex(State(entries: [:])) }

  /// A store in memory that begins with what the other one has now.
  public init(copying other: LaunchStore) {
    state = Mutex(State(entries: other.state.withLock { $0.entries }))
  }

  /// The store in `folder`, which is made if it is missing; its file is `launch-state.part`.
  ///
  /// A change that a dying process had not finished writing counts as not made.
  /// - Throws: `FileError` when the folder cannot be made, when the file cannot be read or written or has a line that is
  ///   no change, or when another process has the store open.
  public convenience init(folder: String) throws(FileError) { try self.init(folder: folder, calls: SystemCalls()) }

  /// The same over system calls that may fail on purpose.
  package init(folder: String, calls: SystemCalls) throws(FileError) {
    try createFolder(folder)
    var entries: JSONObject = [:]
    let path = joinPath(folder, "launch-state")
    let journal = try Journal(resuming: path, calls: calls) { (left) throws(FileError) in
      entries = try Self.entries(in: left, of: path + ".part")
      return entries.members.flatMap { Self.line($0.key, $0.value) }
    }
    state = Mutex(State(entries: entries, journal: journal))
  }

  /// The value of `key`; nil when there is none.
  public subscript(key: String) -> JSON? { state.withLock { $0.entries[key] } }

  /// Sets `key`; nil removes it. A key that is set again keeps its place among the entries.
  ///
  /// The change counts in this process even if writing it fails: `failure` then says so.
  public func set(_ key: String, _ value: JSON?) {
    state.withLock { state in
      guard state.entries[key] != value else { return }
      state.entries[key] = value
      do throws(FileError) {
        try state.journal?.commit(appending: Self.line(key, value))
      } catch {
        state.failure = state.failure ?? error
      }
    }
  }

  /// The entries whose key begins with `prefix`, in the order in which they were first set.
  public func entries(under prefix: String) -> [JSONObject.Member] {
    state.withLock { $0.entries.members.filter { $0.key.hasPrefix(prefix) } }
  }

  /// Why a change did not reach the disk: the first such failure. A launch ends with it.
  public var failure: FileError? { state.withLock { $0.failure } }

  private static func line(_ key: String, _ value: JSON?) -> [UInt8] {
    var change: JSONObject = ["key": .string(key)]
    if let value { change["value"] = value }
    return JSON.object(change).serialized + [UInt8(ascii: "\n")]
  }

  /// What the complete lines of `bytes` come to.
  private static func entries(in bytes: [UInt8], of path: String) throws(FileError) -> JSONObject {
    var entries: JSONObject = [:]
    var rest = bytes[...]
    var number = 0
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      guard let change = try? JSON(parsing: Array(rest[..<end])), let key = change["key"]?.string else {
        throw FileError(
          .read, path, "line \(number) is no change of a key; without the file the next launch is a first one")
      }
      entries[key] = change["value"]
      rest = rest[(end + 1)...]
    }
    return entries
  }
}
