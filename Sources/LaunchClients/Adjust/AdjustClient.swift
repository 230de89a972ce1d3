public import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// Adjust's SDK as a launch uses it: sessions, the Apple Ads click, the attribution (vendors.md section 1).
///
/// ```swift
/// let adjust = AdjustClient(transport: transport, phone: phone, store: store, marks: tap)
/// adjust.onAttributionChange = { print($0.campaign ?? "organic") }
/// adjust.initSDK(environment: .sandbox)
/// let adid = try await adjust.adid(timeout: .seconds(2))
/// ```
///
/// What the SDK keeps on disk is in the store: a client over a filled one is a later launch. Methods return at once,
/// the getters apart; requests leave in the background. A call that fails is not an error of the app's.
///
/// The SDK takes the app for active when it is started; later comings and goings are told.
///
/// Not modelled: the signature (vendors.md 1.2), events, deep links that open the app, and with them clicks of other
/// sources (1.3 C); the SKAdNetwork registration and its two fields (1.3 A); COPPA, offline mode, identifiers and
/// parameters of the app's (1.3 A); GDPR, subscriptions and purchases (1.1); a second click when the user agrees.
@MainActor
public final class AdjustClient {
  /// Sent with every request (vendors.md 1.3 A and 1.8).
  public enum Environment: String, Hashable, Sendable, CaseIterable {
    case sandbox, production
  }

  /// How long settling without a deadline lasts at most.
  nonisolated static let longestSettling = Duration.seconds(600)

  let phone: Phone
  let reception: AdjustReception
  private(set) var configuration: AdjustConfiguration?
  /// Nil until the first session may begin.
  private(set) var engine: AdjustEngine?

  private let transport: any Transport
  private let credentials: Credentials
  private let stored: AdjustStored
  private let marks: (any MarkSink)?
  /// Set before the SDK was started.
  private var earlyPushToken: String?

  /// - Parameters:
  ///   - store: What earlier launches have left.
  ///   - marks: Hears of the start and of deferred deep links.
  public init(
    transport: any Transport, credentials: Credentials = .sample, phone: Phone, store: LaunchStore = LaunchStore(),
    marks: (any MarkSink)? = nil
  ) {
    self.transport = transport
    self.credentials = credentials
    self.phone = phone
    self.marks = marks
    stored = AdjustStored(store)
    reception = AdjustReception(stored: stored, marks: marks)
  }

  /// Starts the SDK with the defaults of `AdjustConfiguration`.
  public func initSDK(environment: Environment) { initSDK(AdjustConfiguration(environment: environment)) }

  /// Starts the SDK: what an earlier launch has left is sent, then a session if one is due, and beside it the Apple Ads
  /// click as soon as there is a token. Only the first call counts.
  public func initSDK(_ configuration: AdjustConfiguration) {
    guard self.configuration == nil else { return }
    self.configuration = configuration
    marks?.mark(
      Mark(
        "adjust init",
        ["environment": .string(configuration.environment.rawValue), "install": .bool(stored.activity == nil)]))
    reception.start()
    if !configuration.delaysFirstSession || stored.activity != nil { start(configuration, isDelayed: false) }
  }

  /// Lets the first session go that `AdjustConfiguration.delaysFirstSession` holds back.
  public func endFirstSessionDelay() {
    guard let configuration, configuration.delaysFirstSession, engine == nil else { return }
    start(configuration, isDelayed: true)
  }

  /// The app has come back: the time away may begin a session, and the attribution is asked for if it is still unknown.
  public func applicationDidBecomeActive() { engine?.enterForeground() }

  /// The app is about to go away: nothing more leaves, what is under way goes on.
  public func applicationWillResignActive() { engine?.leaveForeground() }

  /// Tells Adjust a push token that it does not know yet (vendors.md 1.3 D); before the first session, with that.
  public func setPushToken(_ token: String) {
    guard let engine else { return earlyPushToken = token }
    engine.setPushToken(token)
  }

  /// Returns when no call is under way or going to be sent without the app's doing, at the latest at `deadline`.
  ///
  /// With a deadline the client lives on, retries and timers included. Without one this is its end: a call that fails
  /// from now on is not tried again, what is still waiting after ten minutes is given up, and timers stop.
  public func settle(until deadline: ContinuousClock.Instant? = nil) async {
    guard let engine else { return }
    engine.run.endsAtFailure = deadline == nil
    await engine.run.tasks.drain(until: deadline ?? .now + Self.longestSettling)
    if deadline == nil { engine.stop() }
  }

  /// Cancels every call and wait that is under way, the getters' included.
  public func stop() {
    engine?.stop()
    reception.adid.stop()
    reception.attribution.stop()
  }

  private func start(_ configuration: AdjustConfiguration, isDelayed: Bool) {
    guard !stored.isOptedOut else { return }
    let forms = AdjustForms(
      appToken: credentials.adjustAppToken, configuration: configuration, isDelayed: isDelayed, device: phone.device)
    let run = AdjustRun(
      transport: transport, phone: phone, stored: stored, forms: forms,
      requests: AdjustRequests(signature: credentials.adjustSignature, device: phone.device))
    if configuration.sendsServerSession {
      run.server = AdjustS2S(
        token: credentials.adjustServerToken, appToken: credentials.adjustAppToken,
        environment: configuration.environment)
    }
    run.hearsTriggers = reception.onRemoteTrigger != nil
    let engine = AdjustEngine(run, configuration, reception)
    self.engine = engine
    engine.start(pushToken: earlyPushToken)
  }
}
