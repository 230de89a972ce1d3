/// Undoes a content encoding as the bytes arrive.
///
/// ```swift
/// guard let decoder = ContentDecoder(encoding: "gzip") else { return wire }
/// var content = try decoder.decode(firstPiece)
/// content += try decoder.decode(secondPiece)
/// try decoder.finish()
/// ```
///
/// The content is the same however the encoded bytes are cut. Each piece gives all the content it completes, so a
/// stream that its sender flushes can be read as it grows.
///
/// - `gzip` and `x-gzip`: any number of members one after the other (RFC 1952 section 2.2), checksums verified.
/// - `deflate`: zlib's format, as RFC 9110 section 8.4.1.2 says, and the bare compressed data many servers send
///   instead.
///
/// Bytes after the end of the encoded data are ignored, as browsers and `gzip` do.
public final class ContentDecoder {
  /// The name of the encoding being undone: `gzip` or `deflate`.
  public var encoding: String { format.rawValue }

  private enum Position {
    /// Nothing but `held` has been seen of this member.
    case start
    case inside
    /// A member is complete, and `held` is what may begin another.
    case boundary
    /// Everything that follows is ignored.
    case over
  }

  private let format: Format
  private let inflater: Inflater
  private var position = Position.start
  /// At most one byte: formats are told apart by the first two.
  private var held: [UInt8] = []
  private var failure: CodingError?

  /// A decoder for `encoding`, in any letter case; nil when it is not supported, and for `identity`.
  ///
  /// `limit` is how many bytes of content may come out altogether. A deflate stream grows up to 1,032-fold, so without
  /// a limit a small body could fill the memory.
  public init?(encoding: String, limit: Int = 256 << 20) {
    guard let format = Format(encoding: encoding) else { return nil }
    self.format = format
    inflater = Inflater(limit: limit)
  }

  /// Takes the next encoded bytes and returns the content they complete, which may be empty.
  /// - Throws: `CodingError.corrupt`, `tooLarge`, or `outOfMemory`. After an error every further call throws it again.
  public func decode(_ bytes: [UInt8]) throws(CodingError) -> [UInt8] {
    if let failure { throw failure }
    do {
      return try decodeNext(bytes)
    } catch {
      failure = error
      throw error
    }
  }

  /// Says that no more bytes come. No bytes at all are an empty content.
  /// - Throws: `CodingError.truncated` when the encoded data is not complete, or the error `decode` threw.
  public func finish() throws(CodingError) {
    if let failure { throw failure }
    switch position {
    case .start where held.isEmpty, .boundary, .over: return
    case .start, .inside: throw .truncated(offset: inflater.consumedBytes + held.count)
    }
  }

  private func decodeNext(_ bytes: [UInt8]) throws(CodingError) -> [UInt8] {
    var content: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      switch position {
      case .start, .boundary:
        guard held.count + rest.count >= 2 else {
          held += rest
          return content
        }
        if !held.isEmpty {
          rest = (held + rest)[...]
          held = []
        }
        try begin(with: rest.prefix(2))
      case .inside:
        let isComplete = try inflater.inflate(&rest, into: &content)
        if isComplete { position = format == .gzip ? .boundary : .over }
      case .over:
        rest = []
      }
    }
    return content
  }

  /// Begins a member whose first two bytes are these, or finds that none begins.
  private func begin(with prefix: ArraySlice<UInt8>) throws(CodingError) {
    let isGzip = prefix.elementsEqual([0x1F, 0x8B])
    switch (format, position) {
    case (.gzip, .boundary) where !isGzip:
      position = .over
      return
    case (.gzip, _): try inflater.begin(window: Window.gzip)
    case (.deflate, _): try inflater.begin(window: Self.isZlibHeader(prefix) ? Window.zlib : Window.raw)
    }
    position = .inside
  }

  /// RFC 1950 section 2.2. Bare compressed data never starts so: it would be a stored block with bits set in its
  /// padding, which compressors leave zero.
  private static func isZlibHeader(_ prefix: ArraySlice<UInt8>) -> Bool {
    guard let first = prefix.first, let second = prefix.last else { return false }
    return first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
  }
}
