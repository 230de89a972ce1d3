public import LaunchFile

extension Cassette {
  /// Writes the cassette to `path`, its large bodies beside it, as a recording would have left it: an older cassette stays
  /// whole until the new one is.
  /// - Parameter replaces: Whether a file at `path` may be replaced.
  /// - Throws: `FileError` of the step that failed; what was at `path` is then as it was.
  public func write(to path: String, replaces: Bool = false) throws(FileError) {
    let journal = try Journal(path: path, replaces: replaces)
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
