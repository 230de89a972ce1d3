/// The content codings there are codecs for, by their registered names.
enum Coding: String {
  case gzip, deflate, br, zstd

  /// The coding of this name: letter case is ignored, and `x-gzip` means `gzip` (RFC 9110 section 8.4.1).
  init?(name: some StringProtocol) {
    switch name.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    case "br": self = .br
    case "zstd": self = .zstd
    default: return nil
    }
  }

  /// The codings that the value of a Content-Encoding field lists, in the order they were applied; `identity` is none.
  ///
  /// nil when there is no codec for one of them, or when there are more than five: nobody applies so many, and each costs
  /// memory.
  static func stack(_ encoding: String) -> [Coding]? {
    let names = encoding.split(separator: ",").map(\.trimmed)
      .filter { !$0.isEmpty && $0.lowercased() != "identity" }
    let codings = names.compactMap { Coding(name: $0) }
    return codings.count == names.count && codings.count <= 5 ? codings : nil
  }
}

extension [Coding] {
  /// The names as a Content-Encoding field lists them; nil when there are none.
  var encoding: String? { isEmpty ? nil : map(\.rawValue).joined(separator: ", ") }
}

extension Substring {
  /// This text without the blanks around it.
  fileprivate var trimmed: Substring {
    let start = drop { $0.isBlank }
    return start.dropLast(start.reversed().prefix { $0.isBlank }.count)
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}
