import LaunchFile

/// The folder beside a cassette that its large bodies stand in, `NAME.cassette.bodies`.
///
/// Its files are named by their content, so a new recording adds to them and takes nothing from an old cassette. What
/// only the old one referred to goes when the new one has its name.
struct BodyFolder {
  let path: String
  /// What the cassette being written refers to.
  private(set) var names: Set<String> = []
  /// Those of them that were not there before.
  private var created: Set<String> = []

  init(ofCassette cassette: String) { path = BodyFile.folder(ofCassette: cassette) }

  /// Puts a body on disk, whole or not at all, and safe from a power failure.
  mutating func store(_ name: String, _ bytes: [UInt8]) throws(FileError) {
    names.insert(name)
    let file = joinPath(path, name)
    if regularFileExists(file), (try? readFile(file)) == bytes { return }
    if !folderExists(path) { try createFolder(path) }
    try writeNewFile(bytes, to: file, flushes: true)
    created.insert(name)
  }

  func load(_ name: String) throws(FileError) -> [UInt8] { try readFile(joinPath(path, name)) }

  /// Takes back what was stored, except for those that `rest` still refers to: a recording that must not stay on disk, or
  /// was written anew. What an older cassette had there stays.
  mutating func removeStored(except rest: Set<String> = []) throws(FileError) {
    for name in created.subtracting(rest) {
      try removeFile(joinPath(path, name))
      created.remove(name)
    }
    names = rest
    if (try? fileNames(in: path))?.isEmpty == true { try removeFolder(path) }
  }

  /// Removes the bodies that nothing refers to, and the folder when none is left. What it cannot remove stays: a
  /// cassette that is whole already must not fail for a file too much.
  func removeOthers() {
    guard let files = try? fileNames(in: path) else { return }
    for name in files where !names.contains(name) { try? removeFile(joinPath(path, name)) }
    if names.isEmpty { try? removeFolder(path) }
  }
}
