extension JSON {
  /// Whether `bytes` are one JSON value exactly as `JSONWriter` writes it: parsing and serialising gives them back.
  /// - Parameter depthLimit: How many arrays and objects may stand inside each other.
  package static func isCompact(_ bytes: [UInt8], depthLimit: Int = JSONReader.depthLimit) -> Bool {
    let input = JSONInput(bytes: bytes, end: bytes.count)
    guard let value = input.skim(at: 0, depthLimit: depthLimit) else { return false }
    return value.isCompact && value.end == bytes.count
  }

  /// Where the JSON value that begins at `start` ends, behind white space or at once; nil when none is there.
  package static func endOfValue(in bytes: [UInt8], from start: Int) -> Int? {
    JSONInput(bytes: bytes, end: bytes.count).skim(at: start, depthLimit: JSONReader.depthLimit)?.end
  }
}
