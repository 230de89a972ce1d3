public import LaunchFile

extension Cassette {
  /// Writes the cassette to `path`, its large bodies beside it, as a recording would have left it: an older cassette stays
  /// whole until the new one is.
  /// - Parameter replaces: Whether a file at `path` may be replaced.
  /// - Throws: `FileError` of the step that failed; what was at `path` is then as it was.
  public func write(to path: String, replaces: Bool = false) throws(FileError) {
    try write(to: path, replaces: replaces, isPrivate: true)
  }

  /// The same.
  /// - Parameter isPrivate: Whether the file is for this user only, as a recording is; else it has the permissions of the
  ///   one that it replaces, or those of any new file.
  package func write(to path: String, replaces: Bool, isPrivate: Bool) throws(FileError) {
    let journal = try Journal(path: path, replaces: replaces, isPrivate: isPrivate)
    var bodies = BodyFolder(ofCassette: path)
    do throws(FileError) {
      let bytes = try serialized { (name, bytes) throws(FileError) in try bodies.store(name, bytes) }
      try journal.commit(appending: bytes)
      try journal.close()
    } catch {
      try? journal.discard()
      try? bodies.removeStored()
      throw error
    }
    bodies.removeOthers()
  }
}
