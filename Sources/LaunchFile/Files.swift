#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The whole content of a file; also of a pipe or device, until its end.
/// - Throws: `FileError` when the path is missing, unreadable or a folder, or has more than `limit` bytes.
package func readFile(_ path: String, limit: Int = 1 << 30) throws(FileError) -> [UInt8] {
  do throws(FileError) {
    return try OpenFile(path, O_RDONLY).readToEnd(limit: limit)
  } catch {
    // Whoever asked to read need not know that opening comes first.
    var error = error
    error.operation = .read
    throw error
  }
}

/// Makes a file that is there as a whole or not at all, readable by this user only; what has its name is replaced.
///
/// The bytes grow under the name `path.new` and take theirs at the end, so a process that dies meanwhile leaves nothing
/// half-written under `path`.
/// - Parameters:
///   - keepsPermissions: Whether what is replaced gives the new file its permissions.
///   - flushes: Whether the file survives a power failure when this returns, which takes milliseconds. The death of the
///     process it survives in any case.
/// - Throws: `FileError` of the step that failed: what was at `path` is then as it was, and nothing else is left.
package func writeNewFile(
  _ bytes: [UInt8], to path: String, keepsPermissions: Bool = false, flushes: Bool, calls: SystemCalls = SystemCalls()
) throws(FileError) {
  try requireUsable(path, for: .write)
  let newPath = path + ".new"
  try remove(newPath, calls)
  let file = try OpenFile(newPath, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600, calls: calls)
  do throws(FileError) {
    try file.writeAll(bytes)
    if keepsPermissions, let mode = permissions(path) { try file.setPermissions(mode) }
    if flushes { try file.flush() }
    try rename(newPath, to: path, calls)
    if flushes { try OpenFile(parentFolder(of: path), O_RDONLY, calls: calls).flush() }
  } catch {
    _ = calls.unlinkFile(newPath)
    throw error
  }
}

/// The names of what is in a folder, sorted; without `.` and `..`.
/// - Throws: `FileError` when it is missing, unreadable or no folder.
package func fileNames(in folder: String) throws(FileError) -> [String] {
  try requireUsable(folder, for: .read)
  guard let stream = unsafe opendir(folder) else { throw FileError(.read, folder, code: errno) }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  errno = 0
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != ".", name != ".." { names.append(name) }
    errno = 0
  }
  if errno != 0 { throw FileError(.read, folder, code: errno) }
  return names.sorted()
}

/// Removes an empty folder. A missing one is no error.
/// - Throws: `FileError` when it is there and cannot be removed, as when something is in it.
package func removeFolder(_ path: String) throws(FileError) {
  try requireUsable(path, for: .remove)
  if unsafe rmdir(path) != 0, errno != ENOENT { throw FileError(.remove, path, code: errno) }
}

/// Replaces the content of a file, or makes it with the usual permissions. Not crash-safe: that is `Journal`.
/// - Throws: `FileError` when the folder is missing, or the file cannot be written in full.
package func writeFile(_ bytes: [UInt8], to path: String) throws(FileError) {
  do throws(FileError) {
    try OpenFile(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666).writeAll(bytes)
  } catch {
    var error = error
    error.operation = .write
    throw error
  }
}

/// Writes over the content of a file that exists, where it stands: what needs no more room than it had can be written on a
/// full disk. A process that dies meanwhile leaves a part of each.
/// - Throws: `FileError` when it is not there or cannot be written in full.
package func overwriteFile(_ path: String, with bytes: [UInt8]) throws(FileError) {
  let file = try OpenFile(path, O_WRONLY)
  try file.writeAll(bytes)
  if ftruncate(file.descriptor, off_t(bytes.count)) != 0 { throw FileError(.write, path, code: errno) }
  try file.flush()
}

/// Whether anything exists at `path`, a link that leads nowhere included.
package func pathExists(_ path: String) -> Bool {
  var status = stat()
  guard !path.utf8.contains(0) else { return false }
  return unsafe lstat(path, &status) == 0
}

/// Whether an ordinary file exists at `path`; does not follow a symbolic link at its end.
package func regularFileExists(_ path: String) -> Bool {
  var status = stat()
  guard !path.utf8.contains(0), unsafe lstat(path, &status) == 0 else { return false }
  return status.st_mode & S_IFMT == S_IFREG
}

/// Whether something that is no folder exists at `path`; follows symbolic links.
package func fileExists(_ path: String) -> Bool { fileType(path).map { $0 != S_IFDIR } ?? false }

/// Whether a folder exists at `path`; follows symbolic links.
package func folderExists(_ path: String) -> Bool { fileType(path) == S_IFDIR }

/// Removes a file. A missing one is no error.
/// - Throws: `FileError` when the file is there and cannot be removed.
package func removeFile(_ path: String) throws(FileError) {
  try requireUsable(path, for: .remove)
  try remove(path, SystemCalls())
}

/// Makes a folder and the missing ones above it. An existing folder is no error.
/// - Throws: `FileError` naming the first folder that could not be made.
package func createFolder(_ path: String) throws(FileError) {
  try requireUsable(path, for: .createFolder)
  if folderExists(path) { return }
  let parent = parentFolder(of: path)
  if parent != path { try createFolder(parent) }
  if unsafe mkdir(path, 0o777) == 0 { return }
  let code = errno
  // Somebody else may have made it meanwhile.
  if code == EEXIST, folderExists(path) { return }
  throw FileError(.createFolder, path, code: code)
}

/// Makes a new folder that only this user can read, called `prefix` and six random characters.
/// - Throws: `FileError` when `folder` is missing or cannot be written.
package func createUniqueFolder(in folder: String = "/tmp", prefix: String) throws(FileError) -> String {
  let pattern = joinPath(folder, prefix + "XXXXXX")
  try requireUsable(pattern, for: .createFolder)
  var template = Array(pattern.utf8CString)
  let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return false }
    return unsafe mkdtemp(start) != nil
  }
  guard made else { throw FileError(.createFolder, pattern, code: errno) }
  return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Who may read, write and run what is at `path`, or nil when nothing is.
func permissions(_ path: String) -> mode_t? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}

/// What a new file may be used for, by whom, where nobody asks for less.
var usualPermissions: mode_t {
  // It can be asked for only by setting it: for this moment, to one that gives nothing away.
  let mask = umask(0o077)
  umask(mask)
  return 0o666 & ~mask
}

/// The file-type bits of what is at `path`, or nil when nothing is.
private func fileType(_ path: String) -> mode_t? {
  var status = stat()
  guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
  return status.st_mode & S_IFMT
}
