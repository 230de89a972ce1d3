/// Why content could not be encoded or decoded.
public enum CodingError: Error, Hashable, Sendable {
  /// There is no codec for the encoding of this name.
  case unsupported(String)
  /// The bytes are not in the encoding they claim; the offset counts the encoded bytes understood so far.
  case corrupt(offset: Int)
  /// The encoded bytes end, after `offset` of them, before the encoding does.
  case truncated(offset: Int)
  /// The content would be longer than the limit, in bytes: a decompression bomb, or a limit set too low.
  case tooLarge(limit: Int)
  /// The codec could not get memory.
  case outOfMemory
}

extension CodingError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unsupported(let name): "the content encoding “\(name)” is not supported"
    case .corrupt(let offset): "the encoded content is corrupt after \(offset) bytes"
    case .truncated(let offset): "the encoded content ends too early, after \(offset) bytes"
    case .tooLarge(let limit): "the decoded content is longer than \(limit) bytes"
    case .outOfMemory: "there is not enough memory to code the content"
    }
  }
}
