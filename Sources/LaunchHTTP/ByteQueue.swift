/// Bytes that arrived and were not read yet.
struct ByteQueue: Sendable {
  private var bytes: [UInt8] = []
  private var start = 0
  /// No line feed stands between `start` and here: a line that arrives byte by byte is searched once.
  private var searched = 0
  /// Where the first unread byte stands in the whole stream.
  private(set) var offset = 0

  var count: Int { bytes.count - start }
  var unread: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      (start, searched) = (0, 0)
    } else if start > bytes.count / 2 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Takes `expected` and its length off `budget` when the next bytes are the same and none of them is missing yet.
  mutating func take(_ expected: [UInt8], within budget: inout Int) -> Bool {
    guard expected.count <= min(count, budget), hasNext(expected) else { return false }
    budget -= expected.count
    skip(expected.count)
    return true
  }

  private func hasNext(_ expected: [UInt8]) -> Bool {
    let next = bytes.span.extracting(start..<start + expected.count)
    let expected = expected.span
    return expected.indices.allSatisfy { next[$0] == expected[$0] }
  }

  /// Takes the next bytes, at most `limit` of them; nil when there are none.
  mutating func take(upTo limit: Int) -> [UInt8]? {
    guard count > 0 else { return nil }
    let taken = Array(unread.prefix(limit))
    skip(taken.count)
    return taken
  }

  /// Takes the next line without its CRLF, and its length off `budget`; nil while its end has not arrived.
  /// - Throws: `oversizedHead` for a line longer than `budget`, `bareLineFeed` for one that ends without CR.
  mutating func line(within budget: inout Int) throws(CodecError) -> ArraySlice<UInt8>? {
    let end = bytes[searched...].firstIndex(of: lineFeed)
    let length = end.map { $0 + 1 - start } ?? count
    guard length <= budget else { throw CodecError(.oversizedHead, at: offset) }
    guard let end else {
      searched = bytes.count
      return nil
    }
    guard length > 1, bytes[end - 1] == carriageReturn else { throw CodecError(.bareLineFeed, at: offset + length - 1) }
    let line = bytes[start..<end - 1]
    budget -= length
    skip(length)
    return line
  }

  private mutating func skip(_ length: Int) {
    start += length
    offset += length
    searched = start
  }
}

let carriageReturn: UInt8 = 0x0D
let lineFeed: UInt8 = 0x0A
