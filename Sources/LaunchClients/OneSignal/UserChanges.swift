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

  /// The body of an update (vendors.md 3.2, call 4).
  package var json: JSON {
    var body: JSONObject = [
      "properties": .object(tags.isEmpty ? [:] : ["tags": .object(tags)]), "refresh_device_metadata": false,
    ]
    if sessionCount > 0 { body["deltas"] = ["session_count": .integer(sessionCount)] }
    return .object(body)
  }
}
