/// Undoes one coding as the bytes arrive.
final class DecodingLayer {
  private enum Position {
    /// Nothing but `held` has been seen.
    case start
    case inside
    /// A member is complete, and `held` is what may begin another.
    case boundary
    /// Everything that follows is ignored.
    case over
  }

  private let coding: Coding
  private let limit: Int
  private var decompressor: (any Decompressor)?
  private var output = [UInt8](repeating: 0, count: stepBytes)
  private var position = Position.start
  /// Fewer bytes than tell what begins here.
  private var held: [UInt8] = []
  private var consumedBytes = 0
  private var producedBytes = 0

  init(_ coding: Coding, limit: Int) {
    self.coding = coding
    self.limit = limit
  }

  /// Gives `emit` the content that `bytes` complete, piece by piece, none of them empty.
  /// - Throws: `CodingError.corrupt`, `tooLarge` before a byte over the limit is given out, `outOfMemory`, and what
  ///   `emit` throws.
  func decode(
    _ bytes: ArraySlice<UInt8>, emit: (ArraySlice<UInt8>) throws(CodingError) -> Void
  ) throws(CodingError) {
    var rest = bytes
    while !rest.isEmpty {
      switch position {
      case .start, .boundary:
        guard held.count + rest.count >= coding.prefixBytes else {
          held += rest
          return
        }
        if !held.isEmpty {
          rest = (held + rest)[...]
          held = []
        }
        try begin(with: rest.prefix(coding.prefixBytes))
      case .inside:
        let isComplete = try decodeMember(&rest, emit: emit)
        if isComplete { position = coding.hasMembers ? .boundary : .over }
      case .over: return
      }
    }
  }

  /// Says that no more bytes come. No bytes at all are an empty content.
  /// - Throws: `CodingError.truncated` when the encoded data is not complete.
  func finish() throws(CodingError) {
    switch position {
    case .start where held.isEmpty, .boundary, .over: return
    case .start, .inside: throw .truncated(offset: consumedBytes + held.count)
    }
  }

  /// Begins a member whose first bytes are these, or finds that none begins.
  private func begin(with prefix: ArraySlice<UInt8>) throws(CodingError) {
    if coding.hasMembers, !coding.isSignature(prefix) {
      guard position == .boundary else { throw .corrupt(offset: consumedBytes) }
      position = .over
      return
    }
    decompressor = try makeDecompressor(for: prefix)
    position = .inside
  }

  private func makeDecompressor(for prefix: ArraySlice<UInt8>) throws(CodingError) -> any Decompressor {
    switch coding {
    case .gzip: try ZlibDecompressor(window: .gzip)
    case .deflate: try ZlibDecompressor(window: isZlibHeader(prefix) ? .zlib : .raw)
    case .br: try BrotliDecompressor()
    case .zstd: try ZstdDecompressor()
    }
  }

  /// Takes bytes from the front of `input`; true when the member is complete, otherwise all of them have been taken.
  private func decodeMember(
    _ input: inout ArraySlice<UInt8>, emit: (ArraySlice<UInt8>) throws(CodingError) -> Void
  ) throws(CodingError) -> Bool {
    guard let decompressor else { return false }
    while true {
      let step = unsafe input.withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { unsafe decompressor.step(input, into: $0) }
      }
      input = input.dropFirst(step.taken)
      consumedBytes += step.taken
      guard step.made <= limit - producedBytes else { throw .tooLarge(limit: limit) }
      producedBytes += step.made
      if step.made > 0 { try emit(output[..<step.made]) }
      switch step.state {
      case .complete: return true
      case .outOfMemory: throw .outOfMemory
      case .corrupt: throw .corrupt(offset: consumedBytes)
      case .going:
        if input.isEmpty && step.made < output.count { return false }
        guard step.taken > 0 || step.made > 0 else { throw .corrupt(offset: consumedBytes) }
      }
    }
  }
}

extension Coding {
  /// How many bytes tell what begins with them.
  fileprivate var prefixBytes: Int {
    switch self {
    case .br: 1
    case .gzip, .deflate: 2
    case .zstd: 4
    }
  }

  /// Whether the encoded data may be several members (gzip) or frames (zstd), one after the other.
  fileprivate var hasMembers: Bool { self == .gzip || self == .zstd }

  /// Whether a member begins with these bytes.
  fileprivate func isSignature(_ prefix: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .gzip: prefix.elementsEqual([0x1F, 0x8B])
    // A frame, or one to skip (RFC 8878 sections 3.1.1 and 3.1.2).
    case .zstd:
      prefix.elementsEqual([0x28, 0xB5, 0x2F, 0xFD])
        || (prefix.first.map { $0 >> 4 } == 5 && prefix.dropFirst().elementsEqual([0x2A, 0x4D, 0x18]))
    case .deflate, .br: false
    }
  }
}

/// RFC 1950 section 2.2. Bare compressed data never starts so: it would be a stored block with bits set in its padding,
/// which compressors leave zero.
private func isZlibHeader(_ prefix: ArraySlice<UInt8>) -> Bool {
  guard let first = prefix.first, let second = prefix.last else { return false }
  return first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
}
