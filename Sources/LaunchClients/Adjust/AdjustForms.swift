import LaunchHTTP

/// Adjust's packages as the SDK makes them: app, device, and what each call is about (vendors.md 1.3).
package struct AdjustForms: Hashable, Sendable {
  /// What is true while a package is made.
  package struct Moment: Hashable, Sendable {
    package var status: ATTStatus
    package var now: WallTime
    /// When the SDK was started.
    package var started: WallTime
    package var isForeground = true
    /// Whether the app hears of remote triggers.
    package var hearsTriggers = false

    package init(status: ATTStatus, now: WallTime, started: WallTime) {
      self.status = status
      self.now = now
      self.started = started
    }
  }

  package enum Initiator: String, Hashable, Sendable {
    /// An `ask_in` of the server asked for it.
    case backend
    case sdk
  }

  package enum Information: String, Hashable, Sendable {
    /// The answer to the tracking prompt has changed.
    case att
    /// There is a push token.
    case push
  }

  private let appToken: String
  private let configuration: AdjustConfiguration
  private let isDelayed: Bool
  private let device: Device

  /// - Parameter isDelayed: Whether this is a first launch whose session the app holds back.
  package init(appToken: String, configuration: AdjustConfiguration, isDelayed: Bool = false, device: Device) {
    self.appToken = appToken
    self.configuration = configuration
    self.isDelayed = isDelayed
    self.device = device
  }

  /// Vendors.md 1.3 A.
  package func session(_ activity: AdjustActivity, pushToken: String? = nil, at moment: Moment) -> AdjustPackage {
    AdjustPackage(.session, device(at: moment) + counters(activity, pushToken, at: moment) + flags(at: moment))
  }

  /// Vendors.md 1.3 C: Apple's token, or why there is none.
  package func click(
    _ token: Result<String, AdServicesError>, _ activity: AdjustActivity?, pushToken: String? = nil, at moment: Moment
  ) -> AdjustPackage {
    var content: FormPairs = ["source": "apple_ads"]
    switch token {
    case .success(let token): content.add("attribution_token", token)
    case .failure(let error): content.add("error_code", "\(error.code)")
    }
    return AdjustPackage(
      .click, device(at: moment) + counters(activity, pushToken, at: moment) + content + flags(at: moment))
  }

  /// Vendors.md 1.3 D.
  package func information(
    _ source: Information, _ activity: AdjustActivity?, pushToken: String? = nil, at moment: Moment
  ) -> AdjustPackage {
    AdjustPackage(
      .info,
      device(at: moment) + counters(activity, pushToken, at: moment) + ["source": source.rawValue] + flags(at: moment))
  }

  /// Vendors.md 1.3 B: as A, without the counters.
  package func question(_ initiator: Initiator, at moment: Moment) -> AdjustPackage {
    var content: FormPairs = ["initiated_by": initiator.rawValue]
    if configuration.needsCost { content.add("needs_cost", "1") }
    return AdjustPackage(.attribution, device(at: moment) + dates(at: moment) + content + flags(at: moment))
  }

  /// Who asks: app, device, consent, and what recognises a reinstall.
  private func device(at moment: Moment) -> FormPairs {
    var form: FormPairs = [:]
    form.add("app_token", appToken)
    form.add("bundle_id", device.bundleID)
    form.add("app_version", device.appBuild)
    form.add("app_version_short", device.appVersion)
    form.add("environment", configuration.environment.rawValue)
    form.add("device_type", "iPhone")
    form.add("device_name", device.model)
    form.add("os_name", "ios")
    form.add("os_version", device.osVersion)
    form.add("idfv", device.idfv)
    form.add("idfa", AdjustRequests.idfa(of: device, moment.status))
    form.add("att_status", "\(moment.status.rawValue)")
    form.add("primary_dedupe_token", device.primaryDedupeToken)
    form.add("secondary_dedupe_token", device.secondaryDedupeToken)
    return form
  }

  private func dates(at moment: Moment) -> FormPairs {
    [
      "created_at": moment.now.adjust, "started_at": moment.started.adjust, "installed_at": device.installedAt.adjust,
    ]
  }

  /// Durations are whole seconds, rounded.
  private func counters(_ activity: AdjustActivity?, _ pushToken: String?, at moment: Moment) -> FormPairs {
    var form = dates(at: moment)
    if let activity {
      form.add("session_count", activity.sessionCount)
      form.add("subsession_count", activity.subsessionCount)
      form.add("session_length", activity.sessionLength.roundedSeconds)
      form.add("time_spent", activity.timeSpent.roundedSeconds)
    }
    form.add("push_token", pushToken)
    return form
  }

  /// Each only when it is on.
  private func flags(at moment: Moment) -> FormPairs {
    var form: FormPairs = ["attribution_deeplink": "1", "needs_response_details": "1"]
    form.add(moment.isForeground ? "foreground" : "background", "1")
    if isDelayed { form.add("ff_first_session_delay", "1") }
    if moment.hearsTriggers { form.add("ff_remote_triggers_callback", "1") }
    return form
  }
}

extension FormPairs {
  static func + (left: FormPairs, right: FormPairs) -> FormPairs { FormPairs(left.pairs + right.pairs) }

  /// Empty values are dropped (vendors.md 1.2).
  mutating func add(_ name: String, _ value: String?) {
    if let value, !value.isEmpty { append(name, value) }
  }

  /// Negative numbers are dropped (vendors.md 1.2).
  mutating func add(_ name: String, _ number: Int64) {
    if number >= 0 { append(name, "\(number)") }
  }
}

extension Int64 {
  /// Milliseconds as seconds; what is negative stays so.
  fileprivate var roundedSeconds: Int64 { self < 0 ? -1 : saturatedSum(500) / 1000 }
}

extension WallTime {
  /// Both the literal Z and the offset are present (vendors.md 1.2).
  var adjust: String { "\(iso)Z+0000" }
}
