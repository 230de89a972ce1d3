#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Gives a file another name, in one step, in which it replaces what has that name.
func rename(_ path: String, to newPath: String, _ calls: SystemCalls) throws(FileError) {
  if retryingInterrupted({ calls.renameFile(path, newPath) }) != 0 { throw renameFailure(path, newPath) }
}

/// Renames a file, unless the new name is taken: unlike `rename`, `link` replaces nothing.
func giveNewName(_ path: String, _ newPath: String, _ calls: SystemCalls) throws(FileError) {
  if retryingInterrupted({ calls.linkFile(path, newPath) }) != 0 { throw renameFailure(path, newPath) }
  try remove(path, calls)
}

/// Removes a file. A missing one is no error.
func remove(_ path: String, _ calls: SystemCalls) throws(FileError) {
  if retryingInterrupted({ calls.unlinkFile(path) }) != 0, errno != ENOENT {
    throw FileError(.remove, path, code: errno)
  }
}

private func renameFailure(_ path: String, _ newPath: String) -> FileError {
  var error = FileError(.rename, path, code: errno)
  error.reason = "to \(newPath): \(error.reason)"
  return error
}
