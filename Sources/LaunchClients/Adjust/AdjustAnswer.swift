package import LaunchHTTP
public import LaunchJSON

/// What an answer of Adjust's tells the SDK (vendors.md 1.3 A). A field of the wrong type counts as absent.
package struct AdjustAnswer: Hashable, Sendable {
  /// Only the status 200 is a success; any other with a JSON body ends its package as well (vendors.md 1.5).
  package let isSuccess: Bool
  package let adid: String?
  /// Whole seconds: 1999 ms are 1 s, 900 ms none (vendors.md 1.5).
  package let askIn: Duration?
  package let continueIn: Duration?
  package let retryIn: Duration?
  /// The `attribution` object as it came.
  package let attribution: JSON?
  package let deeplink: String?
  package let isOptedOut: Bool
  package let controlParameters: JSONObject?
  package let conversion: AdjustConversion?
  package let triggers: [AdjustRemoteTrigger]

  /// Nil when `response` is none to Adjust's SDK: a 429, or no JSON object (vendors.md 1.5).
  package init?(_ response: Response) {
    guard response.status != 429, let json = response.json, json.object != nil else { return nil }
    isSuccess = response.status == 200
    adid = json["adid"]?.string?.nonEmpty
    askIn = json["ask_in"].flatMap(milliseconds).map { .seconds($0 / 1000) }
    continueIn = json["continue_in"].flatMap(milliseconds).map { .milliseconds($0) }
    retryIn = json["retry_in"].flatMap(milliseconds).map { .milliseconds($0) }
    attribution = json["attribution"].flatMap { $0.object == nil ? nil : $0 }
    deeplink = json["deeplink"]?.string?.nonEmpty
    isOptedOut = json["tracking_state"]?.string == "opted_out"
    controlParameters = json["control_params"]?.object
    conversion = AdjustConversion(json)
    triggers = (json["remote_triggers"]?.array ?? []).compactMap(AdjustRemoteTrigger.init)
  }
}

/// A SKAdNetwork conversion that Adjust's servers want the app to report (vendors.md 1.3 A).
public struct AdjustConversion: Hashable, Sendable {
  public var value: Int64
  /// `low`, `medium` or `high`.
  public var coarseValue: String?
  public var locksWindow: Bool?

  init?(_ json: JSON) {
    guard let value = json["skadn_conv_value"]?.integer else { return nil }
    self.value = value
    coarseValue = json["skadn_coarse_value"]?.string
    locksWindow = json["skadn_lock_window"]?.bool
  }
}

/// Something Adjust's servers tell the app, since version 5.6.0 (vendors.md 1.3 A).
public struct AdjustRemoteTrigger: Hashable, Sendable {
  public var label: String
  /// Null when there is none.
  public var payload: JSON

  init?(_ json: JSON) {
    guard let label = json["label"]?.string else { return nil }
    self.label = label
    payload = json["payload"] ?? .null
  }
}

/// A wait of the server's: none when it is negative, and at most what 32 bits hold, as in the SDK, which is 24 days.
private func milliseconds(_ json: JSON) -> Int64? {
  switch json {
  case .integer(let number): min(max(number, 0), Int64(Int32.max))
  case .number(let text): Double(text).map { Int64(min(max($0, 0), Double(Int32.max))) }
  default: nil
  }
}
