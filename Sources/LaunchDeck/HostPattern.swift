/// Hosts, as in `api.example.com`, `*.example.com` and `**.example.com`: `*` is one label and `**` any number.
struct HostPattern: Hashable, Sendable {
  private let labels: [Substring]

  /// Nil for what can be no host.
  init?(_ text: some StringProtocol) {
    let labels = String(text).lowercased().split(separator: ".", omittingEmptySubsequences: false)
    let areSound = labels.allSatisfy { !$0.isEmpty && ($0 == "*" || $0 == "**" || !$0.contains("*")) }
    guard areSound, !text.contains("/") else { return nil }
    self.labels = labels
  }

  /// - Parameter host: Its labels.
  func fits(_ host: [Substring]) -> Bool { Self.fits(host[...], labels[...]) }

  private static func fits(_ labels: ArraySlice<Substring>, _ pattern: ArraySlice<Substring>) -> Bool {
    guard let first = pattern.first else { return labels.isEmpty }
    let rest = pattern.dropFirst()
    if first == "**" { return (labels.startIndex...labels.endIndex).contains { fits(labels[$0...], rest) } }
    guard let label = labels.first, first == "*" || first == label else { return false }
    return fits(labels.dropFirst(), rest)
  }
}
