public import LaunchHTTP
import LaunchJSON

/// MotiSig's server as a value: users, their tags, attributes and push subscriptions, events and clicks (vendors.md
/// section 4).
///
/// ```swift
/// var sandbox = MotiSigSandbox()
/// let answer = sandbox.respond(to: createUser)   // {"success":true,"userId":"u1",…}
/// ```
///
/// Bodies are held to the vendor's OpenAPI description: what it demands is demanded, what it leaves open is left open.
/// Every mistake is answered with `{"error":"…"}`. Where description and vendors.md are silent the stand-in chooses:
/// everything but POST `/users` needs a user that exists, else 404; a request without its credentials gets 401, and so
/// does one with another key than the project was first named with.
///
/// A click on a message counts once, however often it is sent: the client cannot know of an answer that it did not live to
/// see, and sends the click again (vendors.md 4.4).
public struct MotiSigSandbox: Sendable {
  var pace: Pace
  /// By project: the one it was first named with.
  private var keys: [String: String] = [:]
  /// In the order in which they were created.
  public private(set) var users: [MotiSigUser] = []
  /// In the order in which they arrived first.
  public private(set) var clicks: [MotiSigClick] = []

  /// A server that knows no user yet.
  /// - Parameter latency: When the parts of the answers are due.
  public init(latency: LatencyProfile = .typical) { pace = Pace(latency) }

  /// Answers any request; a wrong one gets an error answer.
  public mutating func respond(to request: Request) -> Answer { answer(request) }
}

extension MotiSigSandbox: StandIn {
  static let routes: [Route] = {
    let hosts = ["api.motisig.ai"]
    let calls: [(String, String, VendorCall)] = [
      ("POST", "/users", .motiSigCreateUser),
      ("GET", "/users/*", .motiSigFetchUser),
      ("PATCH", "/users/*", .motiSigUpdateUser),
      ("POST", "/users/*/tags", .motiSigAddTags),
      ("DELETE", "/users/*/tags", .motiSigRemoveTags),
      ("POST", "/users/*/attributes", .motiSigSetAttributes),
      ("DELETE", "/users/*/attributes", .motiSigRemoveAttributes),
      ("POST", "/users/*/push-subscriptions", .motiSigAddSubscription),
      ("PATCH", "/users/*/push-subscriptions", .motiSigUpdateSubscription),
      ("DELETE", "/users/*/push-subscriptions", .motiSigRemoveSubscription),
      ("POST", "/users/*/ping", .motiSigPing),
      ("POST", "/events", .motiSigEvent),
      ("POST", "/track/click", .motiSigClick),
    ]
    // The description has the same set below the project's own path.
    let bases = ["/client", "/client/organizations/*/projects/*"]
    return [Route(hosts, "GET", "/client/health", .motiSigHealth)]
      + bases.flatMap { base in calls.map { Route(hosts, $0.0, base + $0.1, $0.2) } }
  }()

  static func errorBody(of refusal: Refusal) -> JSON { ["error": .string(refusal.message)] }

  mutating func reply(to call: VendorCall, _ request: RoutedRequest) throws(Refusal) -> Reply {
    if call == .motiSigHealth { return Reply(Self.health) }
    let caller = try MotiSigCaller(request)
    guard keys[caller.project, default: caller.key] == caller.key else {
      throw Refusal(401, "unauthorized", "X-API-Key is not the key of the project")
    }
    keys[caller.project] = caller.key
    switch call {
    case .motiSigCreateUser: return try createUser(request, caller)
    case .motiSigFetchUser: return Reply(["user": users[try index(of: caller)].document])
    case .motiSigEvent: return try takeEvent(request, caller)
    case .motiSigClick: return try takeClick(request, caller)
    default: break
    }
    let index = try index(of: caller)
    switch call {
    case .motiSigUpdateUser: try users[index].update(request.object())
    case .motiSigAddTags: users[index].add(tags: try request.object().optionalStrings("tags"))
    case .motiSigRemoveTags: users[index].remove(tags: try request.object().optionalStrings("tags"))
    case .motiSigSetAttributes: users[index].set(try request.object().optionalObject("attributes"))
    case .motiSigRemoveAttributes: users[index].remove(attributes: try request.object().optionalStrings("keys"))
    case .motiSigAddSubscription: try users[index].add(MotiSigPushBody(request.object()))
    case .motiSigUpdateSubscription: try users[index].update(MotiSigPushBody(request.object(), isStrict: true))
    case .motiSigRemoveSubscription: try users[index].remove(MotiSigPushBody(request.object()))
    default: break
    }
    return Reply(["success": true])
  }
}

extension MotiSigSandbox {
  private static let health: JSON = ["status": "ok", "service": "client-api", "timestamp": "2026-11-30T06:20:45.000Z"]

  /// Whoever exists already is 409, which the SDK takes for a success (vendors.md 4.2).
  private mutating func createUser(_ request: RoutedRequest, _ caller: MotiSigCaller) throws(Refusal) -> Reply {
    let user = try MotiSigUser(project: caller.project, request.object())
    guard !users.contains(where: { $0.project == user.project && $0.id == user.id }) else {
      throw Refusal(409, "conflict", "the user \(user.id) exists")
    }
    users.append(user)
    return Reply(["success": true, "userId": .string(user.id), "signup": true])
  }

  /// What an event is about is not looked at: any name, any data.
  private func takeEvent(_ request: RoutedRequest, _ caller: MotiSigCaller) throws(Refusal) -> Reply {
    let body = try request.object()
    let userID = try body.string("userId")
    let name = try body.string("eventName")
    _ = try index(of: userID, in: caller.project)
    return Reply(["success": true, "message": .string("event \(name) triggered")])
  }

  private mutating func takeClick(_ request: RoutedRequest, _ caller: MotiSigCaller) throws(Refusal) -> Reply {
    let body = try request.object()
    let click = MotiSigClick(
      project: caller.project, userID: try body.string("userId"), messageID: try body.string("messageId"))
    _ = try body.optionalBool("isForeground")
    _ = try index(of: click.userID, in: caller.project)
    if let known = clicks.firstIndex(where: { $0.isSame(as: click) }) {
      clicks[known].deliveries += 1
    } else {
      clicks.append(click)
    }
    return Reply(["success": true])
  }

  private func index(of caller: MotiSigCaller) throws(Refusal) -> Int {
    try index(of: caller.userID, in: caller.project)
  }

  private func index(of userID: String, in project: String) throws(Refusal) -> Int {
    guard let index = users.firstIndex(where: { $0.project == project && $0.id == userID }) else {
      throw Refusal(404, "not_found", "no user \(userID)")
    }
    return index
  }
}
