/// Applies a content encoding to content that comes in pieces.
///
/// ```swift
/// guard let encoder = ContentEncoder(encoding: "br") else { return }
/// send(try encoder.encode(firstPiece, flush: true))  // the client can decode all of it
/// send(try encoder.encode(secondPiece))
/// send(try encoder.finish())
/// ```
///
/// Knows the codings `ContentDecoder` does, and lists of them, at levels that suit content encoded while a client waits
/// for it. Equal calls give equal bytes: no time and no name is stored.
public final class ContentEncoder {
  /// The names of the codings being applied, in that order: `gzip, br`. nil for `identity`.
  public let encoding: String?

  private let codings: [Coding]
  private var layers: [EncodingLayer]?
  private var isFinished = false

  /// An encoder for the value of a Content-Encoding field, in any letter case; nil when it lists a coding that is not
  /// supported. `identity` and an empty list are encoders that change nothing.
  public init?(encoding: String) {
    guard let codings = Coding.stack(encoding) else { return nil }
    self.codings = codings
    self.encoding = codings.encoding
  }

  /// Takes the next content and returns encoded bytes, which may be none.
  ///
  /// - Parameter flush: Whether all content so far can be decoded from all bytes returned so far. Costs a few bytes each
  ///   time, and a compression that is a little worse. Flushing again without new content gives nothing.
  /// - Throws: `CodingError.outOfMemory`.
  /// - Precondition: `finish()` was not called.
  public func encode(_ bytes: ArraySlice<UInt8>, flush: Bool = false) throws(CodingError) -> [UInt8] {
    try pass(bytes, goal: flush ? .flush : .gather)
  }

  /// Takes the next content and returns encoded bytes, which may be none.
  /// - Throws: as `encode(_:flush:)` of a slice does.
  public func encode(_ bytes: [UInt8], flush: Bool = false) throws(CodingError) -> [UInt8] {
    try encode(bytes[...], flush: flush)
  }

  /// Returns the bytes that end the encoding.
  /// - Throws: `CodingError.outOfMemory`.
  /// - Precondition: `finish()` was not called.
  public func finish() throws(CodingError) -> [UInt8] {
    let end = try pass([], goal: .finish)
    isFinished = true
    return end
  }

  private func pass(_ bytes: ArraySlice<UInt8>, goal: CompressionGoal) throws(CodingError) -> [UInt8] {
    precondition(!isFinished, "this content was finished already")
    var bytes = bytes
    for layer in try madeLayers() { bytes = try layer.encode(bytes, goal: goal)[...] }
    return Array(bytes)
  }

  private func madeLayers() throws(CodingError) -> [EncodingLayer] {
    if let layers { return layers }
    var made: [EncodingLayer] = []
    for coding in codings { made.append(try EncodingLayer(coding)) }
    layers = made
    return made
  }
}

/// Encodes `content` as the value of a Content-Encoding field says: `gzip`, `deflate` in zlib's format, `br`, `zstd`,
/// `identity`, or a list of them, in any letter case.
///
/// Equal contents give equal bytes.
/// - Throws: `CodingError.unsupported` for any other encoding, `outOfMemory`.
public func encode(_ content: [UInt8], as encoding: String) throws(CodingError) -> [UInt8] {
  guard let encoder = ContentEncoder(encoding: encoding) else { throw .unsupported(encoding) }
  return try encoder.encode(content) + encoder.finish()
}

/// Encodes content that is sent in `pieces`, each of which the receiver can decode when it arrives.
///
/// Returns the encoded pieces, and behind them one that ends the encoding.
/// - Throws: as `encode(_:as:)` does.
public func encode(pieces: [ArraySlice<UInt8>], as encoding: String) throws(CodingError) -> [[UInt8]] {
  guard let encoder = ContentEncoder(encoding: encoding) else { throw .unsupported(encoding) }
  var encoded: [[UInt8]] = []
  for piece in pieces { encoded.append(try encoder.encode(piece, flush: true)) }
  return encoded + [try encoder.finish()]
}
