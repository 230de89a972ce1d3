public import LaunchHTTP

/// What the outside world does during a launch, vendors aside: the user, the system, the screen.
///
/// ```swift
/// var scenario = LaunchScenario.firstLaunch
/// scenario.tracking = .prompt(.denied, after: .seconds(2))
/// try await AppLaunch(transport: transport, scenario: scenario).run()
/// ```
public struct LaunchScenario: Hashable, Sendable {
  /// How the request for tracking ends.
  public struct Tracking: Hashable, Sendable {
    /// What the request reports, and the status from then on.
    public var status: ATTStatus
    /// From the request to the answer; nil when there is none as long as the app runs.
    public var after: Duration?
    /// Whether the system shows its prompt; it never does twice.
    public var isAsked: Bool

    /// Nobody answers the prompt.
    public static let unanswered = Tracking(status: .notDetermined, after: nil, isAsked: true)

    /// The user answers the prompt with `status`.
    public static func prompt(_ status: ATTStatus, after: Duration) -> Tracking {
      Tracking(status: status, after: after, isAsked: true)
    }

    /// Answered in an earlier launch, or by the device's manager.
    public static func decided(_ status: ATTStatus, after: Duration = .milliseconds(110)) -> Tracking {
      Tracking(status: status, after: after, isAsked: false)
    }
  }

  /// How a request to push ends, and when there is a token to push to.
  public struct Push: Hashable, Sendable {
    /// What the request reports, and what the system says from then on.
    public var permission: PushPermission
    /// From the request to the answer.
    public var after: Duration
    /// Whether the system shows its prompt; it never does twice.
    public var isAsked: Bool
    /// From asking Apple's push service for a token to its arrival; nil when none comes.
    public var tokenAfter: Duration?

    /// The user answers the prompt with `permission`.
    public static func prompt(
      _ permission: PushPermission, after: Duration, tokenAfter: Duration? = .milliseconds(640)
    ) -> Push {
      Push(permission: permission, after: after, isAsked: true, tokenAfter: tokenAfter)
    }

    /// Answered in an earlier launch.
    public static func decided(_ permission: PushPermission, tokenAfter: Duration? = .milliseconds(640)) -> Push {
      Push(permission: permission, after: .zero, isAsked: false, tokenAfter: tokenAfter)
    }
  }

  /// What the app and its user do with MotiSig.
  public struct MotiSig: Hashable, Sendable {
    /// Whom the app names.
    public var userID: String
    /// From the end of `didFinishLaunching` to the moment the app knows its user; nil when it never does.
    public var userAfter: Duration?
    /// The message whose notification was tapped to start the app; nil when it was started otherwise.
    public var tappedMessageID: String?
    /// What stands before the paths of all requests (vendors.md 4.5).
    public var baseURL = MotiSigClient.baseURL
    /// Whether the SDK asks for the permission to push: false when the app passes `skipPermissionRequest`.
    public var asksForPush: Bool
    /// Whether the SDK does what its guide promises; no recording tells.
    public var mode = MotiSigClient.Mode.promised

    public init(
      userID: String = "sample-user", userAfter: Duration? = .milliseconds(850), tappedMessageID: String? = nil,
      asksForPush: Bool = false
    ) {
      self.userID = userID
      self.userAfter = userAfter
      self.tappedMessageID = tappedMessageID
      self.asksForPush = asksForPush
    }
  }

  /// How the splash screen gets its paywall.
  public struct Paywall: Hashable, Sendable {
    public var mode: PaywallLoader.Mode
    /// What the app calls the place.
    public var placement: String
    /// How long to wait for the attribution.
    public var timeout: Duration

    public init(mode: PaywallLoader.Mode, placement: String, timeout: Duration) {
      self.mode = mode
      self.placement = placement
      self.timeout = timeout
    }

    /// The full example of the guides.
    public static func race(_ placement: String, timeout: Duration = LaunchNumbers.paywallTimeout) -> Paywall {
      Paywall(mode: .race, placement: placement, timeout: timeout)
    }

    /// The guides' four steps.
    public static func simple(_ placement: String, timeout: Duration = LaunchNumbers.attributionTimer) -> Paywall {
      Paywall(mode: .simple, placement: placement, timeout: timeout)
    }
  }

  /// From the end of `didFinishLaunching` to the splash screen.
  public var splashAfter: Duration
  /// From the end of `didFinishLaunching` to an active app.
  public var activeAfter: Duration
  /// From the end of `didFinishLaunching` to Adapty's activation: apps do that in a task, off the launch's path.
  public var adaptyAfter: Duration
  /// What becomes of the request for tracking.
  public var tracking: Tracking
  /// From asking for Apple's attribution token to its arrival; nil when there is none.
  public var adServicesAfter: Duration?
  /// Apple's codes with which each client's first questions for the token fail; later ones are answered with it.
  public var adServicesErrors: [Int] = []
  /// From the content of an in-app message to its display.
  public var displayAfter: Duration
  /// How the app sets Adjust up; the published flow says `production` even in debug builds (Q8), and its SDK's getter holds
  /// until there is a value (Q4).
  public var adjust: AdjustConfiguration
  /// How the app sets Adapty up.
  public var adapty = AdaptyConfiguration()
  /// What the splash screen loads.
  public var paywall: Paywall
  /// What becomes of a request to push.
  public var push = Push.prompt(.granted, after: .seconds(2))
  /// What happens with MotiSig; nil for an app without it.
  public var motiSig: MotiSig?

  /// A first launch in which the user allows tracking after a look at the prompt.
  ///
  /// The times keep the calls 50 ms and more apart at the stand-ins' typical latencies, and clear of every flush, so
  /// that the jitter of a live run changes no order and no merged update.
  public static let firstLaunch = LaunchScenario(
    splashAfter: .milliseconds(300),
    activeAfter: .milliseconds(450),
    adaptyAfter: .milliseconds(150),
    tracking: .prompt(.authorized, after: .seconds(7)),
    adServicesAfter: .milliseconds(70),
    displayAfter: .milliseconds(1300),
    adjust: {
      var adjust = AdjustConfiguration(environment: .production)
      adjust.getter = .holding
      return adjust
    }(),
    paywall: .race("onboarding"),
    motiSig: MotiSig())

  /// The same for an app that tells Adjust what it is: a build that is tried out (Q8).
  public static let strictFirstLaunch: LaunchScenario = {
    var scenario = firstLaunch
    scenario.adjust.environment = .sandbox
    return scenario
  }()

  /// The same app started again: everything was answered in the first launch, and the user is known.
  public static let laterLaunch: LaunchScenario = {
    var scenario = firstLaunch
    scenario.tracking = .decided(.authorized)
    scenario.push = .decided(.granted)
    scenario.motiSig?.userAfter = nil
    return scenario
  }()

  /// A first launch by a tap on a notification of MotiSig's.
  public static let pushTap: LaunchScenario = {
    var scenario = firstLaunch
    scenario.motiSig?.tappedMessageID = "message-0042"
    return scenario
  }()
}
