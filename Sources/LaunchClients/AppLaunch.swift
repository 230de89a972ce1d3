public import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// One launch of an app with OneSignal, ATT, Adjust and Adapty, as the public guides describe it.
///
/// ```swift
/// try await AppLaunch(transport: launch.transport).run()
/// ```
///
/// The launch is ordinary Swift concurrency on the standard clocks: over a live transport it takes real time, in a
/// simulation virtual time. Two launches with equal arguments send equal requests, dates aside.
public struct AppLaunch: Sendable {
  private let transport: any Transport
  private let marks: (any MarkSink)?
  private let scenario: LaunchScenario
  private let device: Device
  private let credentials: Credentials
  private let log: @Sendable (String) -> Void

  /// - Parameters:
  ///   - transport: Where every request goes.
  ///   - marks: Where the launch says what it does; by default the transport, if it takes marks, as a tap does.
  ///   - scenario: What the user and the system do.
  ///   - log: Takes the lines of the `[waitingTime]` log, without line ends.
  public init(
    transport: any Transport, marks: (any MarkSink)? = nil, scenario: LaunchScenario = .firstLaunch,
    device: Device = .sample, credentials: Credentials = .sample,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.transport = transport
    self.marks = marks ?? (transport as? any MarkSink)
    self.scenario = scenario
    self.device = device
    self.credentials = credentials
    self.log = log
  }

  /// Launches, and returns when the launch has settled: home and a paywall are shown, the late in-app attempts are
  /// over, the campaign is tagged or given up, and no client has anything left to send.
  ///
  /// A vendor that fails or stays silent is not an error: the launch goes on without it, as the published one does.
  /// - Throws: `CancellationError` when the task is cancelled; everything the launch has started then stops.
  public func run() async throws { try await launch() }

  @MainActor
  private func launch() async throws {
    let phone = Phone(device: device, scenario: scenario, marks: marks)
    let app = LaunchedApp(
      transport: transport, credentials: credentials, phone: phone, scenario: scenario, marks: marks,
      log: WaitingTimeLog(marks: marks, output: log))
    try await withTaskCancellationHandler {
      try await app.run()
    } onCancel: {
      Task { @MainActor in app.stop() }
    }
  }
}

/// The app's parts, and what its delegate and views do with them.
@MainActor
private final class LaunchedApp {
  private let phone: Phone
  private let scenario: LaunchScenario
  private let marks: (any MarkSink)?
  private let oneSignal: OneSignalClient
  private let adjust: AdjustClient
  private let adapty: AdaptyClient
  private let observer: ProfileObserver
  private let loader: PaywallLoader
  private let coordinator: LaunchCoordinator
  private let tasks = TaskBag()

  init(
    transport: any Transport, credentials: Credentials, phone: Phone, scenario: LaunchScenario,
    marks: (any MarkSink)?, log: WaitingTimeLog
  ) {
    self.phone = phone
    self.scenario = scenario
    self.marks = marks
    oneSignal = OneSignalClient(
      transport: transport, appID: credentials.oneSignalAppID, phone: phone, marks: marks)
    adjust = AdjustClient(transport: transport, credentials: credentials, phone: phone, marks: marks)
    adapty = AdaptyClient(transport: transport, publicKey: credentials.adaptyPublicKey, phone: phone, marks: marks)
    observer = ProfileObserver(marks: marks)
    loader = PaywallLoader(adapty: adapty, observer: observer, marks: marks)
    coordinator = LaunchCoordinator(
      oneSignal: oneSignal, adjust: adjust, phone: phone, environment: scenario.environment, log: log, marks: marks)
  }

  func run() async throws {
    didFinishLaunching()
    tasks.start { try await self.phone.becomeActive() }
    try await Task.sleep(for: scenario.splashAfter)
    coordinator.splashAppeared()
    tasks.start { try await self.showPaywall() }
    try await coordinator.finish()
    await tasks.drain()
    await loader.settle()
    // Adjust comes first: its attribution may still become a tag.
    await adjust.settle()
    await adapty.settle()
    try await oneSignal.settle()
    try Task.checkCancellation()
  }

  func stop() {
    tasks.cancelAll()
    coordinator.stop()
    loader.stop()
    oneSignal.stop()
    adjust.stop()
    adapty.stop()
  }

  private func didFinishLaunching() {
    marks?.mark("did finish launching begin")
    coordinator.startOneSignal()
    // As published: the delegate is set once the SDK is active (Q11).
    tasks.start {
      try await Task.sleep(for: self.scenario.adaptyAfter)
      await self.adapty.activate()
      self.adapty.delegate = self.observer.receive
    }
    marks?.mark("did finish launching end")
  }

  /// What the splash screen does beside the coordinator.
  private func showPaywall() async throws {
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
