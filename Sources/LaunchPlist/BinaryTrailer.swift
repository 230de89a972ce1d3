/// The last 32 bytes of a binary property list, checked against its size.
struct BinaryTrailer {
  let offsetSize: Int
  let referenceSize: Int
  let objectCount: Int
  /// The number of the outermost object.
  let root: Int
  /// Where the table of offsets begins: behind the last object.
  let table: Int

  static let size = 32

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let start = bytes.count - Self.size
    // A header, an object and its place in the table.
    guard start >= 10 else {
      throw BinaryError.at(bytes.count, "the file ends too early; a binary property list ends with 32 bytes of trailer")
    }
    (offsetSize, referenceSize) = (Int(bytes[start + 6]), Int(bytes[start + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let objectCount = bytes.bigEndian(at: start + 8, size: 8), let root = bytes.bigEndian(at: start + 16, size: 8),
      let table = bytes.bigEndian(at: start + 24, size: 8)
    else { throw BinaryError.at(start, "the trailer has sizes that no file has; is the file cut?") }
    // The count is checked first: it is at most the size of the file, and the product fits.
    guard objectCount >= 1, objectCount <= start, table >= 9, table <= start,
      objectCount * offsetSize <= start - table
    else { throw BinaryError.at(start, "the table of offsets does not fit between the objects and the trailer") }
    guard root < objectCount else { throw BinaryError.at(start + 16, "there is no object \(root) to begin with") }
    (self.objectCount, self.root, self.table) = (objectCount, root, table)
  }
}

enum BinaryError {
  static let advice = "to convert the file: plutil -convert xml1 FILE"

  static func at(_ offset: Int, _ message: String) -> PropertyListError {
    PropertyListError(place: .byte(offset), message: message)
  }
}

extension [UInt8] {
  /// An unsigned number; nil when it lies outside the bytes or does not fit.
  func bigEndian(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size >= 0, size <= 8, offset <= count - size else { return nil }
    return Int(exactly: self[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
