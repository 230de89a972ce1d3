package import LaunchJSON

/// What changed about a user and has not been sent yet: the merged operations of one flush (vendors.md 3.4).
package struct UserChanges: Hashable, Sendable {
  /// In the order in which they were first set; a later value replaces an earlier one in place.
  package var tags: JSONObject = [:]
  package var sessionCount: Int64 = 0

  package init(tags: JSONObject = [:], sessionCount: Int64 = 0) {
    self.tags = tags
    self.sessionCount = sessionCount
  }

  package var isEmpty: Bool { tags.isEmpty && sessionCount == 0 }

  /// The body of an update (vendors.md 3.2, call 4). What did not change is left out; a new session makes the server
  /// look at the device again.
  package var json: JSON {
    var body: JSONObject = [:]
    if !tags.isEmpty { body["properties"] = ["tags": .object(tags)] }
    body["refresh_device_metadata"] = .bool(sessionCount > 0)
    if sessionCount > 0 { body["deltas"] = ["session_count": .integer(sessionCount)] }
    return .object(body)
  }

  /// What `json` says, as far as it is the body of an update: how the changes are kept on disk.
  package init(_ json: JSON?) {
    tags = json?["properties"]?["tags"]?.object ?? [:]
    sessionCount = max(0, json?["deltas"]?["session_count"]?.integer ?? 0)
  }
}
