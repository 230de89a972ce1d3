/// The content codings a client takes (RFC 9110 section 12.5.3).
///
/// ```swift
/// let accepted = AcceptEncoding(["Accept-Encoding": "gzip, br;q=0, *;q=0.1"])
/// accepted.allows("gzip")     // true
/// accepted.allows("gzip, br") // false
/// accepted.allows("zstd")     // true: the star stands for it
/// ```
package struct AcceptEncoding: Hashable, Sendable {
  private struct Element: Hashable {
    var name: String
    var isAccepted: Bool
  }

  /// nil without a header, which accepts everything.
  private var elements: [Element]?

  /// Reads all `Accept-Encoding` lines of a request. An element whose weight cannot be read counts as not there.
  package init(_ fields: Fields) {
    elements = fields["Accept-Encoding"] == nil ? nil : fields.elements("Accept-Encoding").compactMap(Self.element)
  }

  /// Whether the client said anything about codings.
  package var isStated: Bool { elements != nil }

  /// Whether content in this encoding is acceptable: a coding, `identity`, or a list `gzip, br` all of whose codings
  /// must be. Letter case is ignored; `x-gzip` and `gzip` are one.
  ///
  /// `identity` is acceptable unless it, or else the star, has the weight 0.
  package func allows(_ encoding: String) -> Bool {
    let codings = contentCodings(in: encoding)
    return codings.isEmpty ? allows(coding: "identity") : codings.allSatisfy(allows(coding:))
  }

  private func allows(coding: String) -> Bool {
    guard let elements else { return true }
    let match = elements.first { $0.name == coding } ?? elements.first { $0.name == "*" }
    return match?.isAccepted ?? (coding == "identity")
  }

  private static func element(_ text: String) -> Element? {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let name = parts.first.map(contentCoding), !name.isEmpty else { return nil }
    let parameters = parts.dropFirst().map { parameter in
      String(decoding: parameter.utf8.filter { !$0.isBlank }, as: UTF8.self).lowercasedASCII
    }
    guard let weight = parameters.first(where: { $0.hasPrefix("q=") }) else {
      return Element(name: name, isAccepted: true)
    }
    return isPositive(weight.dropFirst(2)).map { Element(name: name, isAccepted: $0) }
  }

  /// Whether a weight is over 0; nil when it is no number.
  private static func isPositive(_ weight: Substring) -> Bool? {
    let parts = weight.utf8.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, !whole.isEmpty, parts.joined().allSatisfy(\.isDigit) else { return nil }
    return parts.joined().contains { $0 != 0x30 }
  }
}
