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
/// One journal at a time writes a path: `path.part` (mode 0600) carries a lock that ends with the process. A second
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

  private let state: Mutex<State>

  /// Opens `path.part` and locks it.
  /// - Parameter replaces: Whether a file at `path` may be replaced at the end; if not, one that appears there meanwhile
  ///   makes `close` fail and `path.part` stay.
  /// - Throws: `FileError` when the folder is missing or not writable, when `path` is no ordinary file or may not be
  ///   replaced, or when another live journal writes the same path.
  public convenience init(path: String, replaces: Bool = true) throws(FileError) {
    try self.init(path: path, replaces: replaces, calls: SystemCalls())
  }

  init(path: String, replaces: Bool = true, calls: SystemCalls) throws(FileError) {
    try requireUsable(path, for: .open)
    // Found out now, not by the rename at the end of a recording.
    if folderExists(path) { throw FileError(.open, path, code: EISDIR) }
    if pathExists(path) {
      guard regularFileExists(path) else { throw FileError(.open, path, "it is no ordinary file and stays as it is") }
      guard replaces else { throw FileError(.open, path, "it exists and stays as it is") }
    }
    self.path = path
    self.replaces = replaces
    partPath = path + ".part"
    state = Mutex(State(file: try openPart(of: path, calls)))
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
  public func commit() throws(FileError) {
    try attempt { (state) throws(FileError) in
      if state.file == nil { throw FileError(.write, partPath, "the journal is closed") }
      try writeBuffer(&state)
    }
  }

  /// Commits, makes the file safe on disk and gives it its name. A second call does nothing.
  /// - Throws: `FileError` of the step that failed, or of an earlier failure: `path` is then as it was, and `path.part`
  ///   stays. Only when making the rename itself durable fails is the new file already in place.
  public func close() throws(FileError) {
    try attempt { (state) throws(FileError) in
      if state.file == nil { return }
      try writeBuffer(&state)
      try state.file?.flush()
      try replaces ? renameFile(partPath, to: path) : giveNewName(partPath, path)
      try OpenFile(parentFolder(of: path), O_RDONLY).flush()
      state.file = nil
    }
  }

  /// Ends the journal and leaves `path.part` with what was committed. `path` stays as it is, and a later `commit` or
  /// `close` fails. Does nothing after `close`.
  public func abandon() {
    state.withLock { state in
      guard state.file != nil else { return }
      state.file = nil
      state.buffer = []
      state.failure = state.failure ?? FileError(.write, partPath, "the journal was abandoned")
    }
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

/// Opens and locks an empty `path.part`, after moving a dead writer's one aside.
private func openPart(of path: String, _ calls: SystemCalls) throws(FileError) -> OpenFile {
  let part = path + ".part"
  while true {
    if pathExists(part), !regularFileExists(part) {
      throw FileError(.open, part, "it is no ordinary file and stays as it is")
    }
    // Without waiting: a pipe that has just come to this name would block until somebody reads it.
    let file = try OpenFile(part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, calls: calls)
    guard try file.tryLock() else { throw FileError(.lock, part, "another recording is writing it") }
    // The name may have moved on between open and lock: only a lock on the file that has it now counts.
    guard try OpenFile(part, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600).identity == file.identity else {
      continue
    }
    if file.size == 0 {
      _ = fchmod(file.descriptor, 0o600)
      return file
    }
    try moveAside(part, of: path)
  }
}

/// Renames a leftover to the first free numbered name. Only the holder of its lock comes here.
private func moveAside(_ part: String, of path: String) throws(FileError) {
  var number = 1
  while true {
    let aside = "\(path).\(number).part"
    do throws(FileError) {
      // Making the name first reserves it, so that the rename replaces nothing but our own empty file.
      _ = try OpenFile(aside, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      return try renameFile(part, to: aside)
    } catch {
      guard error.operation == .open, error.code == EEXIST else { throw error }
      number += 1
    }
  }
}

private func renameFile(_ path: String, to newPath: String) throws(FileError) {
  if unsafe rename(path, newPath) != 0 {
    throw FileError(.rename, path, "to \(newPath): " + FileError(.rename, path, code: errno).reason)
  }
}

/// Renames a file, unless the new name is taken: unlike `rename`, `link` replaces nothing.
private func giveNewName(_ path: String, _ newPath: String) throws(FileError) {
  if unsafe link(path, newPath) != 0 {
    throw FileError(.rename, path, "to \(newPath): " + FileError(.rename, path, code: errno).reason)
  }
  if unsafe unlink(path) != 0 { throw FileError(.remove, path, code: errno) }
}
