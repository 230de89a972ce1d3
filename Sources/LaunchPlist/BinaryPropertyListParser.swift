/// Reads a `bplist00`: objects, a table of their offsets, and a trailer that says where the table is.
///
/// Each object is read once, however often it is used; one that contains itself is refused.
struct BinaryPropertyListParser {
  private let bytes: [UInt8]
  private let trailer: BinaryTrailer
  private var known: [Int: Parsed] = [:]
  /// Those that are being read: the way from the root.
  private var open: Set<Int> = []

  private struct Parsed {
    var value: PropertyListValue
    /// How deep it nests, itself included.
    var depth = 1
    /// Of how many values it consists, itself included, when each use of one counts.
    var valueCount = 1
  }

  /// - Throws: `PropertyListError` when the header, the trailer or the table do not fit the file.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.starts(with: "bplist00".utf8) else {
      let version = String(decoding: bytes.dropFirst(6).prefix(2), as: UTF8.self)
      throw BinaryError.at(6, "version '\(version)' of the binary form is not read, only '00'; \(BinaryError.advice)")
    }
    self.bytes = bytes
    trailer = try BinaryTrailer(bytes)
  }

  mutating func root() throws(PropertyListError) -> PropertyListValue {
    try object(trailer.root, depth: 1, usedAt: bytes.count - 16).value
  }

  private mutating func object(_ number: Int, depth: Int, usedAt place: Int) throws(PropertyListError) -> Parsed {
    if let parsed = known[number] { return parsed }
    guard number < trailer.objectCount else {
      throw BinaryError.at(place, "object \(number) is used, and there are \(trailer.objectCount)")
    }
    guard depth <= PropertyList.depthLimit else {
      throw BinaryError.at(place, "values are nested more than \(PropertyList.depthLimit) deep")
    }
    guard open.insert(number).inserted else { throw BinaryError.at(place, "object \(number) contains itself") }
    defer { open.remove(number) }
    let entry = trailer.table + number * trailer.offsetSize
    guard let start = bytes.bigEndian(at: entry, size: trailer.offsetSize), start >= 8, start < trailer.table else {
      throw BinaryError.at(entry, "the offset of object \(number) leads out of the objects")
    }
    var reader = BinaryObjectReader(
      bytes: bytes, offset: start, end: trailer.table, referenceSize: trailer.referenceSize)
    let parsed = try parse(&reader, depth: depth)
    guard parsed.depth <= PropertyList.depthLimit else {
      throw BinaryError.at(start, "values are nested more than \(PropertyList.depthLimit) deep")
    }
    guard parsed.valueCount <= valueLimit else {
      throw BinaryError.at(start, "this unfolds to more than \(valueLimit) values")
    }
    known[number] = parsed
    return parsed
  }

  private mutating func parse(
    _ reader: inout BinaryObjectReader, depth: Int
  ) throws(PropertyListError) -> Parsed {
    let start = reader.offset
    switch try reader.object() {
    case .value(let content): return Parsed(value: PropertyListValue(content))
    case .array(let references):
      var parsed = Parsed(value: PropertyListValue(.null))
      var elements: [PropertyListValue] = []
      for reference in references {
        elements.append(try child(reference, depth: depth, usedAt: start, of: &parsed))
      }
      parsed.value.content = .array(elements)
      return parsed
    case .dictionary(let keys, let values):
      var parsed = Parsed(value: PropertyListValue(.null))
      var members: [PropertyListValue.Member] = []
      for (key, value) in zip(keys, values) {
        guard let key = try child(key, depth: depth, usedAt: start, of: &parsed).string else {
          throw BinaryError.at(start, "a key of this dictionary is no string")
        }
        members.append(.init(key: key, value: try child(value, depth: depth, usedAt: start, of: &parsed)))
      }
      parsed.value.content = .dictionary(members)
      return parsed
    }
  }

  private mutating func child(
    _ number: Int, depth: Int, usedAt place: Int, of parent: inout Parsed
  ) throws(PropertyListError) -> PropertyListValue {
    let child = try object(number, depth: depth + 1, usedAt: place)
    parent.depth = max(parent.depth, child.depth + 1)
    // Neither is over the limit, so that the sum fits.
    parent.valueCount += child.valueCount
    guard parent.valueCount <= valueLimit else {
      throw BinaryError.at(place, "this unfolds to more than \(valueLimit) values")
    }
    return child.value
  }
}

/// More than any property list of an app has; what unfolds to more is built to fill the memory.
private let valueLimit = 1_000_000
