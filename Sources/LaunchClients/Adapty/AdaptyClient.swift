public import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// Adapty's SDK as a launch uses it: the profile, the Apple Ads attribution, paywalls (vendors.md section 2).
///
/// ```swift
/// let adapty = AdaptyClient(transport: transport, publicKey: key, phone: phone, marks: tap)
/// adapty.delegate = { profile in print(profile.attributionSources) }
/// await adapty.activate()
/// let paywall = try await adapty.getPaywall(placement: "onboarding")
/// ```
///
/// Not modelled: the shorter interval after a web paywall (vendors.md 2.4), purchases and everything of StoreKit's,
/// another name for the user after `activate`, asking again which tests a user takes part in, and of the events all but
/// the app's opening and the line about Apple's token.
@MainActor
public final class AdaptyClient {
  /// How long a paywall may take unless the app says otherwise (vendors.md 2.5).
  public nonisolated static let paywallTimeout = Duration.seconds(5)

  /// Takes each profile the server answers with, and on a later launch the stored one during `activate`. As in the SDK a
  /// plain variable: nothing is replayed when it is set, so a profile that came earlier is lost (vendors.md 2.5, R44).
  public var delegate: (@MainActor (AdaptyProfile) -> Void)? {
    didSet { marks?.mark("profile delegate set") }
  }

  /// The newest profile; nil before the server has answered for the first time.
  public var profile: AdaptyProfile? { user.profile }

  private let phone: Phone
  private let marks: (any MarkSink)?
  private let configuration: AdaptyConfiguration
  private let work: AdaptyWork
  private let backend: AdaptyBackend
  private let user: AdaptyUser
  private let sync: AdaptySync
  private let errands: AdaptyErrands
  private let lifecycle: AdaptyLifecycle
  private let paywalls: AdaptyPaywalls
  private var isActive = false

  /// - Parameters:
  ///   - store: What the SDK keeps on disk, under keys that begin with `adapty.`; filled, this is a later launch.
  ///   - marks: Hears of the activation, of the delegate, and of every profile that it is or would be told.
  public init(
    transport: any Transport, publicKey: String, phone: Phone, store: LaunchStore = LaunchStore(),
    configuration: AdaptyConfiguration = AdaptyConfiguration(), marks: (any MarkSink)? = nil
  ) {
    self.phone = phone
    self.marks = marks
    self.configuration = configuration
    work = AdaptyWork()
    user = AdaptyUser(store: store, newID: phone.device.adaptyProfileID)
    backend = AdaptyBackend(
      transport: transport, requests: AdaptyRequests(publicKey: publicKey, device: phone.device),
      cluster: configuration.cluster, phone: phone, store: store, work: work)
    let events = AdaptyEvents(backend: backend, user: user, phone: phone, store: store, work: work)
    sync = AdaptySync(
      backend: backend, user: user, phone: phone, events: events, work: work, customer: configuration.customerUserID)
    errands = AdaptyErrands(
      transport: transport, backend: backend, user: user, sync: sync, phone: phone, store: store, work: work)
    lifecycle = AdaptyLifecycle(
      sync: sync, events: events, errands: errands, phone: phone, work: work,
      registersInstall: configuration.registersInstall)
    paywalls = AdaptyPaywalls(backend: backend, user: user, sync: sync, phone: phone, store: store, work: work)
    sync.onProfile = { [weak self] profile in
      // Also where nobody listens: that callback is lost for good (R44).
      marks?.mark(Mark("profile received", ["sources": .array(profile.attributionSources.map(JSON.string))]))
      self?.delegate?(profile)
    }
  }

  /// Starts the SDK and returns at once: what it asks of the servers it asks in the background. Only the first call
  /// counts.
  ///
  /// The SDK works beside the main thread, which has much to do in a launch: what it hears from the servers may come before
  /// the caller goes on (vendors.md 2.5, R44).
  /// On a later launch the delegate is called with the stored profile before this returns.
  public func activate() async {
    guard !isActive else { return }
    isActive = true
    marks?.mark("adapty activate")
    backend.startRefreshing()
    sync.start()
    errands.fetchProducts()
    if configuration.collectsAddress { errands.reportAddress() }
    lifecycle.start()
    await phone.comeBack(from: "Adapty's activation")
  }

  /// Takes the fallback file that the app brings along, as the dashboard makes it: its paywalls are shown when neither a
  /// server nor the cache has one.
  /// - Throws: `ClientError.unreadable` when `file` is no such file; the one before then stays.
  public func setFallback(_ file: [UInt8]) throws(ClientError) { try paywalls.cache.bundle(file) }

  /// Waits for the created profile, then asks for its segment's paywall (vendors.md 2.5).
  ///
  /// When the server fails or the time is nearly up, the fallback host is asked for the default audience's; when that
  /// fails too, the paywall comes from the cache or from the app's own file.
  /// - Parameter timeout: At least one second; what is shorter counts as one. Half a second of it is kept back for the
  ///   fallback host, which gets no less in any case.
  /// - Throws: `ClientError.missing` before `activate`, and when creating the profile has been given up; else what the
  ///   last server that was asked did: `.transport` when no complete response arrived, as in a cancelled task; `.status`
  ///   when it refused; `.unreadable` when there is no paywall in its answer; `.banned` when it was not asked.
  public func getPaywall(
    placement: String, timeout: Duration = AdaptyClient.paywallTimeout
  ) async throws(ClientError) -> AdaptyPaywall {
    guard isActive else { throw .missing("activate") }
    do { return try await paywalls.segmented(placement, timeout: timeout) } catch {
      throw clientError(error, "segmented paywall")
    }
  }

  /// Asks for the paywall of the default audience, without waiting for the profile (vendors.md 2.3, 8).
  ///
  /// When there is no file in the user's language it is asked for in English. When that fails, the paywall comes from
  /// the cache or from the app's own file.
  /// - Throws: `ClientError.missing` before `activate`; else as `getPaywall` does.
  public func getPaywallForDefaultAudience(placement: String) async throws(ClientError) -> AdaptyPaywall {
    guard isActive else { throw .missing("activate") }
    do { return try await paywalls.defaultAudience(placement) } catch { throw clientError(error, "default paywall") }
  }

  /// Returns when everything that will be sent without the app's doing has been answered or given up, at the latest at
  /// `deadline`.
  ///
  /// What the SDK does again and again ends now and is not waited for: profiles every minute, checks of a prompt that
  /// nobody has answered. What it tries until it succeeds (the profile's creation, products, the address, events) is
  /// tried until the deadline; without one, the next failure is its last.
  public func settle(until deadline: ContinuousClock.Instant? = nil) async {
    lifecycle.settle()
    await work.settle(until: deadline)
  }

  /// Cancels every call and wait that is under way.
  public func stop() { work.stop() }

  private func clientError(_ error: any Error, _ call: String) -> ClientError {
    if let failure = error as? AdaptyFailure { return failure.clientError(call) }
    if let error = error as? ClientError { return error }
    return .transport(TransportError(.cancelled, during: .request))
  }
}
