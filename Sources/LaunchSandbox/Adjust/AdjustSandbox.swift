public import LaunchHTTP
public import LaunchJSON

/// Adjust's servers as a value: sessions, clicks and attribution of devices (vendors.md section 1).
///
/// ```swift
/// var sandbox = AdjustSandbox()
/// let answer = sandbox.respond(to: session)   // {"adid":"…","timestamp":"…","message":"…","ask_in":2000}
/// ```
///
/// Any `Authorization` is accepted, none is not: the signature is closed source (vendors.md 1.2). The consent host
/// takes only devices that gave consent, the analytics host only the others (1.1). Fields are checked against 1.2 and
/// 1.3. Where vendors.md is silent the stand-in chooses: a refusal is `{"error":"…","message":"…"}`, and `timestamp`
/// repeats the request's `sent_at`, because a stand-in has no clock; so it knows no session that comes too early
/// (1.8).
public struct AdjustSandbox: Sendable {
  /// How the answers put off the question for the attribution: the first is the `ask_in` of a first session, each
  /// further one that of an answer to `/attribution`; then the attribution is there. Empty: the first session's answer
  /// carries it.
  public var askIn: [Duration]
  /// The `attribution` object of the answers; nil for an install that no campaign explains.
  public var attribution: JSONObject?
  /// What every answer to a session carries besides: `["tracking_state": "opted_out"]`, `["continue_in": 5000]`,
  /// `["control_params": ["key": "value"]]` and whatever else vendors.md 1.3 A lists.
  public var sessionMembers: JSONObject = [:]

  var pace: Pace
  var devices: [String: Device] = [:]

  struct Device {
    /// The `created_at` of each session: one that is sent again is the same.
    var sessions: [String] = []
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
      Route(["s2s.adjust.com"], "POST", "/session", .adjustServerSession),
    ]
  }()

  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    switch call {
    case .adjustSession: try session(request)
    case .adjustAttribution: try attribution(request)
    case .adjustClick: try click(request)
    case .adjustInfo: try info(request)
    case .adjustServerSession: try serverSession(request)
    default: throw Refusal(404, "not_found", "this stand-in does not know \(call)")
    }
  }

  static func errorBody(of refusal: Refusal) -> JSON {
    ["error": .string(refusal.code), "message": .string(refusal.message)]
  }
}
