import LaunchHTTP
import LaunchJSON
public import LaunchTrace

extension LaunchScenario {
  /// What the outside world did in a recorded launch, read from its marks and calls, so that a replay of the launch
  /// meets the same world.
  ///
  /// Only the first launch of the events counts. What they do not tell is as in `scenario`.
  public init(events: [Event], otherwise scenario: LaunchScenario = .firstLaunch) {
    self = scenario
    let world = RecordedWorld(events)
    if let launched = world.time(of: "did finish launching end") {
      if let splash = world.time(of: WaitingTimeEntry.splashLaunch.rawValue) { splashAfter = splash - launched }
      if let active = world.time(of: "app active") { activeAfter = active - launched }
      if let activation = world.time(of: "adapty activate") { adaptyAfter = activation - launched }
    }
    tracking = world.tracking ?? tracking
    if let asked = world.time(of: "adjust init") {
      let token = world.adServices(askedAt: asked)
      (adServicesAfter, adServicesErrors) = (token?.after, token?.errors ?? [])
    }
    displayAfter = world.display ?? displayAfter
    if let name = world.mark("adjust init")?.fields["environment"]?.string {
      adjust.environment = AdjustClient.Environment(rawValue: name) ?? adjust.environment
    }
    adjust.sendsServerSession = world.request { $0.host == AdjustS2S.host } != nil
    adapty.cluster = world.adaptyCluster ?? adapty.cluster
    push = Push(world.events) ?? push
    // A launch that was cut before its delegate returned does not tell.
    if world.time(of: "did finish launching end") != nil {
      let mode = motiSig?.mode
      motiSig = MotiSig(world.events)
      if let mode { motiSig?.mode = mode }
    }
    if let base = world.motiSigBase { motiSig?.baseURL = base }
    if let request = world.mark("paywall requested") {
      if let mode = request.fields["mode"]?.string { paywall.mode = PaywallLoader.Mode(rawValue: mode) ?? paywall.mode }
      if let placement = request.fields["placement"]?.string { paywall.placement = placement }
      if let timeout = request.fields["timeout"]?.integer { paywall.timeout = .milliseconds(timeout) }
    }
  }
}

/// Finds things in the events of one launch.
private struct RecordedWorld {
  let events: ArraySlice<Event>

  init(_ events: [Event]) {
    let second = events.dropFirst().firstIndex { if case .launch = $0.kind { true } else { false } }
    self.events = events[..<(second ?? events.endIndex)]
  }

  func mark(_ name: String) -> Mark? { event(named: name)?.mark }

  func time(of name: String) -> Instant? { event(named: name)?.event.at }

  /// From the request to the answer; nil when nothing was asked.
  var tracking: LaunchScenario.Tracking? {
    guard let asked = time(of: "ATT requested") else { return nil }
    // Another prompt's mark says whose it is.
    let isAsked = events.contains { $0.kind == .mark(Mark("system prompt shown")) }
    guard let answer = event(named: WaitingTimeEntry.attAnswered.rawValue),
      let number = answer.mark.fields["status"]?.integer, let status = ATTStatus(rawValue: Int(clamping: number))
    else { return isAsked ? .unanswered : nil }
    return LaunchScenario.Tracking(status: status, after: answer.event.at - asked, isAsked: isAsked)
  }

  /// From Adjust's question for Apple's token to its outcome, and the errors, which a click tells; nil without a click.
  func adServices(askedAt asked: Instant) -> (after: Duration, errors: [Int])? {
    guard let (click, _) = request(where: { $0.path == AdjustPackage.Kind.click.path }),
      case .call(_, .request(let request, _)) = click.kind
    else { return nil }
    let wait = max(.zero, click.at - asked)
    guard let code = FormPairs(parsing: request.body.bytes)["error_code"].flatMap(Int.init) else { return (wait, []) }
    // Adjust has asked twice, unless there can be no token (vendors.md 1.3 C).
    guard code != AdServicesError.platformNotSupported.code else { return (wait, [code]) }
    return (max(.zero, wait - AdjustClicks.tokenRetry) / 2, [code, code])
  }

  /// From the last message content before the display.
  var display: Duration? {
    guard let displayed = time(of: WaitingTimeEntry.didDisplay.rawValue),
      let content = request(where: { OneSignalRequests.isContentPath($0.path) }),
      let loaded = events.first(where: { if case .call(content.call, .end) = $0.kind { true } else { false } })
    else { return nil }
    return max(.zero, displayed - loaded.at)
  }

  /// The one whose main host was asked.
  var adaptyCluster: AdaptyConfiguration.Cluster? {
    AdaptyConfiguration.Cluster.allCases.first { cluster in
      request { $0.host == AdaptyCall.Server.main.host(cluster) } != nil
    }
  }

  /// What stood before the path of the first call that named MotiSig's project.
  var motiSigBase: Location? {
    for event in events {
      guard case .call(_, .request(let request, _)) = event.kind, request.fields["X-Project-ID"] != nil,
        let base = MotiSigRequests.base(of: request.location)
      else { continue }
      return base
    }
    return nil
  }

  private func event(named name: String) -> (event: Event, mark: Mark)? {
    for event in events {
      if case .mark(let mark) = event.kind, mark.name == name { return (event, mark) }
    }
    return nil
  }

  func request(where matches: (Location) -> Bool) -> (event: Event, call: Int)? {
    for event in events {
      if case .call(let call, .request(let request, _)) = event.kind, matches(request.location) { return (event, call) }
    }
    return nil
  }
}
