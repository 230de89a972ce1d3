import LaunchHTTP

/// A `Matching` made ready for the hosts of one recording.
struct MatchingRules: Sendable {
  let matching: Matching
  /// What is ignored, by host.
  private let trees: [String: IgnoredTree]

  /// - Parameter hosts: Those of the recording; others cost more.
  init(_ matching: Matching, hosts: Set<String>) {
    self.matching = matching
    trees = Dictionary(uniqueKeysWithValues: hosts.map { ($0, tree(for: $0, matching)) })
  }

  /// Where a request goes, its address taken for the recorded host it stands for.
  func location(of request: Request) -> Location {
    for map in matching.hosts {
      if let location = map.recordedLocation(of: request.location) { return location }
    }
    return request.location
  }

  /// What is compared of `request`.
  func fields(of request: Request) -> RequestFields {
    let location = location(of: request)
    let ignored = trees[location.host] ?? tree(for: location.host, matching)
    return RequestFields(request, at: location, ignoring: ignored, decode: matching.decode)
  }
}

private func tree(for host: String, _ matching: Matching) -> IgnoredTree {
  let labels = host.split(separator: ".", omittingEmptySubsequences: false)
  return IgnoredTree((vendorFields + matching.ignored).filter { $0.applies(to: labels) })
}
