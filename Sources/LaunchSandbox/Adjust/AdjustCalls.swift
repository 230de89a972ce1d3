import LaunchHTTP
import LaunchJSON

/// What each call does and is answered.
extension AdjustSandbox {
  /// vendors.md 1.3 A.
  mutating func session(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.adjustForm(.session)
    return track(form, adid: request.adid(of: form))
  }

  /// vendors.md 1.2, option 2: the same device, told by the app's own server.
  mutating func serverSession(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.adjustServerForm()
    return track(form, adid: request.adid(of: form))
  }

  /// vendors.md 1.3 B.
  mutating func attribution(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let query = try request.adjustForm(.attribution)
    let adid = request.adid(of: query)
    guard var device = devices[adid], !device.sessions.isEmpty else {
      throw Refusal(404, "device_not_found", "no session of this device is known")
    }
    device.questions += 1
    devices[adid] = device
    var answer = answered(query, adid, "Attribution not ready")
    if askIn.indices.contains(device.questions) {
      answer["ask_in"] = .integer(askIn[device.questions].wholeMilliseconds)
    } else {
      answer["message"] = attribution == nil ? "No attribution" : "Attribution found"
      answer["attribution"] = attribution(forCost: query["needs_cost"] == "1").map(JSON.object)
    }
    return Reply(.object(answer))
  }

  /// vendors.md 1.3 C: may come before the session, or while it is being answered.
  func click(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.adjustForm(.click)
    return Reply(.object(answered(form, request.adid(of: form), "Click tracked")))
  }

  /// vendors.md 1.3 D.
  func info(_ request: RoutedRequest) throws(Refusal) -> Reply {
    let form = try request.adjustForm(.info)
    return Reply(.object(answered(form, request.adid(of: form), "Information tracked")))
  }

  private mutating func track(_ form: FormPairs, adid: String) -> Reply {
    let created = form["created_at"] ?? ""
    var device = devices[adid] ?? Device()
    if created.isEmpty || !device.sessions.contains(created) { device.sessions.append(created) }
    devices[adid] = device
    let isInstall = device.sessions.count == 1
    var answer = answered(form, adid, isInstall ? "Install tracked" : "Session tracked")
    if isInstall, let first = askIn.first {
      answer["ask_in"] = .integer(first.wholeMilliseconds)
    } else {
      answer["attribution"] = attribution(forCost: true).map(JSON.object)
    }
    for member in sessionMembers.members { answer[member.key] = member.value }
    return Reply(.object(answer))
  }

  private func answered(_ form: FormPairs, _ adid: String, _ message: String) -> JSONObject {
    [
      "adid": .string(adid), "timestamp": .string(form["sent_at"] ?? form["created_at"] ?? ""),
      "message": .string(message),
    ]
  }

  private func attribution(forCost isWanted: Bool) -> JSONObject? {
    guard var attribution else { return nil }
    if !isWanted { for key in ["cost_type", "cost_amount", "cost_currency"] { attribution[key] = nil } }
    return attribution
  }
}

extension RoutedRequest {
  /// The same for the same app and device in every run. The form has been checked.
  fileprivate func adid(of form: FormPairs) -> String {
    let device = AdjustSchema.identifiers.lazy.compactMap { form[$0] }.first ?? ""
    return inventedHex("adid", form["app_token"] ?? "", device)
  }
}

extension Duration {
  /// Whole milliseconds, truncated; 0 for what does not fit.
  fileprivate var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? 0 : product &+ attoseconds / 1_000_000_000_000_000
  }
}
