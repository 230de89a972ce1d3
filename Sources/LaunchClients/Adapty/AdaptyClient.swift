public import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// Adapty's SDK as a launch uses it: the profile, the Apple Ads attribution, paywalls (vendors.md section 2).
///
/// ```swift
/// let adapty = AdaptyClient(transport: transport, publicKey: key, phone: phone, marks: tap)
/// await adapty.activate()
/// adapty.delegate = { profile in print(profile.attributionSources) }
/// let paywall = try await adapty.getPaywall(placement: "onboarding")
/// ```
///
/// Not modelled yet: creating the profile again every 100 ms after a failure, and the cross-placement question when the
/// server answers with another profile (vendors.md 2.5; 2.3, 2); the IP look-up with its update, the install
/// registration, further tries for the products (2.3, 3; 2.5); other hosts from the configuration, fail-over, the
/// fallback host, and cached or bundled paywalls behind it (2.1, 2.5); what 401, 429 and 444 block, and a new profile
/// after a wrong segment hash (2.5); the paywall's own time-out, and a default one in English when its language has none
/// (2.5; 2.3, 8); fetching the profile every 60 s, and all that a later launch has on disk (2.4).
@MainActor
public final class AdaptyClient {
  /// Vendors.md 2.3, 6: between two batches of events.
  public nonisolated static let eventInterval = Duration.seconds(1)
  /// The same rule: after a batch that failed, before it is sent again.
  public nonisolated static let eventRetryInterval = Duration.seconds(20)
  /// Vendors.md 2.4: how often an active app looks whether the user has answered the tracking prompt.
  public nonisolated static let trackingCheckInterval = Duration.seconds(5)
  /// How long it goes on looking (same section).
  public nonisolated static let trackingCheckLimit = Duration.seconds(600)

  /// Takes each profile the server answers with. As in the SDK a plain variable: nothing is replayed when it is set, so
  /// a profile that came earlier is lost (vendors.md 2.5, R44).
  public var delegate: (@MainActor (AdaptyProfile) -> Void)? {
    didSet { marks?.mark("profile delegate set") }
  }

  /// The newest profile; nil before the server has answered.
  public private(set) var profile: AdaptyProfile?

  private let transport: any Transport
  private let requests: AdaptyRequests
  private let phone: Phone
  private let marks: (any MarkSink)?
  private let tasks = TaskBag()
  private let events: AdaptyEvents

  private var session: AdaptyRequests.Session
  /// Nil until `activate`; ends when the profile exists on the server, or cannot be created.
  private var creation: Task<Void, any Error>?
  private var trackingChecks: Task<Void, any Error>?

  /// - Parameter marks: Hears of the activation and of the delegate.
  public init(transport: any Transport, publicKey: String, phone: Phone, marks: (any MarkSink)? = nil) {
    self.transport = transport
    self.phone = phone
    self.marks = marks
    requests = AdaptyRequests(publicKey: publicKey, device: phone.device)
    session = AdaptyRequests.Session(profileID: phone.device.adaptyProfileID)
    events = AdaptyEvents(transport: transport, requests: requests, phone: phone, tasks: tasks)
  }

  /// Starts the SDK and returns at once: the profile is created in the background. Only the first call counts.
  public func activate() async {
    guard creation == nil else { return }
    marks?.mark("adapty activate")
    creation = tasks.start { try await self.createProfile() }
  }

  /// Waits for the created profile, then asks for its segment's paywall (vendors.md 2.5).
  /// - Throws: `ClientError.missing` before `activate`, and when the profile could not be created; `.transport` when no
  ///   complete response arrived, as in a cancelled task; `.status` when it was not 2xx; `.unreadable` when there is no
  ///   paywall in it.
  public func getPaywall(placement: String) async throws(ClientError) -> AdaptyPaywall {
    guard let creation else { throw .missing("activate") }
    _ = await creation.result
    guard let profile else { throw .missing("create profile") }
    let request = requests.segmentedPaywall(placement: placement, segmentHash: profile.segmentHash, session)
    return try await paywall(request, "segmented paywall")
  }

  /// Asks for the paywall of the default audience, without waiting for the profile (vendors.md 2.3, 8).
  /// - Throws: `ClientError.transport` when no complete response arrived, as in a cancelled task; `.status` when it was
  ///   not 2xx; `.unreadable` when there is no paywall in it.
  public func getPaywallForDefaultAudience(placement: String) async throws(ClientError) -> AdaptyPaywall {
    try await paywall(requests.defaultPaywall(placement: placement), "default paywall")
  }

  /// Returns when everything that will be sent without the app's doing has been answered or given up.
  ///
  /// Events that fail are sent again for as long as the app runs; while this waits, a failure ends their sending. So a
  /// server that refuses them holds it up for one rest of 20 s and the request after it, whose time-out is 30 s.
  public func settle() async {
    if phone.trackingStatus == .notDetermined { trackingChecks?.cancel() }
    events.isSettling = true
    await tasks.drain()
    events.isSettling = false
  }

  /// Cancels every call and wait that is under way.
  public func stop() { tasks.cancelAll() }

  /// The order the SDK enforces: configuration, profile, then all else side by side (vendors.md 2.3).
  private func createProfile() async throws {
    let configuration = try? await transport.success(of: requests.netConfig)
    events.blacklist = (configuration?.json?["data"]?["event_blacklist"]?.array ?? []).compactMap(\.string)
    let status = phone.trackingStatus
    let response = try await transport.success(of: requests.createProfile(session, status: status))
    guard response.json.flatMap(AdaptyProfile.init(answer:)) != nil else { throw ClientError.unreadable("profile") }
    take(response)
    tasks.start { _ = try await self.transport.success(of: self.requests.products(self.session)) }
    events.start(session)
    events.add("app_opened")
    tasks.start { try await self.reportAppleAds() }
    if status == .notDetermined { trackingChecks = tasks.start { try await self.reportTracking() } }
  }

  /// Once a profile, and not tried again in this process (vendors.md 2.3, 4). The event names the token as well.
  private func reportAppleAds() async throws {
    guard let token = try await phone.adServicesToken() else { return }
    events.add("fetch_asa_token", ["token": .string(token)])
    take(try await transport.success(of: requests.appleAds(token: token, session)))
  }

  /// Sends the answer to the tracking prompt with the next check after it.
  private func reportTracking() async throws {
    let checks = Int(Self.trackingCheckLimit / Self.trackingCheckInterval)
    let start = ContinuousClock.now
    for check in 1...checks where phone.trackingStatus == .notDetermined {
      try await Task.sleep(until: start + Self.trackingCheckInterval * check, tolerance: .zero, clock: .continuous)
    }
    guard phone.trackingStatus != .notDetermined else { return }
    take(try await transport.success(of: requests.updateProfile(session, status: phone.trackingStatus)))
  }

  private func paywall(_ request: Request, _ call: String) async throws(ClientError) -> AdaptyPaywall {
    let json = try await transport.success(of: request).json
    guard let json, let paywall = AdaptyPaywall(answer: json, profileID: session.profileID) else {
      throw .unreadable(call)
    }
    return paywall
  }

  /// Stores the profile of an answer and tells the delegate. The same hash as sent means nothing new; an older profile
  /// is not stored, but the delegate still gets the stored one (vendors.md 2.5).
  private func take(_ response: Response) {
    let hash = response.fields["x-response-hash"]
    if let hash, hash == session.responseHash { return }
    guard let received = response.json.flatMap(AdaptyProfile.init(answer:)) else { return }
    if received.timestamp >= profile?.timestamp ?? .min {
      profile = received
      session = AdaptyRequests.Session(profileID: received.id, responseHash: hash)
    }
    if let profile { delegate?(profile) }
  }
}
