#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

import Synchronization

/// A file that grows by whole appends and takes its name only when it is complete.
///
/// ```swift
/// let journal = try Journal(path: "first-launch.cassette")
/// journal.append(line)     // in memory
/// try journal.commit()     // one write(2) into first-launch.cassette.part
/// try journal.close()      // safe on disk, then renamed over first-launch.cassette
/// ```
///
/// Until `close` succeeds, whatever stood at `path` stays as it is. A process that dies leaves `path.part` with
/// everything committed, at worst with an unfinished tail from the write that was under way.
///
/// What has its name at the end can be read by this user only, unless the journal is no private one. One journal at a time
/// writes a path: `path.part` (mode 0600) carries a lock that ends with the process. A second
/// live writer is refused. What a dead one left is somebody's cut recording, so the next writer moves it aside, to the
/// first free of `path.1.part`, `path.2.part`, …, and starts anew; an empty leftover is simply used.
///
/// Calls may come from any thread; appends keep the order of the calls.
public final class Journal: Sendable {
  private struct State: ~Copyable {
    /// Nil once closed or abandoned.
    var file: OpenFile?
    var buffer: [UInt8] = []
    /// The first failure; nothing is written after it.
    var failure: FileError?
  }

  /// Where the finished file will stand.
  public let path: String
  /// Where the growing one stands.
  public let partPath: String
  private let replaces: Bool
  private let isPrivate: Bool
  private let calls: SystemCalls

  private let state: Mutex<State>

  /// Opens `path.part` and locks it.
  /// - Parameter replaces: Whether a file at `path` may be replaced at the end; if not, one that appears there meanwhile
  ///   makes `close` fail and `path.part` stay.
  /// - Throws: `FileError` when the folder is missing or not writable, when `path` is no ordinary file or may not be
  ///   replaced, or when another live journal writes the same path.
  public convenience init(path: String, replaces: Bool = true) throws(FileError) {
    try self.init(path: path, replaces: replaces, calls: SystemCalls())
  }

  /// The same for a file that need not be private.
  package convenience init(path: String, replaces: Bool, isPrivate: Bool) throws(FileError) {
    try self.init(path: path, replaces: replaces, isPrivate: isPrivate, calls: SystemCalls())
  }

  /// The same over system calls that may fail on purpose.
  /// - Parameter isPrivate: Whether the finished file is for this user only; else it has the permissions of the one that it
  ///   replaces, or those of any new file.
  package init(
    path: String, replaces: Bool = true, isPrivate: Bool = true, calls: SystemCalls
  ) throws(FileError) {
    try requireUsable(path, for: .open)
    // Found out now, not by the rename at the end of a recording.
    if folderExists(path) { throw FileError(.open, path, code: EISDIR) }
    if pathExists(path) {
      guard regularFileExists(path) else { throw FileError(.open, path, "it is no ordinary file and stays as it is") }
      guard replaces else { throw FileError(.open, path, "it exists and stays as it is") }
    }
    self.path = path
    self.replaces = replaces
    self.isPrivate = isPrivate
    self.calls = calls
    partPath = path + ".part"
    state = Mutex(State(file: try openPart(of: path, resumes: false, calls)))
  }

  /// Goes on where another journal of `path` stopped, in the same `path.part`: for a journal that is never finished.
  ///
  /// ```swift
  /// let queue = try Journal(resuming: "state") { Array($0.prefix(through: lastCompleteLine)) }
  /// ```
  ///
  /// What a dead writer left is read, unfinished tail included, and what `tidy` makes of it takes its place at once, so
  /// that later appends stand behind complete content.
  /// - Throws: `FileError` as in `init(path:replaces:)`, when the part cannot be read or written anew, and what `tidy`
  ///   throws: the part then stays as it was.
  package init(
    resuming path: String, calls: SystemCalls = SystemCalls(),
    tidy: ([UInt8]) throws(FileError) -> [UInt8]
  ) throws(FileError) {
    try requireUsable(path, for: .open)
    self.path = path
    self.calls = calls
    replaces = true
    isPrivate = true
    partPath = path + ".part"
    state = Mutex(State(file: try openPart(of: path, resumes: true, calls)))
    let left = try readFile(partPath)
    let tidied = try tidy(left)
    if !left.isEmpty { try replaceContents(with: tidied) } else { try commit(appending: tidied) }
  }

  /// Adds `bytes` in memory. They reach the file with the next `commit`; after a failure or the end they are dropped,
  /// and `commit` says so.
  public func append(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.file != nil, state.failure == nil { state.buffer += bytes }
    }
  }

  /// Hands everything appended so far to the system, in one write; nothing to write is no call at all.
  ///
  /// After that it survives the death of the process, though not yet a power failure.
  /// - Throws: `FileError` when the write failed, and the same one on every later call; or when the journal has ended.
  public func commit() throws(FileError) { try commit(appending: []) }

  /// The same with `bytes` behind what was appended; alone they are not copied.
  package func commit(appending bytes: [UInt8]) throws(FileError) {
    try attempt { (state) throws(FileError) in
      if state.file == nil { throw FileError(.write, partPath, "the journal is closed") }
      if state.buffer.isEmpty { try state.file?.writeAll(bytes); return }
      state.buffer += bytes
      try writeBuffer(&state)
    }
  }

  /// Commits, and returns everything that `path.part` then holds.
  /// - Throws: `FileError` when it cannot be written or read, or when the journal has ended.
  package func contents() throws(FileError) -> [UInt8] {
    try commit()
    return try readFile(partPath)
  }

  /// Puts `bytes` in the place of everything written so far. The journal goes on behind them.
  ///
  /// They are made safe on disk under a name of their own, `path.part.new`, which then takes the place of `path.part`: a
  /// process that dies meanwhile leaves one of the two whole. Appends that were not committed are dropped.
  /// - Throws: `FileError` of the step that failed, and the same one on every later call: `path.part` is then as it was,
  ///   and so is `path`.
  package func replaceContents(with bytes: [UInt8]) throws(FileError) {
    try attempt { (state) throws(FileError) in
      if state.file == nil { throw FileError(.write, partPath, "the journal is closed") }
      let newPath = partPath + ".new"
      // Only the holder of the part's lock comes here, so this one is a dead writer's, and its part is there besides.
      try remove(newPath, calls)
      var file = try OpenFile(newPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600, calls: calls)
      do throws(FileError) {
        // The lock first: under its new name the file must not be anybody's for a moment.
        guard try file.tryLock() else { throw FileError(.lock, newPath, "another recording is writing it") }
        try file.writeAll(bytes)
        try file.flush()
        try rename(newPath, to: partPath, calls)
      } catch {
        _ = calls.unlinkFile(newPath)
        throw error
      }
      file.path = partPath
      state.file = consume file
      state.buffer = []
    }
  }

  /// Commits, makes the file safe on disk and gives it its name. A second call does nothing.
  /// - Throws: `FileError` of the step that failed, or of an earlier failure: `path` is then as it was, and `path.part`
  ///   stays. Only when making the rename itself durable fails is the new file already in place.
  public func close() throws(FileError) {
    try attempt { (state) throws(FileError) in
      if state.file == nil { return }
      try writeBuffer(&state)
      if !isPrivate { try state.file?.setPermissions(permissions(path) ?? usualPermissions) }
      try state.file?.flush()
      try replaces ? rename(partPath, to: path, calls) : giveNewName(partPath, path, calls)
      try OpenFile(parentFolder(of: path), O_RDONLY, calls: calls).flush()
      state.file = nil
    }
  }

  /// Ends the journal and leaves `path.part` with what was committed. `path` stays as it is, and a later `commit` or
  /// `close` fails. Does nothing after `close`.
  public func abandon() {
    state.withLock { Self.end(&$0, FileError(.write, partPath, "the journal was abandoned")) }
  }

  /// Ends the journal as `abandon` does and removes `path.part`, for content that must not stay on disk. Also after a
  /// failure; does nothing after `close` or `abandon`.
  /// - Throws: `FileError` when it cannot be removed.
  package func discard() throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      guard state.file != nil else { return }
      // While the lock is held, so that no other writer's part is meant.
      defer { Self.end(&state, FileError(.write, partPath, "the journal was discarded")) }
      try remove(partPath, calls)
    }
  }

  private static func end(_ state: inout State, _ reason: FileError) {
    guard state.file != nil else { return }
    state.file = nil
    state.buffer = []
    state.failure = state.failure ?? reason
  }

  private func writeBuffer(_ state: inout State) throws(FileError) {
    try state.file?.writeAll(state.buffer)
    state.buffer.removeAll(keepingCapacity: true)
  }

  /// Runs `step` unless an earlier one failed, and remembers its failure.
  private func attempt(_ step: (inout State) throws(FileError) -> Void) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      if let failure = state.failure { throw failure }
      do throws(FileError) {
        try step(&state)
      } catch {
        // Misuse of a closed journal is no failure of the file.
        if state.file != nil { state.failure = error }
        throw error
      }
    }
  }
}

/// Opens and locks `path.part`: a dead writer's one if it `resumes`, else an empty one, after moving that one aside.
private func openPart(of path: String, resumes: Bool, _ calls: SystemCalls) throws(FileError) -> OpenFile {
  let part = path + ".part"
  while true {
    if pathExists(part), !regularFileExists(part) {
      throw FileError(.open, part, "it is no ordinary file and stays as it is")
    }
    // Without waiting: a pipe that has just come to this name would block until somebody reads it.
    let file = try OpenFile(part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, calls: calls)
    guard try file.tryLock() else { throw FileError(.lock, part, "another recording is writing it") }
    // The name may have moved on between open and lock: only a lock on the file that has it now counts.
    let named = try OpenFile(part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, calls: calls)
    guard named.identity == file.identity else { continue }
    if resumes || file.size == 0 {
      _ = fchmod(file.descriptor, 0o600)
      return file
    }
    try moveAside(part, of: path, calls)
  }
}

/// Renames a leftover to the first free numbered name. Only the holder of its lock comes here.
private func moveAside(_ part: String, of path: String, _ calls: SystemCalls) throws(FileError) {
  var number = 1
  while true {
    let aside = "\(path).\(number).part"
    do throws(FileError) {
      // Making the name first reserves it, so that the rename replaces nothing but our own empty file.
      _ = try OpenFile(aside, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600, calls: calls)
      return try rename(part, to: aside, calls)
    } catch {
      guard error.operation == .open, error.code == EEXIST else { throw error }
      number += 1
    }
  }
}
