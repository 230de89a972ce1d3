import LaunchJSON
public import LaunchTrace

/// Brings the app from its start to its home screen, in the published order and concurrency (launch-flow.md sections 2
/// and 3).
///
/// Two branches run side by side: A waits for OneSignal's user, B asks for tracking, starts Adjust and reads three
/// identifiers. Both are needed for the tags; then the in-app gate opens, and after it home. The campaign is tagged
/// whenever it arrives and never waited for. In the strict edition the gate opens only when the tags are acknowledged.
///
/// ```swift
/// coordinator.startOneSignal()  // in didFinishLaunching
/// coordinator.splashAppeared()  // in the splash screen's onAppear
/// try await coordinator.finish()
/// ```
@MainActor
public final class LaunchCoordinator {
  private let oneSignal: OneSignalClient
  private let adjust: AdjustClient
  private let phone: Phone
  private let edition: LaunchEdition
  private let configuration: AdjustConfiguration
  private let log: WaitingTimeLog
  private let marks: (any MarkSink)?
  private let tasks = TaskBag()
  private let userWait: UserWait
  private let gate: InAppGate
  private var launch: Task<Void, any Error>?
  private var isCampaignLogged = false

  /// - Parameter configuration: What Adjust is started with.
  public init(
    edition: LaunchEdition = .published, oneSignal: OneSignalClient, adjust: AdjustClient, phone: Phone,
    configuration: AdjustConfiguration, log: WaitingTimeLog, marks: (any MarkSink)? = nil
  ) {
    self.edition = edition
    self.oneSignal = oneSignal
    self.adjust = adjust
    self.phone = phone
    self.configuration = configuration
    self.log = log
    self.marks = marks
    userWait = UserWait(edition: edition, id: { oneSignal.onesignalID }, log: log, tasks: tasks)
    gate = InAppGate(edition: edition, oneSignal: oneSignal, log: log, tasks: tasks)
  }

  /// Phase 0, inside `didFinishLaunching`: in-app messages are paused before control goes back (R04).
  public func startOneSignal() {
    log.startCounting()
    log.mark(.startOneSignal)
    oneSignal.initialize()
    oneSignal.isPaused = true
    oneSignal.addLifecycleListener(willDisplay: {}, didDisplay: { [weak gate] in gate?.didDisplay() })
    oneSignal.addUserObserver { [weak userWait] _ in userWait?.userChanged() }
    log.ready(.oneSignalReady)
  }

  /// Phase 1, when the splash screen appears; only the first time counts (R07).
  public func splashAppeared() {
    guard launch == nil else { return }
    log.startCounting()
    log.mark(.splashLaunch)
    launch = tasks.start { try await self.run() }
  }

  /// Returns when home is shown and the late in-app attempts are over.
  /// - Throws: `CancellationError` when the launch was stopped.
  public func finish() async throws { try await launch?.value }

  func stop() { tasks.cancelAll() }

  /// Phases 2 and 3.
  private func run() async throws {
    let user = tasks.start { try await self.userWait.wait() }
    let install = tasks.start { try await self.identifyInstall() }
    let identifiers = try await install.value
    try await user.value
    log.mark(.tagsReady)
    if !identifiers.tags.isEmpty { oneSignal.addTags(identifiers.tags) }
    let opens = edition == .published ? true : try await areTagsAcknowledged()
    if opens { try await gate.pass() } else { gate.passClosed() }
    log.mark(.navigatedToHome)
    marks?.mark("home shown")
    if opens { try await gate.attemptLate() }
  }

  /// Whether OneSignal has said yes to everything that it was given so far, within `LaunchNumbers.tagsLimit`.
  private func areTagsAcknowledged() async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      let oneSignal = oneSignal
      group.addTask { try await oneSignal.changesAcknowledged() }
      group.addTask {
        try await Task.sleep(for: LaunchNumbers.tagsLimit)
        return false
      }
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }

  /// B1 to B10. The status is not looked at: any answer starts Adjust.
  private func identifyInstall() async throws -> Identifiers {
    let phone = phone
    let att = ATTGate(log: log, marks: marks, isActive: { phone.isActive }, request: phone.requestTracking)
    _ = try await att.pass()
    startAdjust()
    log.note(.waitingForIdentifiers)
    let idfa = tasks.start { self.readIDFA() }
    let idfv = tasks.start { self.readIDFV() }
    let adid = tasks.start { try await self.readAdid() }
    return Identifiers(adid: try await adid.value, idfa: try await idfa.value, idfv: try await idfv.value)
  }

  private func startAdjust() {
    log.mark(.startAdjust)
    adjust.onAttributionChange = { [weak self] in self?.tagCampaign(of: $0) }
    // Deferred deep links are not opened during a launch (R30).
    adjust.onDeferredDeeplink = { _ in false }
    adjust.initSDK(configuration)
    // B7: the getter's completion comes in a turn of its own.
    tasks.start { if let attribution = self.adjust.knownAttribution { self.tagCampaign(of: attribution) } }
    log.ready(.adjustReady)
  }

  /// Adjust's value, or the system's where Adjust has none: zeros when tracking is not allowed (Q5). The strict edition
  /// takes zeros for none.
  private func readIDFA() -> String {
    let own = adjust.idfa.flatMap { $0.isEmpty || $0 == Device.zeroIDFA ? nil : $0 }
    log.mark(.idfa)
    return own ?? (edition == .strict && phone.advertisingID == Device.zeroIDFA ? "" : phone.advertisingID)
  }

  private func readIDFV() -> String {
    let own = adjust.idfv?.nonEmpty
    log.mark(.idfv)
    return own ?? phone.device.idfv
  }

  private func readAdid() async throws -> String {
    // The published loop gives a holding getter no end (Q4).
    let isBounded = edition == .strict
    for attempt in 1...(isBounded ? 1 : LaunchNumbers.adidTries) {
      let adid = try await isBounded ? adjust.adid(timeout: LaunchNumbers.adidLimit) : adjust.adid()
      if let adid {
        log.mark(.adid)
        return adid
      }
      if !isBounded, attempt < LaunchNumbers.adidTries { try await Task.sleep(for: LaunchNumbers.adidPause) }
    }
    log.mark(.adidEmpty)
    return ""
  }

  /// Section 2, C: the log has the first campaign only, the tag is set each time (Q9).
  private func tagCampaign(of attribution: AdjustAttribution) {
    guard let campaign = attribution.campaign?.trimmed else { return }
    if !isCampaignLogged { log.mark(.campaign) }
    isCampaignLogged = true
    oneSignal.addTags(["campaign": .string(campaign)])
  }
}

/// What branch B has read.
private struct Identifiers {
  var adid: String
  var idfa: String
  var idfv: String

  /// Step 14: empty values are left out.
  var tags: JSONObject {
    JSONObject(
      [("mmp_id", adid), ("idfa", idfa), ("idfv", idfv)].filter { !$0.1.isEmpty }.map { ($0.0, .string($0.1)) })
  }
}
