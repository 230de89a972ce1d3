public import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// One launch of an app with OneSignal, ATT, Adjust, Adapty and MotiSig, as the public guides describe it.
///
/// ```swift
/// try await AppLaunch(transport: launch.transport).run()
/// ```
///
/// The launch is ordinary Swift concurrency on the standard clocks: over a live transport it takes real time, in a
/// simulation virtual time. Two launches with equal arguments send equal requests, dates aside. A launch over a store
/// that an earlier one has filled is a later launch.
public struct AppLaunch: Sendable {
  private let transport: any Transport
  private let marks: (any MarkSink)?
  private let edition: LaunchEdition
  private let scenario: LaunchScenario
  private let device: Device
  private let credentials: Credentials
  private let store: LaunchStore
  private let log: @Sendable (String) -> Void

  /// - Parameters:
  ///   - transport: Where every request goes. Where it knows what happens outside, as a tap does, it has the say in that, too.
  ///   - marks: Where the launch says what it does; by default the transport, if it takes marks, as a tap does.
  ///   - edition: As published, or without its quirks.
  ///   - scenario: What the user and the system do.
  ///   - store: What the app keeps from one launch to the next; a new one makes this a first launch.
  ///   - log: Takes the lines of the `[waitingTime]` log, without line ends.
  public init(
    transport: any Transport, marks: (any MarkSink)? = nil, edition: LaunchEdition = .published,
    scenario: LaunchScenario = .firstLaunch, device: Device = .sample, credentials: Credentials = .sample,
    store: LaunchStore = LaunchStore(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.transport = transport
    self.marks = marks ?? (transport as? any MarkSink)
    self.edition = edition
    self.scenario = scenario
    self.device = device
    self.credentials = credentials
    self.store = store
    self.log = log
  }

  /// Launches, and returns when the launch has settled: home and a paywall are shown, the late in-app attempts are
  /// over, the campaign is tagged or given up, and no client has anything left to send, or
  /// `LaunchNumbers.settleLimit` has passed since home, and since Adapty was active.
  ///
  /// A vendor that fails or stays silent is not an error: the launch goes on without it, as the published one does.
  /// - Throws: `CancellationError` when the task is cancelled, `FileError` when the store could not be written;
  ///   everything the launch has started then stops.
  public func run() async throws { try await run(lifetime: nil) }

  /// - Parameter lifetime: How long after its start the process is killed, whatever is under way; that is no error.
  func run(lifetime: Duration?) async throws { try await launch(lifetime: lifetime) }

  @MainActor
  private func launch(lifetime: Duration?) async throws {
    let phone = Phone(device: device, scenario: scenario, marks: marks, outside: transport as? any Outside)
    let app = LaunchedApp(
      transport: transport, credentials: credentials, store: store, phone: phone, edition: edition,
      scenario: scenario, marks: marks, log: WaitingTimeLog(marks: marks, output: log))
    let running = Task { try await app.run() }
    let killer = lifetime.map { lifetime in
      Task {
        try await Task.sleep(for: lifetime)
        app.kill()
        running.cancel()
      }
    }
    let result = await withTaskCancellationHandler {
      await running.result
    } onCancel: {
      running.cancel()
      Task { @MainActor in app.stop() }
    }
    killer?.cancel()
    app.stop()
    if !app.isKilled { try result.get() }
    try Task.checkCancellation()
    if let failure = store.failure { throw failure }
  }
}

/// The app's parts, and what its delegate and views do with them.
@MainActor
private final class LaunchedApp {
  private(set) var isKilled = false
  private let phone: Phone
  private let edition: LaunchEdition
  private let scenario: LaunchScenario
  private let marks: (any MarkSink)?
  private let oneSignal: OneSignalClient
  private let adjust: AdjustClient
  private let adapty: AdaptyClient
  private let motiSig: MotiSigClient?
  private let observer: ProfileObserver
  private let loader: PaywallLoader
  private let coordinator: LaunchCoordinator
  private let tasks = TaskBag()
  private var activation: Task<Void, any Error>?

  init(
    transport: any Transport, credentials: Credentials, store: LaunchStore, phone: Phone, edition: LaunchEdition,
    scenario: LaunchScenario, marks: (any MarkSink)?, log: WaitingTimeLog
  ) {
    self.phone = phone
    self.edition = edition
    self.scenario = scenario
    self.marks = marks
    oneSignal = OneSignalClient(
      transport: transport, appID: credentials.oneSignalAppID, phone: phone, store: store, marks: marks)
    adjust = AdjustClient(transport: transport, credentials: credentials, phone: phone, store: store, marks: marks)
    adapty = AdaptyClient(
      transport: transport, publicKey: credentials.adaptyPublicKey, phone: phone, store: store,
      configuration: scenario.adapty, marks: marks)
    motiSig = scenario.motiSig.map { use in
      MotiSigClient(
        transport: transport, credentials: credentials, phone: phone, store: store, marks: marks, mode: use.mode,
        baseURL: use.baseURL)
    }
    observer = ProfileObserver()
    loader = PaywallLoader(edition: edition, adapty: adapty, observer: observer, marks: marks)
    coordinator = LaunchCoordinator(
      edition: edition, oneSignal: oneSignal, adjust: adjust, phone: phone,
      configuration: scenario.adjust, log: log, marks: marks)
  }

  func run() async throws {
    didFinishLaunching()
    tasks.start {
      try await self.phone.becomeActive()
      self.motiSig?.didBecomeActive()
    }
    try await Task.sleep(for: scenario.splashAfter)
    coordinator.splashAppeared()
    tasks.start { try await self.showPaywall() }
    try await coordinator.finish()
    // Only behind it is a paywall asked for, which has its time as well.
    try await activation?.value
    try await settle(until: .now + LaunchNumbers.settleLimit)
  }

  /// Adjust comes before OneSignal: its attribution may still become a tag.
  private func settle(until deadline: ContinuousClock.Instant) async throws {
    // None of the app's tasks, which are waited for as well: one of them may wait for something that never comes.
    let limit = Task {
      try await Task.sleep(until: deadline, tolerance: .zero, clock: .continuous)
      self.stop()
    }
    await loader.settle()
    await adjust.settle(until: deadline)
    await adapty.settle(until: deadline)
    await motiSig?.settle(until: deadline)
    try await oneSignal.settle(until: deadline)
    await tasks.drain()
    limit.cancel()
    try Task.checkCancellation()
  }

  /// The process dies: nothing of it happens any more.
  func kill() {
    isKilled = true
    stop()
  }

  func stop() {
    tasks.cancelAll()
    coordinator.stop()
    loader.stop()
    oneSignal.stop()
    adjust.stop()
    adapty.stop()
    motiSig?.stop()
  }

  private func didFinishLaunching() {
    marks?.mark("did finish launching begin")
    coordinator.startOneSignal()
    if edition == .strict { adapty.delegate = observer.receive }
    startMotiSig()
    activation = tasks.start {
      try await Task.sleep(for: self.scenario.adaptyAfter)
      await self.adapty.activate()
      try Task.checkCancellation()
      // As published: the delegate is set once the SDK is active (Q11).
      if self.edition == .published { self.adapty.delegate = self.observer.receive }
    }
    marks?.mark("did finish launching end")
  }

  /// Inside the launch, before any wait (R55); the user is known later.
  private func startMotiSig() {
    guard let motiSig, let use = scenario.motiSig else { return }
    motiSig.initialize(
      launchPayload: use.tappedMessageID.map { ["messageId": .string($0)] },
      // Nobody but the tracking prompt may ask during a launch (R31).
      skipPermissionRequest: !use.asksForPush || edition == .strict)
    guard let delay = use.userAfter else { return }
    tasks.start {
      try await Task.sleep(for: delay)
      try motiSig.setUser(use.userID)
    }
  }

  /// What the splash screen does beside the coordinator.
  /// On a busy machine the splash may be there first; nothing is asked of Adapty before it is active (R43).
  private func showPaywall() async throws {
    try await activation?.value
    let paywall = scenario.paywall
    do {
      let loaded = try await loader.load(paywall.mode, placement: paywall.placement, timeout: paywall.timeout)
      marks?.mark(Mark("paywall shown", ["source": .string(loaded.source.rawValue)]))
    } catch {
      try Task.checkCancellation()
      marks?.mark("paywall failed")
    }
  }
}
