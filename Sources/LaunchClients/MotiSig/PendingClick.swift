import LaunchJSON

/// A tap on a message that the server has not acknowledged yet.
///
/// Times count from the start of this process, so those of an earlier one are negative; on disk they are civil times.
package struct PendingClick: Hashable, Sendable {
  /// Grows with each click; its place on disk.
  package let number: Int
  package let messageID: String
  /// Whose click it is, as of the tap; nil when nobody was known then.
  package var userID: String?
  /// Whether the app was on the screen; nil when that is not known.
  package let isForeground: Bool?
  package let recorded: Duration
  /// How often it was sent, an attempt under way included.
  package var attempts = 0
  /// When it may be sent.
  package var due: Duration

  package init(number: Int, messageID: String, userID: String?, isForeground: Bool?, recorded: Duration) {
    self.number = number
    self.messageID = messageID
    self.userID = userID
    self.isForeground = isForeground
    self.recorded = recorded
    due = recorded
  }
}

extension PendingClick {
  /// Reads what an earlier process has left; nil when it is none.
  ///
  /// The clock may have been changed meanwhile: a click is never from the future, and never waits longer than a process
  /// would have made it wait.
  init?(number: Int, _ json: JSON, launchedAt launch: WallTime) {
    guard let messageID = json["message"]?.string else { return nil }
    func time(_ key: String, _ range: ClosedRange<Int64>) -> Duration {
      let time = json[key]?.integer ?? launch.milliseconds
      return .milliseconds(min(max(time, range.lowerBound), range.upperBound) - launch.milliseconds)
    }
    let now = max(0, launch.milliseconds)
    self.init(
      number: number, messageID: messageID, userID: json["user"]?.string, isForeground: json["foreground"]?.bool,
      recorded: time("recorded", 0...now))
    attempts = Int(clamping: max(0, json["attempts"]?.integer ?? 0))
    due = time("due", now...now + ClickQueue.longestWait.wholeMilliseconds)
  }

  func json(launchedAt launch: WallTime) -> JSON {
    var json: JSONObject = ["message": .string(messageID)]
    if let userID { json["user"] = .string(userID) }
    if let isForeground { json["foreground"] = .bool(isForeground) }
    json["recorded"] = .integer(launch.milliseconds + recorded.wholeMilliseconds)
    json["attempts"] = .integer(Int64(attempts))
    json["due"] = .integer(launch.milliseconds + due.wholeMilliseconds)
    return .object(json)
  }
}
