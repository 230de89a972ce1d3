/// The part of a host's name that somebody registers: `example.com` of `www.example.com`.
///
/// The list of all public suffixes changes weekly and has ten thousand entries, so it is not built in. The last two labels
/// are taken, or three behind a suffix of two that many companies register under: the common ones of Argentina,
/// Australia, Brazil, China, Colombia, Hong Kong, India, Indonesia, Israel, Japan, Korea, Malaysia, Mexico, New Zealand,
/// Peru, the Philippines, Poland, Russia, Singapore, South Africa, Spain, Taiwan, Thailand, Turkey, Ukraine, the United
/// Kingdom and Vietnam. Behind another suffix of two labels, or at a host of many tenants such as `github.io`, the
/// answer is a label short.
enum RegistrableDomain {
  /// - Parameter host: In lower case.
  /// - Returns: Nil for an IP address, a single label, a bare suffix, and what is no name of a host.
  static func of(_ host: String) -> String? {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count >= 2, host.utf8.count <= 253, labels.allSatisfy(isLabel), !isIPv4(host) else { return nil }
    let isLong = suffixes.contains(labels.suffix(2).joined(separator: "."))
    guard labels.count >= (isLong ? 3 : 2) else { return nil }
    return labels.suffix(isLong ? 3 : 2).joined(separator: ".")
  }

  /// Whether the last label is a number, as in no domain's name (RFC 3696 section 2).
  static func isIPv4(_ host: String) -> Bool {
    host.split(separator: ".").last?.utf8.allSatisfy { (0x30...0x39).contains($0) } ?? false
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
      && label.utf8.allSatisfy { $0.isXMLNameByte && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "_") }
  }

  private static let suffixes: Set<String> = {
    let second: [(String, [String])] = [
      ("ar", ["com"]), ("au", ["com", "net", "org"]), ("br", ["com", "net"]), ("cn", ["com", "net", "org"]),
      ("co", ["com"]), ("es", ["com"]), ("hk", ["com"]), ("id", ["co"]), ("il", ["co", "org"]),
      ("in", ["co", "net", "org"]), ("jp", ["co", "ne", "or"]), ("kr", ["co", "or"]), ("mx", ["com"]), ("my", ["com"]),
      ("nz", ["co", "net", "org"]), ("pe", ["com"]), ("ph", ["com"]), ("pl", ["com", "net", "org"]), ("ru", ["com"]),
      ("sg", ["com"]), ("th", ["co"]), ("tr", ["com", "net"]), ("tw", ["com"]), ("ua", ["com"]),
      ("uk", ["co", "ltd", "me", "org", "plc"]), ("vn", ["com"]), ("za", ["co", "org"]),
    ]
    return Set(second.flatMap { top, labels in labels.map { "\($0).\(top)" } })
  }()
}
