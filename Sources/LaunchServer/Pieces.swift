/// Bytes to be written one after the other: small ones gathered in one piece, large ones left where they are.
///
/// Copying a few kilobytes costs less than another system call; the content of a large answer is never copied.
struct Pieces: Equatable, Sendable {
  private var slices: [ArraySlice<UInt8>] = []
  /// Whether the last slice belongs to nobody else and may grow.
  private var isOpen = false

  /// From this size on bytes are shared, not copied.
  static let sharedBytes = 16 * 1024

  /// Adds bytes behind all others, and shares or copies them as their size demands.
  mutating func append(_ bytes: ArraySlice<UInt8>) {
    if bytes.count >= Self.sharedBytes {
      slices.append(bytes)
      isOpen = false
    } else if !bytes.isEmpty {
      gather(bytes)
    }
  }

  /// Adds a few bytes of our own.
  mutating func append(_ bytes: [UInt8]) {
    if !bytes.isEmpty, !isOpen {
      slices.append(bytes[...])
      isOpen = true
    } else {
      gather(bytes)
    }
  }

  private mutating func gather(_ bytes: some Collection<UInt8>) {
    if isOpen {
      slices[slices.count - 1].append(contentsOf: bytes)
    } else if !bytes.isEmpty {
      slices.append(Array(bytes)[...])
      isOpen = true
    }
  }
}

extension Pieces: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { slices.count }
  subscript(position: Int) -> ArraySlice<UInt8> { slices[position] }

  static func == (left: Pieces, right: Pieces) -> Bool { left.joined().elementsEqual(right.joined()) }
}
