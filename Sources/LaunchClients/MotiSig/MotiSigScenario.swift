import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension LaunchScenario.MotiSig {
  /// What a recorded launch did with MotiSig; nil when it has none.
  ///
  /// A user who was never named keeps the name of the default.
  init?(_ events: ArraySlice<Event>) {
    guard let initialized = events.firstIndex(of: "motisig initialize") else { return nil }
    self.init(userAfter: nil, asksForPush: events.firstIndex(of: "push prompt") != nil)
    let launched = events.firstIndex(of: "did finish launching end")
    if let launched, let named = events.firstIndex(of: "motisig set user") {
      userAfter = events[named].at - events[launched].at
    }
    userID = events.lazy.compactMap { $0.motiSigMember("id", endOfPath: "/users") }.first ?? userID
    // Only a tap that started the app is taken down while the application delegate still runs.
    if let click = events.firstIndex(of: "click recorded"), click < launched ?? initialized {
      tappedMessageID = events.lazy.compactMap { $0.motiSigMember("messageId", endOfPath: "/track/click") }.first
    }
  }
}

extension LaunchScenario.Push {
  /// What became of the permission and the token in a recorded launch; nil when it does not tell.
  init?(_ events: ArraySlice<Event>) {
    guard let initialized = events.firstIndex(of: "motisig initialize") else { return nil }
    let shown = events.firstIndex { $0.kind == .mark(Mark("system prompt shown", ["for": "push"])) }
    let closed = shown.flatMap { events[$0...].firstIndex(of: "system prompt closed") }
    let token = events.firstIndex(of: "push token")
    let answer = token.flatMap { events[$0].mark?.fields["permission"]?.string }.flatMap(PushPermission.init)
    let asked = events[closed ?? initialized].at
    self.init(
      permission: answer ?? .granted, after: .zero, isAsked: shown != nil || answer == .unknown,
      tokenAfter: token.map { events[$0].at - asked })
    // A prompt that nobody has answered stays open for as long as any launch.
    if let shown { after = closed == nil ? .seconds(86_400) : asked - events[shown].at }
  }
}

extension ArraySlice<Event> {
  fileprivate func firstIndex(of mark: String) -> Int? { firstIndex { $0.mark?.name == mark } }
}

extension Event {
  fileprivate var mark: Mark? { if case .mark(let mark) = kind { mark } else { nil } }

  /// A text in the body of a POST to the path of MotiSig's that ends so.
  fileprivate func motiSigMember(_ key: String, endOfPath path: String) -> String? {
    guard case .call(_, .request(let request, _)) = kind, request.method == "POST",
      request.location.host == MotiSigRequests.base.host, request.location.path.hasSuffix(path)
    else { return nil }
    return (try? JSON(parsing: request.body.bytes))?[key]?.string
  }
}
