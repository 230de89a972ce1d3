import LaunchHTTP
package import LaunchTrace

/// What `Matching` says about a recording that has no such thing: mostly a slip of the pen, and a silent one.
extension Matching {
  /// The ignored fields that no recorded request has.
  ///
  /// A request of the app may have one all the same, so this is worth a warning and no more.
  /// - Complexity: O(fields × exchanges) walks over a request at worst; each field's end with the first request that has it.
  package func absentFields(in exchanges: [Exchange]) -> [IgnoredField] {
    ignored.filter { field in
      let ignoring = IgnoredTree([field])
      return !exchanges.contains { exchange in
        let labels = exchange.request.location.host.split(separator: ".", omittingEmptySubsequences: false)
        return field.applies(to: labels)
          && fingerprint(of: exchange, ignoring: ignoring) != fingerprint(of: exchange, ignoring: .none)
      }
    }
  }

  /// The calls with a policy of their own that were not recorded, in order.
  package func absentCalls(in exchanges: [Exchange]) -> [Int] {
    Set(repeatsOfCalls.keys).subtracting(exchanges.map(\.call)).sorted()
  }

  private func fingerprint(of exchange: Exchange, ignoring ignored: IgnoredTree) -> Fingerprint {
    var walk = FieldWalk(isListing: false)
    walk.add(exchange.request, at: exchange.request.location, ignoring: ignored, decode: decode)
    return walk.result.fingerprint
  }
}
