/// Every number of the published launch (launch-flow.md section 4), in one place.
///
/// ```swift
/// let shortest = LaunchNumbers.paintInterval * LaunchNumbers.paintRounds + LaunchNumbers.waitAfterPaint  // 2.8 s
/// ```
public enum LaunchNumbers {
  /// Row "OneSignal user wait": the hard limit.
  public static let userWait = Duration.seconds(12)
  /// Row "OneSignal user wait": poll 0.25 s.
  public static let userPollInterval = Duration.milliseconds(250)
  /// Row "OneSignal user wait": 48 polls.
  public static let userPolls = 48

  /// Row "app-active wait before ATT": 50 x 100 ms = 5 s.
  public static let activeChecks = 50
  /// The same row.
  public static let activeCheckInterval = Duration.milliseconds(100)

  /// Row "adid tries": 10, with 9 pauses of 200 ms between them.
  public static let adidTries = 10
  /// The same row.
  public static let adidPause = Duration.milliseconds(200)

  /// Row "in-app gate": 20 s hard.
  public static let gateLimit = Duration.seconds(20)
  /// Row "in-app gate": loop 20 x 1 s.
  public static let gateRounds = 20
  /// The same row.
  public static let gateRoundInterval = Duration.seconds(1)

  /// The strict edition's gate: no message may appear later than this, so that one which does is looked at for 2.8 s
  /// within the 20 s (Q7).
  public static let strictGateLimit = gateLimit - lookTime
  /// From a message's display to home.
  public static var lookTime: Duration { paintInterval * paintRounds + waitAfterPaint }

  /// The strict edition's wait for OneSignal to acknowledge the tags: a flush is at most 5 s away, and a new user
  /// cools down for 3 s (vendors.md 3.4).
  public static let tagsLimit = Duration.seconds(10)
  /// The strict edition's wait for an identifier of Adjust: as long as the published tries take.
  public static let adidLimit = adidPause * (adidTries - 1)

  /// How long after home the built-in launch goes on looking whether its clients have something left to send.
  public static let settleLimit = Duration.seconds(60)

  /// Row "white paint after display": 6 x 300 ms.
  public static let paintRounds = 6
  /// The same row.
  public static let paintInterval = Duration.milliseconds(300)
  /// Row "extra wait after paint": 1 s, so home opens 2.8 s after the display.
  public static let waitAfterPaint = Duration.seconds(1)

  /// Row "late in-app attempts after home": 15 x 1 s.
  public static let lateRounds = 15
  /// The same row.
  public static let lateRoundInterval = Duration.seconds(1)

  /// Row "attribution timer": 3–5 s recommended, for the simple paywall mode.
  public static let attributionTimer = Duration.seconds(3)
  /// Row "`getPaywallOrDefault` time-out in the example".
  public static let paywallTimeout = Duration.seconds(5)
}
