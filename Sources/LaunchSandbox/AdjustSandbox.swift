public import LaunchHTTP
public import LaunchJSON

/// Adjust's servers as a value: sessions, clicks and attribution of devices (vendors.md section 1).
///
/// ```swift
/// var sandbox = AdjustSandbox()
/// let answer = sandbox.respond(to: session)   // {"adid":"…","timestamp":"…","message":"…","ask_in":2000}
/// ```
///
/// Any `Authorization` is accepted, none is not: the signature is closed source (vendors.md 1.2). The consent host takes
/// only devices that gave consent, the analytics host only the others (1.1). Where vendors.md is silent the stand-in
/// chooses: a refusal is `{"error":"…","message":"…"}`, and `timestamp` repeats the request's `sent_at`, because a
/// stand-in has no clock.
public struct AdjustSandbox: Sendable {
  /// How the answers put off the question for the attribution: the first is the `ask_in` of a first session, each
  /// further one that of an answer to `/attribution`; then the attribution is there. Empty: the first session's answer
  /// carries it.
  public var askIn: [Duration]
  /// The `attribution` object of the answers; nil for an install that no campaign explains.
  public var attribution: JSONObject?

  var pace: Pace
  private var devices: [String: Device] = [:]

  private struct Device {
    var sessions = 0
    var questions = 0
  }

  /// Servers that know no device yet.
  /// - Parameter latency: When the parts of the answers are due.
  public init(
    askIn: [Duration] = [.milliseconds(2000), .milliseconds(1000)],
    attribution: JSONObject? = AdjustSandbox.autumnLaunch, latency: LatencyProfile = .typical
  ) {
    self.askIn = askIn
    self.attribution = attribution
    pace = Pace(latency)
  }

  /// An install that an Apple Ads campaign explains.
  public static let autumnLaunch: JSONObject = [
    "tracker_token": "q4w8e2r", "tracker_name": "Apple Ads::Autumn launch::Search", "network": "Apple Ads",
    "campaign": "Autumn launch", "adgroup": "Search", "creative": "Headline A", "click_label": "launchtape",
    "cost_type": "CPI", "cost_amount": .number("1.75"), "cost_currency": "EUR",
  ]

  /// Answers any request; a wrong one gets an error answer.
  public mutating func respond(to request: Request) -> Answer { answer(request) }
}

extension AdjustSandbox: StandIn {
  static let routes: [Route] = {
    let hosts = ["analytics.adjust.com", "consent.adjust.com", "analytics.adjust.io", "consent.adjust.io"]
    return [
      Route(hosts, "POST", "/session", .adjustSession),
      Route(hosts, "GET", "/attribution", .adjustAttribution),
      Route(hosts, "POST", "/sdk_click", .adjustClick),
      Route(hosts, "POST", "/sdk_info", .adjustInfo),
    ]
  }()

  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    switch call {
    case .adjustSession: try session(request)
    case .adjustAttribution: try attribution(request)
    case .adjustClick: try click(request)
    case .adjustInfo: try info(request)
    default: throw Refusal(404, "not_found", "this stand-in does not know \(call)")
    }
  }

  static func errorBody(of refusal: Refusal) -> JSON {
    ["error": .string(refusal.code), "message": .string(refusal.message)]
  }
}

extension AdjustSandbox {
  /// vendors.md 1.3 A.
  private mutating func session(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.form()
    let adid = try device(form, request)
    let count = devices[adid, default: Device()].sessions
    devices[adid, default: Device()].sessions = count + 1
    var answer = answered(form, adid, count == 0 ? "Install tracked" : "Session tracked")
    if count == 0, let first = askIn.first {
      answer["ask_in"] = .integer(first.wholeMilliseconds)
    } else {
      answer["attribution"] = attribution(forCost: true).map(JSON.object)
    }
    return Reply(.object(answer))
  }

  /// vendors.md 1.3 B.
  private mutating func attribution(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let query = request.query
    let adid = try device(query, request)
    guard ["backend", "sdk"].contains(query["initiated_by"]) else {
      throw Refusal(400, "invalid_request", "initiated_by has to be backend or sdk")
    }
    guard var device = devices[adid], device.sessions > 0 else {
      throw Refusal(404, "device_not_found", "no session of this device is known")
    }
    device.questions += 1
    devices[adid] = device
    var answer = answered(query, adid, "Attribution not ready")
    if askIn.indices.contains(device.questions) {
      answer["ask_in"] = .integer(askIn[device.questions].wholeMilliseconds)
    } else {
      answer["message"] = attribution == nil ? "No attribution" : "Attribution found"
      answer["attribution"] = attribution(forCost: query["needs_cost"] == "1").map(JSON.object)
    }
    return Reply(.object(answer))
  }

  /// vendors.md 1.3 C: may come before the session, or while it is being answered.
  private mutating func click(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.form()
    let adid = try device(form, request)
    let source = try form.required("source")
    if source == "apple_ads", form["attribution_token"] == nil, form["error_code"] == nil {
      throw Refusal(400, "invalid_request", "an apple_ads click needs attribution_token or error_code")
    }
    return Reply(.object(answered(form, adid, "Click tracked")))
  }

  /// vendors.md 1.3 D.
  private func info(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.form()
    let adid = try device(form, request)
    let source = try form.required("source")
    guard ["att", "push"].contains(source) else {
      throw Refusal(400, "invalid_request", "source has to be att or push, not \(source)")
    }
    if source == "push" { _ = try form.required("push_token") }
    return Reply(.object(answered(form, adid, "Information tracked")))
  }

  private func answered(_ form: FormPairs, _ adid: String, _ message: String) -> JSONObject {
    [
      "adid": .string(adid), "timestamp": .string(form["sent_at"] ?? form["created_at"] ?? ""),
      "message": .string(message),
    ]
  }

  private func attribution(forCost isWanted: Bool) -> JSONObject? {
    guard var attribution else { return nil }
    if !isWanted { for key in ["cost_type", "cost_amount", "cost_currency"] { attribution[key] = nil } }
    return attribution
  }

  /// The `adid` of the device that sends: the same for the same app and device in every run.
  private func device(_ form: FormPairs, _ request: RoutedRequest) throws(Refusal) -> String {
    guard request.header("Authorization")?.isEmpty == false else {
      throw Refusal(401, "unauthorized", "the request is not signed: Authorization is missing")
    }
    let app = try form.required("app_token")
    guard ["sandbox", "production"].contains(try form.required("environment")) else {
      throw Refusal(400, "invalid_request", "environment has to be sandbox or production")
    }
    try checkConsent(form, request)
    guard
      let device = ["idfv", "primary_dedupe_token", "idfa"].lazy.compactMap({ form[$0] }).first(where: { !$0.isEmpty })
    else { throw Refusal(400, "invalid_request", "nothing identifies the device: idfv is missing") }
    return inventedHex("adid", app, device)
  }

  /// vendors.md 1.1: the host encodes the consent.
  private func checkConsent(_ form: FormPairs, _ request: RoutedRequest) throws(Refusal) {
    let status = form["att_status"]
    guard status.map(["0", "1", "2", "3"].contains) ?? ["0", "1"].contains(form["tracking_enabled"]) else {
      throw Refusal(400, "invalid_request", "att_status has to be 0, 1, 2 or 3")
    }
    let isConsentHost = request.host.hasPrefix("consent.")
    // Before iOS 14 there is no status, and the consent host takes everything.
    guard isConsentHost == (status == nil || status == "3") else {
      throw Refusal(400, "wrong_host", "att_status \(status ?? "missing") does not belong on \(request.host)")
    }
  }
}

extension FormPairs {
  fileprivate func required(_ name: String) throws(Refusal) -> String {
    guard let value = self[name], !value.isEmpty else { throw Refusal(400, "invalid_request", "\(name) is missing") }
    return value
  }
}

extension Duration {
  /// Whole milliseconds, truncated; 0 for what does not fit.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? 0 : product &+ attoseconds / 1_000_000_000_000_000
  }
}
