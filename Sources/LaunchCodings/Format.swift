/// The two encodings zlib knows, by what their streams look like.
enum Format: String {
  case gzip, deflate

  /// The format an encoding name stands for: letter case is ignored, and `x-gzip` means `gzip` (RFC 9110 section 8.4.1).
  init?(encoding: String) {
    switch encoding.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    default: return nil
    }
  }
}

/// The `windowBits` argument of zlib: a size of window, and what stands around the compressed data.
enum Window {
  static let gzip: Int32 = 15 + 16
  static let zlib: Int32 = 15
  static let raw: Int32 = -15
}
