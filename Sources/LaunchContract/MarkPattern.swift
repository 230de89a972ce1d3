import LaunchJSON

/// Which marks a `mark` declaration means.
struct MarkPattern: Hashable, Sendable {
  /// One of them is the mark's text.
  var texts: [String]
  /// All of them hold.
  var conditions: [Condition] = []

  /// Whether a mark with one of the texts is meant.
  func accepts(_ fields: JSONObject) -> Bool { conditions.allSatisfy { $0.holds(for: fields) } }
}
