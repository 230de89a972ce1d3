package import LaunchHTTP

/// Adjust's requests, byte for byte (vendors.md 1.1 to 1.3).
package struct AdjustRequests: Hashable, Sendable {
  package static let sessionPath = "/session"
  package static let clickPath = "/sdk_click"
  package static let attributionPath = "/attribution"
  package static let clientSDK = "ios5.6.2"
  /// Vendors.md 1.2.
  package static let timeout = Duration.seconds(60)

  /// What is true at the moment of sending: the host and the consent fields follow it (vendors.md 1.1 and 1.6).
  package struct Moment: Hashable, Sendable {
    package var status: ATTStatus
    /// When the package was made.
    package var created: WallTime
    package var sent: WallTime

    package init(status: ATTStatus, created: WallTime, sent: WallTime) {
      self.status = status
      self.created = created
      self.sent = sent
    }
  }

  package enum Initiator: String, Hashable, Sendable {
    /// An `ask_in` of the server asked for it.
    case backend
    case sdk
  }

  package let appToken: String
  package let signature: String
  package let environment: AdjustClient.Environment
  package let device: Device

  package init(
    appToken: String, signature: String, environment: AdjustClient.Environment, device: Device
  ) {
    self.appToken = appToken
    self.signature = signature
    self.environment = environment
    self.device = device
  }

  /// Vendors.md 1.3 A. The counters of a first session are still negative inside the SDK, and it drops those.
  package func session(at moment: Moment, started: WallTime) -> Request {
    var form = device(at: moment)
    form.append("created_at", moment.created.adjust)
    form.append("started_at", started.adjust)
    form.append("installed_at", device.installedAt.adjust)
    form.append("session_count", "1")
    return post(Self.sessionPath, form + flags, at: moment)
  }

  /// Vendors.md 1.3 C, with the token of Apple's AdServices.
  package func click(token: String, at moment: Moment) -> Request {
    var form = device(at: moment)
    form.append("created_at", moment.created.adjust)
    form.append("source", "apple_ads")
    form.append("attribution_token", token)
    return post(Self.clickPath, form + flags, at: moment)
  }

  /// Vendors.md 1.3 B: the only GET, everything in its query.
  package func attribution(initiatedBy initiator: Initiator, at moment: Moment) -> Request {
    var form = device(at: moment)
    form.append("created_at", moment.created.adjust)
    form.append("initiated_by", initiator.rawValue)
    form = form + flags
    form.append("sent_at", moment.sent.adjust)
    let location = Location(
      scheme: "https", host: host(for: moment.status), path: Self.attributionPath, query: form.text)
    return Request(method: "GET", location: location, fields: fields, timeout: Self.timeout)
  }

  /// Who asks: app, device, consent, and what recognises a reinstall.
  private func device(at moment: Moment) -> FormPairs {
    var form: FormPairs = [
      "app_token": appToken, "bundle_id": device.bundleID, "app_version": device.appBuild,
      "app_version_short": device.appVersion, "environment": environment.rawValue, "device_type": "iPhone",
      "device_name": device.model, "os_name": "ios", "os_version": device.osVersion, "idfv": device.idfv,
    ]
    if moment.status == .authorized { form.append("idfa", device.idfa) }
    form.append("att_status", "\(moment.status.rawValue)")
    form.append("primary_dedupe_token", device.primaryDedupeToken)
    form.append("secondary_dedupe_token", device.secondaryDedupeToken)
    return form
  }

  private var flags: FormPairs { ["attribution_deeplink": "1", "needs_response_details": "1", "foreground": "1"] }

  private func post(_ path: String, _ form: FormPairs, at moment: Moment) -> Request {
    var form = form
    form.append("sent_at", moment.sent.adjust)
    var fields = fields
    fields.append("Content-Type", FormPairs.contentType)
    let location = Location(scheme: "https", host: host(for: moment.status), path: path)
    return Request(method: "POST", location: location, fields: fields, body: form.serialized, timeout: Self.timeout)
  }

  private var fields: Fields { ["Client-Sdk": Self.clientSDK, "Authorization": signature] }

  /// The host itself says whether the user has agreed (vendors.md 1.1).
  private func host(for status: ATTStatus) -> String {
    status == .authorized ? "consent.adjust.com" : "analytics.adjust.com"
  }
}

extension FormPairs {
  /// Empty values are dropped (vendors.md 1.2).
  fileprivate static func + (left: FormPairs, right: FormPairs) -> FormPairs {
    FormPairs((left.pairs + right.pairs).filter { !$0.value.isEmpty })
  }
}

extension WallTime {
  /// Both the literal Z and the offset are present (vendors.md 1.2).
  fileprivate var adjust: String { "\(iso)Z+0000" }
}
