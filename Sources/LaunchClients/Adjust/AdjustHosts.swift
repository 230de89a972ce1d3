import LaunchHTTP

/// Which of Adjust's hosts comes next (vendors.md 1.1).
///
/// The name in front says whether the user has agreed; the domain behind it is the one that answered last. A host that
/// does not answer makes way for the next at once, until all have been tried.
package struct AdjustHosts: Hashable, Sendable {
  package static let domains = ["adjust.com", "adjust.io"]

  private var choice = 0
  /// Where the round began.
  private var start = 0

  package init() {}

  /// The host for a request that leaves now.
  package func host(for status: ATTStatus) -> String {
    "\(status == .authorized ? "consent" : "analytics").\(Self.domains[choice])"
  }

  /// The host has answered: it stays.
  package mutating func keep() { start = choice }

  /// The host has not answered.
  /// - Returns: Whether another one is left; if not, the round has come back to its beginning.
  package mutating func moveOn() -> Bool {
    choice = (choice + 1) % Self.domains.count
    return choice != start
  }
}

extension TransportError {
  /// What the system's loading calls such a failure; Adjust is told it as `first_error` and `last_error`.
  var systemCode: Int64 {
    switch reason {
    case .dns: -1003
    case .refused, .connect: -1004
    case .tls: -1200
    case .timeout: -1001
    case .reset, .truncated: -1005
    case .protocol: -1017
    case .cancelled: -999
    case .unmatched: -1
    }
  }
}
