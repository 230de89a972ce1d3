package import LaunchJSON

/// When a launch is a new session of the same user, and what it says about the last one (vendors.md 1.4).
package struct AdjustActivity: Hashable, Sendable {
  /// A launch later than this after the last activity is a new session, in milliseconds.
  package static let sessionGap: Int64 = 30 * 60 * 1000
  /// A launch later than this is a sub-session, in milliseconds.
  package static let subsessionGap: Int64 = 1000

  /// What coming to the foreground begins.
  package enum Beginning: Hashable, Sendable { case session, subsession, nothing }

  package private(set) var sessionCount: Int64 = 1
  /// The counters of a first session are still negative inside the SDK, and it drops those (vendors.md 1.2).
  package private(set) var subsessionCount: Int64 = -1
  /// From the first activity of the session to its last, in milliseconds.
  package private(set) var sessionLength: Int64 = -1
  /// The part of it in the foreground, in milliseconds.
  package private(set) var timeSpent: Int64 = -1
  package private(set) var lastActivity: WallTime
  /// What Adjust has last been told about tracking.
  package var trackingStatus: ATTStatus
  /// Whether the server wanted to be asked for the attribution, and has not been.
  package var isAskingAttribution = false

  /// The first session; it has no counters before it is `counted`.
  package init(at now: WallTime, trackingStatus: ATTStatus) {
    lastActivity = now
    self.trackingStatus = trackingStatus
  }

  /// The app has come to the foreground. A session's package still tells the counters of the one before: `counted` is
  /// for afterwards.
  package mutating func begin(at now: WallTime) -> Beginning {
    let elapsed = elapsed(until: now)
    if elapsed > Self.sessionGap {
      sessionCount = sessionCount.saturatedSum(1)
      return .session
    }
    // A clock that was set back begins nothing.
    if elapsed < 0 { lastActivity = now }
    guard elapsed > Self.subsessionGap else { return .nothing }
    subsessionCount = subsessionCount.saturatedSum(1)
    sessionLength = sessionLength.saturatedSum(elapsed)
    lastActivity = now
    return .subsession
  }

  /// The session's package is made: counting starts.
  package mutating func counted(at now: WallTime) {
    (subsessionCount, sessionLength, timeSpent) = (1, 0, 0)
    lastActivity = now
  }

  /// The app is or was in the foreground until now.
  package mutating func note(at now: WallTime) {
    let elapsed = elapsed(until: now)
    guard elapsed <= Self.sessionGap else { return }
    lastActivity = now
    guard elapsed > 0 else { return }
    sessionLength = sessionLength.saturatedSum(elapsed)
    timeSpent = timeSpent.saturatedSum(elapsed)
  }

  private func elapsed(until now: WallTime) -> Int64 {
    now.milliseconds.saturatedDifference(lastActivity.milliseconds)
  }
}

extension AdjustActivity {
  /// As the store keeps it.
  package var json: JSON {
    [
      "session_count": .integer(sessionCount), "subsession_count": .integer(subsessionCount),
      "session_length": .integer(sessionLength), "time_spent": .integer(timeSpent),
      "last_activity": .integer(lastActivity.milliseconds), "att_status": .integer(Int64(trackingStatus.rawValue)),
      "asking": .bool(isAskingAttribution),
    ]
  }

  /// Nil when `json` tells no activity: the next launch is then a first one.
  package init?(_ json: JSON?) {
    guard let json, let last = json["last_activity"]?.integer else { return nil }
    let status = json["att_status"]?.integer.flatMap { ATTStatus(rawValue: Int(clamping: $0)) }
    self.init(at: WallTime(milliseconds: last), trackingStatus: status ?? .notDetermined)
    sessionCount = json["session_count"]?.integer ?? 1
    subsessionCount = json["subsession_count"]?.integer ?? 1
    sessionLength = json["session_length"]?.integer ?? 0
    timeSpent = json["time_spent"]?.integer ?? 0
    isAskingAttribution = json["asking"]?.bool ?? false
  }
}
