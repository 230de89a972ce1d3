import LaunchHTTP

/// What Adapty's SDK puts into the headers (vendors.md 2.2).
extension RoutedRequest {
  /// The public key.
  func adaptyKey() throws(Refusal) -> String {
    let value = header("Authorization") ?? ""
    let key = value.dropFirst("Api-Key ".count)
    guard value.hasPrefix("Api-Key "), !key.isEmpty else {
      throw Refusal(401, "unauthorized", "Authorization has to be Api-Key and the public key")
    }
    return String(key)
  }

  /// Session-wide on the main and install-attribution hosts.
  func checkSDKHeaders() throws(Refusal) {
    for name in ["adapty-sdk-version", "adapty-sdk-session", "adapty-sdk-device-id"] {
      guard header(name)?.isEmpty == false else { throw Refusal(400, "invalid_request", "\(name) is missing") }
    }
    try check("adapty-sdk-platform", ["iOS"])
  }

  /// Session-wide on the main hosts.
  func checkMainHeaders() throws(Refusal) {
    try checkSDKHeaders()
    try check("adapty-sdk-store", ["app_store"])
    try check("adapty-sdk-observer-mode-enabled", ["true", "false"])
    try check("adapty-sdk-storekit2-enabled", ["enabled", "unavailable"])
  }

  /// The part of `key` that paths carry (vendors.md 2.1).
  func checkPrefix(of key: String) throws(Refusal) {
    guard key.prefix(while: { $0 != "." }) == self[0] else {
      throw Refusal(400, "invalid_request", "the path belongs to another key than Authorization")
    }
  }

  private func check(_ name: String, _ values: [String]) throws(Refusal) {
    guard values.contains(header(name) ?? "") else {
      throw Refusal(400, "invalid_request", "\(name) has to be \(values.joined(separator: " or "))")
    }
  }
}
