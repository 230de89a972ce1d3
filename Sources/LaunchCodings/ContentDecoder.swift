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
/// - `br`: RFC 7932, with a window of at most 16 MiB.
/// - `zstd`: any number of frames (RFC 8878), with a window of at most 8 MiB (RFC 9659).
/// - Up to five of them in a list, `gzip, br`: applied in that order, and undone from the last to the first.
///
/// Bytes after the end of the encoded data are ignored, as browsers and `gzip` do.
public final class ContentDecoder {
  /// The names of the codings being undone, in the order they were applied: `gzip, br`. nil for `identity`.
  public let encoding: String?

  /// The outermost coding first.
  private let layers: [DecodingLayer]
  private let maximumRatio: Int?
  private var encodedBytes = 0
  private var contentBytes = 0
  private var failure: CodingError?

  /// Up to this much content may be made of however little: what compresses better than that is mostly a bomb.
  public static let ratioFreeBytes = 16 << 20

  /// A decoder for the value of a Content-Encoding field, in any letter case; nil when it lists a coding that is not
  /// supported. `identity` and an empty list are decoders that change nothing.
  ///
  /// `limit` is how many bytes each coding may decode to altogether, of which the content is the last. Deflate grows
  /// up to 1,032-fold and brotli and zstd far more, so without a limit a small body could fill the memory. At most
  /// `limit` bytes of content and some 16 MiB for each coding are in memory at a time.
  ///
  /// `maximumRatio` is how many times as long as its encoded bytes content may be that is longer than `ratioFreeBytes`.
  /// Text of any kind stays below 30; whoever holds the content for a server that may be hostile gives up sooner by it.
  public init?(encoding: String, limit: Int = 256 << 20, maximumRatio: Int? = nil) {
    guard let codings = Coding.stack(encoding) else { return nil }
    self.maximumRatio = maximumRatio
    self.encoding = codings.encoding
    layers = codings.reversed().map { DecodingLayer($0, limit: limit) }
  }

  /// Takes the next encoded bytes and returns the content they complete, which may be empty.
  /// - Throws: `CodingError.corrupt`, `tooLarge`, or `outOfMemory`. After an error every further call throws it again.
  public func decode(_ bytes: ArraySlice<UInt8>) throws(CodingError) -> [UInt8] {
    var content = Pieces()
    try decode(bytes, into: &content)
    return content.joined
  }

  /// Takes the next encoded bytes and returns the content they complete, which may be empty.
  /// - Throws: as `decode(_:)` of a slice does.
  public func decode(_ bytes: [UInt8]) throws(CodingError) -> [UInt8] { try decode(bytes[...]) }

  /// Says that no more bytes come. No bytes at all are an empty content.
  /// - Throws: `CodingError.truncated` when the encoded data is not complete, or the error `decode` threw.
  public func finish() throws(CodingError) {
    if let failure { throw failure }
    for layer in layers { try layer.finish() }
  }

  /// Decodes content that is all there is, as far as that goes; nil when a coding of the list is not supported.
  ///
  /// For whoever has to know what stands in content that may be broken or cut off. `limit` is that of a decoder.
  public static func prefix(of bytes: [UInt8], encoding: String, limit: Int = 256 << 20) -> DecodedPrefix? {
    guard let codings = Coding.stack(encoding), let decoder = ContentDecoder(encoding: encoding, limit: limit) else {
      return nil
    }
    var content = Pieces()
    do throws(CodingError) {
      try decoder.decode(bytes[...], into: &content)
      try decoder.finish()
      return DecodedPrefix(content: content.joined, fault: nil, isRead: true)
    } catch {
      let isRead = error.isBehindContent(of: codings, encodedBytes: bytes.count)
      return DecodedPrefix(content: content.joined, fault: error, isRead: isRead)
    }
  }

  private func decode(_ bytes: ArraySlice<UInt8>, into content: inout Pieces) throws(CodingError) {
    if let failure { throw failure }
    do throws(CodingError) {
      encodedBytes += bytes.count
      try pass(bytes, through: layers[...], into: &content)
    } catch {
      failure = error
      throw error
    }
  }

  /// What one coding gives goes to the next in small pieces, so that only the content is ever in memory as a whole.
  private func pass(
    _ bytes: ArraySlice<UInt8>, through layers: ArraySlice<DecodingLayer>, into content: inout Pieces
  ) throws(CodingError) {
    guard let layer = layers.first else {
      contentBytes += bytes.count
      try checkRatio()
      content.append(bytes)
      return
    }
    try layer.decode(bytes) { piece throws(CodingError) in
      try pass(piece, through: layers.dropFirst(), into: &content)
    }
  }

  private func checkRatio() throws(CodingError) {
    guard let maximumRatio, contentBytes > Self.ratioFreeBytes else { return }
    let (most, overflow) = encodedBytes.multipliedReportingOverflow(by: maximumRatio)
    guard overflow || contentBytes <= most else { throw .tooLarge(limit: max(most, Self.ratioFreeBytes)) }
  }
}

/// Bytes that come piece by piece, and are put together once: an array that grows would take up to three times the room.
private struct Pieces {
  private var pieces: [[UInt8]] = []

  mutating func append(_ bytes: ArraySlice<UInt8>) { pieces.append(Array(bytes)) }

  var joined: [UInt8] {
    guard pieces.count > 1 else { return pieces.first ?? [] }
    var all: [UInt8] = []
    all.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { all += piece }
    return all
  }
}

extension CodingError {
  /// Whether all that the encoded bytes hold was decoded before this error.
  fileprivate func isBehindContent(of codings: [Coding], encodedBytes: Int) -> Bool {
    switch self {
    // Zstandard's content comes block by block, of up to 128 KiB: of one that is cut off nothing does (RFC 8878 section 3.1.1).
    case .truncated: !codings.contains(.zstd)
    // A checksum that is wrong stands behind the content: at most eight bytes of gzip (RFC 1952 section 2.3.1).
    case .corrupt(let offset): codings.count == 1 && encodedBytes - offset <= 8
    case .unsupported, .tooLarge, .outOfMemory: false
    }
  }
}
