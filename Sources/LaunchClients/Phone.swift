import LaunchJSON
public import LaunchTrace

/// What the operating system and the user do during a launch, as its scenario has it.
///
/// ```swift
/// let phone = Phone(scenario: scenario, marks: tap)
/// let status = try await phone.requestTracking()
/// ```
@MainActor
public final class Phone {
  /// What identifies it.
  public let device: Device
  /// Whether the app is active.
  public private(set) var isActive = false
  /// What the system says about tracking now.
  public private(set) var trackingStatus: ATTStatus
  /// What the system says about pushing now.
  public private(set) var pushPermission: PushPermission

  /// What the clients draw from, in the order in which they need it.
  var chance: Chance

  /// Called when the app becomes active.
  private var activeObservers: [@MainActor () -> Void] = []

  private let scenario: LaunchScenario
  private let marks: (any MarkSink)?
  private let outside: any Outside
  private let started = ContinuousClock.now
  private var isPromptOpen = false

  /// The process starts now.
  /// - Parameter outside: Decides when what the scenario says really happens, and how; nil leaves it to the scenario.
  public init(
    device: Device = .sample, scenario: LaunchScenario = .firstLaunch, marks: (any MarkSink)? = nil,
    outside: (any Outside)? = nil
  ) {
    self.device = device
    self.scenario = scenario
    self.marks = marks
    self.outside = outside ?? UsualOutside()
    chance = Chance(seed: device.chanceSeed)
    trackingStatus = scenario.tracking.isAsked ? .notDetermined : scenario.tracking.status
    pushPermission = scenario.push.isAsked ? .unknown : scenario.push.permission
  }

  /// How long the process has been running.
  public var uptime: Duration { ContinuousClock.now - started }

  /// When the process has been running so long.
  func moment(at uptime: Duration) -> ContinuousClock.Instant { started + uptime }

  /// The civil time now.
  public var now: WallTime {
    WallTime(milliseconds: device.launchedAt.milliseconds + uptime.wholeMilliseconds)
  }

  /// What the system says when it is asked for the advertising identifier: zeros unless tracking is allowed
  /// (vendors.md 7.1).
  public var advertisingID: String { trackingStatus == .authorized ? device.idfa : Device.zeroIDFA }

  /// Makes the app active when the scenario says so.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func becomeActive() async throws {
    _ = try await outside.outcome(of: "the app becoming active", after: scenario.activeAfter, among: 1)
    isActive = true
    marks?.mark("app active")
    for observer in activeObservers { observer() }
  }

  /// Calls `observer` when the app becomes active; not if it is already.
  func whenActive(_ observer: @escaping @MainActor () -> Void) { activeObservers.append(observer) }

  /// Asks for the permission to track, which takes until the user has answered.
  ///
  /// Nothing is shown where the answer is already known, the app is not active, or another prompt is open (Q10): then the
  /// status stays as it is.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func requestTracking() async throws -> ATTStatus {
    guard scenario.tracking.isAsked else {
      _ = try await outside.outcome(
        of: "the system's answer about tracking", after: scenario.tracking.after, among: 1)
      return trackingStatus
    }
    guard isActive, !isPromptOpen else { return trackingStatus }
    let status = scenario.tracking.status
    let answers = [status, status == .authorized ? .denied : .authorized]
    let outcome = try await showPrompt(
      Mark("system prompt shown"), for: "the answer to the tracking prompt", after: scenario.tracking.after,
      answers.count)
    trackingStatus = answers[outcome]
    marks?.mark("system prompt closed")
    return trackingStatus
  }

  /// Asks for the permission to push, which takes until the user has answered.
  ///
  /// Nothing is shown where the answer is already known, or another prompt is open: then it stays as it is.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func requestPush() async throws -> PushPermission {
    marks?.mark("push prompt")
    guard scenario.push.isAsked, pushPermission == .unknown, !isPromptOpen else { return pushPermission }
    let permission = scenario.push.permission
    let answers = [permission, permission == .granted ? .declined : .granted]
    let outcome = try await showPrompt(
      Mark("system prompt shown", ["for": "push"]), for: "the answer to the push prompt", after: scenario.push.after,
      answers.count)
    pushPermission = answers[outcome]
    marks?.mark("system prompt closed")
    return pushPermission
  }

  /// The system shows one prompt at a time (R32).
  private func showPrompt(
    _ mark: Mark, for answer: String, after delay: Duration?, _ count: Int
  ) async throws -> Int {
    isPromptOpen = true
    defer { isPromptOpen = false }
    marks?.mark(mark)
    return try await outside.outcome(of: answer, after: delay, among: count)
  }

  /// Registers with Apple's push service; nil when no token comes.
  func pushToken() async throws -> String? {
    guard let delay = scenario.push.tokenAfter else { return nil }
    _ = try await outside.outcome(of: "the push token", after: delay, among: 1)
    return device.pushToken
  }

  /// Apple's attribution token; nil where there is none, on a simulator for example.
  func adServicesToken() async throws -> String? { try await adServicesToken(attempt: 1)?.get() }

  /// The outcome of a client's question number `attempt` for the token, counted from 1.
  func adServicesToken(attempt: Int) async throws -> Result<String, AdServicesError>? {
    guard let delay = scenario.adServicesAfter else { return nil }
    _ = try await outside.outcome(of: "Apple's attribution token", after: delay, among: 1)
    let errors = scenario.adServicesErrors
    guard errors.indices.contains(attempt - 1) else { return .success(currentAdServicesToken) }
    return .failure(AdServicesError(code: errors[attempt - 1]))
  }

  /// The token as the system has it now: one lives for 24 hours.
  var currentAdServicesToken: String {
    let age = Int64(uptime / .seconds(86_400))
    return age == 0 ? device.adServicesToken : "\(device.adServicesToken).\(age)"
  }

  /// The main thread gets round to going on behind a call that was done elsewhere: at once unless it is busy.
  func comeBack(from call: String) async {
    _ = try? await outside.outcome(of: "the return from \(call)", after: .zero, among: 1)
  }

  /// Takes as long as a web view needs to load an in-app message and bring it onto the screen.
  func renderMessage() async throws {
    _ = try await outside.outcome(of: "the display of the in-app message", after: scenario.displayAfter, among: 1)
  }
}
