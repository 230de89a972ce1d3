/// The address that Apple sends copies of postbacks to: `https://example.com`, of which only the registrable domain
/// counts (vendors.md 7.2, P6 and P7).
struct Endpoint {
  enum Fault: Hashable {
    /// It is no address of that form.
    case form(String)
    /// It has something that no endpoint may have.
    case part(String)
    /// It has something that is ignored.
    case doubt(String)
  }

  /// Each a sentence whose subject is the key.
  private(set) var faults: [Fault] = []
  /// The registrable domain in lower case; nil when the address has none.
  private(set) var domain: String?

  init(_ text: String) {
    guard !text.contains(where: \.isWhitespace), !text.isEmpty else {
      let trimmed = text.trimmingBlanks
      let hint =
        trimmed.isEmpty || trimmed.contains(where: \.isWhitespace) ? "https://example.com" : String(trimmed.prefix(80))
      faults.append(.form("\(trimmed.isEmpty ? "is blank" : "has blanks in it"); write \(hint)"))
      return
    }
    guard let separator = text.firstRange(of: "://") else {
      faults.append(.form("\(text.quoted) does not begin with https://; write https://\(Self.bareHost(of: text))"))
      return
    }
    let rest = text[separator.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    let name = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let host = name.prefix { $0 != ":" }.lowercased()
    let registrable = RegistrableDomain.of(host)
    let advice = "write https://\(registrable ?? "example.com")"
    let scheme = text[..<separator.lowerBound]
    if scheme.lowercased() != "https" { faults.append(.form("has the scheme \(String(scheme).quoted); \(advice)")) }
    guard let registrable else {
      faults.append(.form("\(text.quoted) has no domain that somebody can own: \(Self.fault(ofHost: host)); \(advice)"))
      return
    }
    domain = registrable
    if authority.contains("@") { faults.append(.part("has a user name in it, which is not allowed; \(advice)")) }
    if name.contains(":") { faults.append(.part("has a port, which is not allowed; \(advice)")) }
    check(rest.dropFirst(authority.count), advice)
    if host != registrable {
      faults.append(.doubt("names \(host.quoted), of which only '\(registrable)' is used; \(advice)"))
    }
  }

  /// What stands behind the host.
  private mutating func check(_ tail: Substring, _ advice: String) {
    let path = tail.prefix { !"?#".contains($0) }
    if path == "/" {
      faults.append(.doubt("ends with '/', which is ignored; \(advice)"))
    } else if !path.isEmpty {
      faults.append(.part("has the path \(String(path).quoted); Apple appends its own: \(advice)"))
    }
    let query = tail.dropFirst(path.count).prefix { $0 != "#" }
    if !query.isEmpty { faults.append(.part("has a query, which is not allowed; \(advice)")) }
    if tail.contains("#") { faults.append(.part("has a fragment, which is not allowed; \(advice)")) }
  }

  /// What to write behind `https://` for a text that has no scheme.
  private static func bareHost(of text: String) -> String {
    let host = text.drop { $0 == "/" || $0 == ":" }.prefix { !"/?#:".contains($0) }.lowercased()
    return RegistrableDomain.of(host) ?? "example.com"
  }

  private static func fault(ofHost host: String) -> String {
    if host.isEmpty { return "the host is missing" }
    if host.hasPrefix("[") || RegistrableDomain.isIPv4(host) { return "it is an IP address" }
    if host.utf8.contains(where: { $0 >= 0x80 }) { return "the host must be in its ASCII form, xn--…" }
    return "\(host.quoted) is no domain name"
  }
}
