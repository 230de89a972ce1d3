public import LaunchHTTP
import LaunchJSON

/// OneSignal's servers as a value: users, subscriptions, tags, sessions and in-app messages (vendors.md section 3).
///
/// ```swift
/// var sandbox = OneSignalSandbox()
/// let answer = sandbox.respond(to: createUser)   // onesignal_id, subscription id, ryw_token
/// ```
///
/// Later calls need the ids that creating the user returned; each app has its own users. Where vendors.md is silent the
/// stand-in chooses: creating answers 201, updating 202, and an error body is
/// `{"errors":[{"code":"…","title":"…"}]}`.
public struct OneSignalSandbox: Sendable {
  /// What every subscription is offered.
  public var messages: [InAppMessage]
  /// How many requests for the message list that carry a read-your-write token are still answered with 425, as by a
  /// server that has not caught up (vendors.md 3.4); each comes with `Retry-After: 1` and `OneSignal-Retry-Limit: 3`.
  public var lateReads: Int
  /// What the list of the SDK's features says; none is needed by a launch.
  public var features: [String] = []
  /// The limits that OneSignal documents (vendors.md 3.4); nil for none.
  public var limits: OneSignalLimits?

  var pace: Pace
  var users: [OneSignalUser] = []
  /// How many users there ever were.
  var created = 0
  var sessions: [OneSignalSession] = []
  private var writes = 0

  /// Servers that know no user yet.
  /// - Parameter latency: When the parts of the answers are due.
  public init(messages: [InAppMessage] = [.appReady], lateReads: Int = 0, latency: LatencyProfile = .typical) {
    self.messages = messages
    self.lateReads = lateReads
    pace = Pace(latency)
  }

  /// Answers any request; a wrong one gets an error answer.
  public mutating func respond(to request: Request) -> Answer { answer(request) }

  /// Deletes all users, as somebody with the dashboard can: who asks for one gets 404.
  public mutating func deleteUsers() { users = [] }

  /// Deletes all subscriptions; their users stay.
  public mutating func deleteSubscriptions() {
    for index in users.indices { users[index].subscriptions = [] }
  }
}

extension OneSignalSandbox: StandIn {
  static let routes: [Route] = {
    // Pages resolve against the second host (vendors.md 3.1); clients exist that ask either.
    let hosts = ["api.onesignal.com", "onesignal.com"]
    return [
      Route(hosts, "GET", "/apps/*/ios_params.js", .oneSignalParameters),
      Route(hosts, "GET", "/apps/*/sdk/features/ios/*", .oneSignalFeatures),
      Route(hosts, "POST", "/apps/*/users", .oneSignalCreateUser),
      Route(hosts, "GET", "/apps/*/users/by/*/*", .oneSignalFetchUser),
      Route(hosts, "PATCH", "/apps/*/users/by/*/*", .oneSignalUpdateUser),
      Route(hosts, "PATCH", "/apps/*/users/by/*/*/identity", .oneSignalIdentify),
      Route(hosts, "POST", "/apps/*/users/by/*/*/subscriptions", .oneSignalCreateSubscription),
      Route(hosts, "PATCH", "/apps/*/subscriptions/*", .oneSignalUpdateSubscription),
      Route(hosts, "GET", "/apps/*/subscriptions/*/iams", .oneSignalMessages),
      Route(hosts, "POST", "/apps/*/sessions", .oneSignalCreateSession),
      Route(hosts, "PATCH", "/apps/*/sessions/*", .oneSignalUpdateSession),
      Route(hosts, "GET", "/in_app_messages/*/variants/*/html", .oneSignalMessagePage),
      Route(hosts, "POST", "/in_app_messages/*/impression", .oneSignalImpression),
      Route(hosts, "POST", "/in_app_messages/*/pageImpression", .oneSignalPageImpression),
      Route(hosts, "POST", "/in_app_messages/*/click", .oneSignalClick),
    ]
  }()

  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    switch call {
    case .oneSignalParameters: Reply(Self.parameters)
    case .oneSignalFeatures: try listFeatures(request)
    case .oneSignalCreateUser: try createUser(request)
    case .oneSignalFetchUser: try fetchUser(request)
    case .oneSignalUpdateUser: try updateUser(request)
    case .oneSignalIdentify: try identify(request)
    case .oneSignalCreateSubscription: try createSubscription(request)
    case .oneSignalUpdateSubscription: try updateSubscription(request)
    case .oneSignalCreateSession: try createSession(request)
    case .oneSignalUpdateSession: try updateSession(request)
    case .oneSignalMessages: try listMessages(request)
    case .oneSignalMessagePage: try page(request)
    case .oneSignalImpression: try impression(request, also: [])
    case .oneSignalPageImpression: try impression(request, also: [("page_id", .text)])
    case .oneSignalClick: try impression(request, also: [("click_id", .text), ("first_click", .flag)])
    default: throw Refusal(404, "not_found", "this stand-in does not know \(call)")
    }
  }

  static func errorBody(of refusal: Refusal) -> JSON {
    ["errors": [["code": .string(refusal.code), "title": .string(refusal.message)]]]
  }
}

extension OneSignalSandbox {
  /// vendors.md 3.2, step 1.
  private static let parameters: JSON = [
    "fba": false, "jwt_required": false, "uses_provisional_auth": false, "receive_receipts_enable": false,
    "location_shared": true, "requires_user_privacy_consent": false,
    "outcomes": [
      "direct": ["enabled": true],
      "indirect": [
        "enabled": true, "notification_attribution": ["minutes_since_displayed": 60, "limit": 10],
        "in_app_message_attribution": ["minutes_since_displayed": 60, "limit": 10],
      ],
      "unattributed": ["enabled": true], "v2_enabled": true,
    ],
  ]

  /// Step 1 of newer builds: the version has six digits.
  private func listFeatures(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let version = request[1].utf8
    guard version.count == 6, version.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw Refusal(400, "invalid_request", "\(request[1]) is no version of six digits")
    }
    return Reply(["features": .array(features.map(JSON.string))])
  }

  /// The user that `…/users/by/{label}/{id}` means.
  mutating func index(of request: RoutedRequest) throws(Refusal) -> Int {
    let index = users.firstIndex { $0.app == request[0] && $0.identity[request[1]]?.string == request[2] }
    guard let index else { throw Refusal(404, "user_not_found", "no user has the \(request[1]) \(request[2])") }
    try limits?.admit("user \(request[0]) \(users[index].id)")
    return index
  }

  /// The user who has the subscription of that id.
  mutating func owner(of subscription: String, app: String) throws(Refusal) -> Int {
    let owner = users.firstIndex { $0.app == app && $0.has(subscription) }
    guard let owner else { throw Refusal(404, "subscription_not_found", "no subscription \(subscription)") }
    try limits?.admit("subscription \(app) \(subscription)")
    return owner
  }

  /// `answer` with the read-your-write token of one more write (vendors.md 3.4).
  mutating func written(_ answer: JSONObject) -> JSONObject {
    writes += 1
    var answer = answer
    answer["ryw_token"] = .string(inventedHex("read your write", "\(writes)"))
    answer["ryw_delay"] = 500
    return answer
  }
}
