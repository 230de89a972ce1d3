#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file or pipe read block by block.
package struct FileBlocks: ~Copyable {
  private let file: OpenFile
  private let size: Int
  /// What was looked at and not yet given.
  private var seen: [UInt8]?
  private var count = 0

  /// - Parameter size: How many bytes a block has at most.
  /// - Throws: `FileError` when the path is missing or unreadable.
  package init(_ path: String, size: Int = 256 << 10) throws(FileError) {
    do throws(FileError) { file = try OpenFile(path, O_RDONLY) } catch {
      // Whoever asked to read need not know that opening comes first.
      var error = error
      error.operation = .read
      throw error
    }
    self.size = size
  }

  /// The next bytes, as many as are there; none at the end.
  /// - Throws: `FileError` when they cannot be read, as those of a folder, or when a device gives them without an end.
  package mutating func next() throws(FileError) -> [UInt8] {
    if let seen {
      self.seen = nil
      return seen
    }
    let block = try file.read(upTo: size)
    count += block.count
    try file.requireEnd(after: count)
    return block
  }

  /// What `next()` will give.
  package mutating func peek() throws(FileError) -> [UInt8] {
    let block = try next()
    seen = block
    return block
  }

  /// Everything that is left.
  /// - Throws: `FileError` as well when there is more than `limit`: a device may have no end.
  package mutating func readToEnd(limit: Int = 1 << 30) throws(FileError) -> [UInt8] {
    let block = try next()
    return block.isEmpty ? [] : try block + file.readToEnd(limit: limit)
  }
}
