import LaunchHTTP
import LaunchTrace

/// A `Matching` made ready for the hosts of one recording.
struct MatchingRules: Sendable {
  let matching: Matching
  /// What is ignored, by the fingerprint of the host.
  private var trees: [Fingerprint: IgnoredTree] = [:]

  /// Requests to other hosts than those of `exchanges` cost more.
  init(_ matching: Matching, for exchanges: ExchangeList) {
    self.matching = matching
    for index in exchanges.indices {
      let host = exchanges.request(of: index).location.host
      let fingerprint = Fingerprint(host)
      if trees[fingerprint] == nil { trees[fingerprint] = tree(for: host, matching) }
    }
  }

  /// Where a request goes, its address taken for the recorded host it stands for.
  func location(of request: Request) -> Location {
    for map in matching.hosts {
      if let location = map.recordedLocation(of: request.location) { return location }
    }
    return request.location
  }

  /// What kind of a merged update `request` is; nil for any other request.
  func update(_ request: Request) -> MergedUpdate? {
    vendorUpdates.first { $0.covers(request, at: location(of: request)) }
  }

  /// What is compared of `request`.
  /// - Parameter isListing: Whether the fields are wanted one by one.
  func fields(of request: Request, isListing: Bool) -> RequestFields {
    let location = location(of: request)
    let ignored = trees[Fingerprint(location.host)] ?? tree(for: location.host, matching)
    var walk = FieldWalk(isListing: isListing)
    walk.add(request, at: location, ignoring: ignored, decode: matching.decode)
    return walk.result
  }
}

private func tree(for host: String, _ matching: Matching) -> IgnoredTree {
  let labels = host.split(separator: ".", omittingEmptySubsequences: false)
  return IgnoredTree((vendorFields + matching.ignored).filter { $0.applies(to: labels) })
}
