import LaunchHTTP

/// A recorded host and the address that a replayed app reaches it at.
struct HostMap: Hashable, Sendable {
  /// The recorded one; only scheme, host and port count.
  private let recorded: Location
  private let live: Location
  private let isAnyScheme: Bool

  init(_ text: String) throws(MatchingError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw MatchingError(text, "write HOST=ADDRESS, as in api.onesignal.com=127.0.0.1:9001")
    }
    recorded = try parsed(parts[0], scheme: "https", of: text)
    live = try parsed(parts[1], scheme: "http", of: text)
    isAnyScheme = !parts[1].contains("://")
  }

  /// `api.onesignal.com`, with scheme and port where they are not the usual ones.
  var host: String { recorded.scheme == "https" ? recorded.authority : "\(recorded.scheme)://\(recorded.authority)" }
  var address: String { live.authority }

  func hasAddress(of other: HostMap) -> Bool {
    live.authority == other.live.authority && (isAnyScheme || other.isAnyScheme || live.scheme == other.live.scheme)
  }

  /// The recorded location that a request to `location` means; nil when it goes to another address.
  func recordedLocation(of location: Location) -> Location? {
    guard location.host == live.host, isAnyScheme || location.scheme == live.scheme else { return nil }
    guard location.port == live.port || location.effectivePort == live.port(for: location.scheme) else { return nil }
    var mapped = location
    (mapped.scheme, mapped.host, mapped.port) = (recorded.scheme, recorded.host, recorded.port)
    return mapped
  }
}

private func parsed(_ part: Substring, scheme: String, of text: String) throws(MatchingError) -> Location {
  let location: Location
  do throws(LocationError) {
    location = try Location(parsing: part.contains("://") ? String(part) : "\(scheme)://\(part)")
  } catch {
    throw MatchingError(text, "'\(part)' is no host, with or without a port")
  }
  guard location.path == "/", location.query == nil else {
    throw MatchingError(text, "'\(part)' has a path; only hosts are mapped")
  }
  return location
}

extension Location {
  var effectivePort: Int { port(for: scheme) }

  /// The port, or the usual one of `scheme`.
  fileprivate func port(for scheme: String) -> Int { port ?? (scheme == "https" ? 443 : 80) }
}
