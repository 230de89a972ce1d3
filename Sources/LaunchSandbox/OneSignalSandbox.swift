public import LaunchHTTP
import LaunchJSON

/// OneSignal's servers as a value: users, tags and in-app messages (vendors.md section 3).
///
/// ```swift
/// var sandbox = OneSignalSandbox()
/// let answer = sandbox.respond(to: createUser)   // onesignal_id, subscription id, ryw_token
/// ```
///
/// Later calls need the ids that creating the user returned. Where vendors.md is silent the stand-in chooses: creating
/// answers 201, updating 202, and an error body is `{"errors":[{"code":"…","title":"…"}]}`.
public struct OneSignalSandbox: Sendable {
  /// What every subscription is offered.
  public var messages: [InAppMessage]
  /// How many requests for the message list that carry a read-your-write token are still answered with 425, as by a
  /// server that has not caught up (vendors.md 3.4); each comes with `Retry-After: 1` and `OneSignal-Retry-Limit: 3`.
  public var lateReads: Int

  var pace: Pace
  private var users: [OneSignalUser] = []
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
}

extension OneSignalSandbox: StandIn {
  static let routes: [Route] = {
    // Pages resolve against the second host (vendors.md 3.1); clients exist that ask either.
    let hosts = ["api.onesignal.com", "onesignal.com"]
    return [
      Route(hosts, "GET", "/apps/*/ios_params.js", .oneSignalParameters),
      Route(hosts, "POST", "/apps/*/users", .oneSignalCreateUser),
      Route(hosts, "GET", "/apps/*/users/by/*/*", .oneSignalFetchUser),
      Route(hosts, "PATCH", "/apps/*/users/by/*/*", .oneSignalUpdateUser),
      Route(hosts, "PATCH", "/apps/*/subscriptions/*", .oneSignalUpdateSubscription),
      Route(hosts, "GET", "/apps/*/subscriptions/*/iams", .oneSignalMessages),
      Route(hosts, "GET", "/in_app_messages/*/variants/*/html", .oneSignalMessagePage),
      Route(hosts, "POST", "/in_app_messages/*/impression", .oneSignalImpression),
    ]
  }()

  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    switch call {
    case .oneSignalParameters: Reply(Self.parameters)
    case .oneSignalCreateUser: try createUser(request)
    case .oneSignalFetchUser: try fetchUser(request)
    case .oneSignalUpdateUser: try updateUser(request)
    case .oneSignalUpdateSubscription: try updateSubscription(request)
    case .oneSignalMessages: try listMessages(request)
    case .oneSignalMessagePage: try page(request)
    case .oneSignalImpression: try impression(request)
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

  /// Step 2. An `external_id` that is taken leads to the user who has it.
  private mutating func createUser(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let body = try request.object()
    let identity = try body.optionalObject("identity")
    let properties = try body.optionalObject("properties")
    guard body["identity"] != nil || body["subscriptions"] != nil else {
      throw Refusal(400, "invalid_request", "a user needs an identity or a subscription")
    }
    let app = request[0]
    let known = identity["external_id"].flatMap { external in
      users.firstIndex { $0.app == app && $0.identity["external_id"] == external }
    }
    var user = known.map { users[$0] } ?? OneSignalUser(app: app, number: users.count + 1, identity: identity)
    try user.update(properties: properties)
    for subscription in body["subscriptions"] == nil ? [] : try body.array("subscriptions") {
      guard let subscription = subscription.object else {
        throw Refusal(400, "invalid_request", "a subscription has to be an object")
      }
      user.add(subscription)
    }
    if let known { users[known] = user } else { users.append(user) }
    return Reply(.object(written(user.document)), status: known == nil ? 201 : 200)
  }

  /// vendors.md 3.3.
  private func fetchUser(_ request: RoutedRequest) throws(Refusal) -> Reply {
    Reply(.object(users[try index(of: request)].document))
  }

  /// Step 4.
  private mutating func updateUser(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let index = try index(of: request)
    let body = try request.object()
    guard body["properties"] != nil || body["deltas"] != nil else {
      throw Refusal(400, "invalid_request", "an update needs properties or deltas")
    }
    var user = users[index]
    try user.update(properties: body.optionalObject("properties"))
    try user.add(deltas: body.optionalObject("deltas"))
    users[index] = user
    return Reply(.object(written(["properties": .object(user.properties)])), status: 202)
  }

  /// Step 6.
  private mutating func updateSubscription(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let change = try request.object().object("subscription")
    guard let index = owner(of: request[1], app: request[0]) else { throw unknownSubscription(request[1]) }
    let subscription = users[index].add(change, id: request[1])
    return Reply(.object(written(["subscription": .object(subscription)])), status: 202)
  }

  /// Step 3.
  private mutating func listMessages(_ request: RoutedRequest) throws(Refusal) -> Reply {
    guard owner(of: request[1], app: request[0]) != nil else { throw unknownSubscription(request[1]) }
    if lateReads > 0, request.header("OneSignal-RYW-Token") != nil {
      lateReads -= 1
      throw Refusal(
        425, "too_early", "the write behind this token has not arrived yet",
        fields: ["Retry-After": "1", "OneSignal-Retry-Limit": "3"])
    }
    return Reply(["in_app_messages": .array(messages.map(\.listing))])
  }

  /// Step 5.
  private func page(_ request: RoutedRequest) throws(Refusal) -> Reply {
    guard request.query["app_id"]?.isEmpty == false else { throw Refusal(400, "invalid_request", "app_id is missing") }
    let message = try message(request[0])
    guard message.variantID == request[1] else { throw Refusal(404, "not_found", "no variant \(request[1])") }
    return Reply(message.page)
  }

  /// Step 5.
  private func impression(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let message = try message(request[0])
    let body = try request.object()
    let app = try body.text("app_id")
    let player = try body.text("player_id")
    guard body["device_type"]?.integer != nil else {
      throw Refusal(400, "invalid_request", "device_type has to be an integer")
    }
    guard try body.text("variant_id") == message.variantID else {
      throw Refusal(400, "invalid_request", "variant_id is no variant of this message")
    }
    guard owner(of: player, app: app) != nil else { throw unknownSubscription(player) }
    return Reply(["success": true])
  }

  private func message(_ id: String) throws(Refusal) -> InAppMessage {
    guard let message = messages.first(where: { $0.id == id }) else {
      throw Refusal(404, "not_found", "no message \(id)")
    }
    return message
  }

  /// The user that `…/users/by/{label}/{id}` means.
  private func index(of request: RoutedRequest) throws(Refusal) -> Int {
    let index = users.firstIndex { $0.app == request[0] && $0.identity[request[1]]?.string == request[2] }
    guard let index else { throw Refusal(404, "user_not_found", "no user has the \(request[1]) \(request[2])") }
    return index
  }

  private func owner(of subscription: String, app: String) -> Int? {
    users.firstIndex { $0.app == app && $0.subscriptions.contains { $0["id"]?.string == subscription } }
  }

  private func unknownSubscription(_ id: String) -> Refusal {
    Refusal(404, "subscription_not_found", "no subscription \(id)")
  }

  /// `answer` with the read-your-write token of one more write (vendors.md 3.4).
  private mutating func written(_ answer: JSONObject) -> JSONObject {
    writes += 1
    var answer = answer
    answer["ryw_token"] = .string(inventedHex("read your write", "\(writes)"))
    answer["ryw_delay"] = 500
    return answer
  }
}
