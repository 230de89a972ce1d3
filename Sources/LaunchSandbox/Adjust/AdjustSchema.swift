import LaunchHTTP
import LaunchJSON

/// What Adjust's SDK puts into its requests (vendors.md 1.2 and 1.3).
enum AdjustSchema {
  /// Any of them names the device, the first one that is there.
  static let identifiers = ["idfv", "primary_dedupe_token", "idfa"]

  enum Call { case session, attribution, click, info }

  /// Dates, beside `created_at` and `sent_at`, which every request has.
  static let dates = ["started_at", "installed_at", "skadn_registered_at"]
  static let counters = [
    "session_count", "subsession_count", "session_length", "time_spent", "queue_size", "enqueue_size", "retry_count",
  ]
  static let flags = [
    "attribution_deeplink", "needs_response_details", "foreground", "background", "send_in_background_enabled",
    "offline_mode_enabled", "ff_coppa", "ff_skadn_disabled", "ff_idfa_disabled", "ff_idfv_disabled",
    "ff_adserv_disabled", "ff_att_disabled", "ff_first_session_delay", "ff_odm_enabled", "ff_remote_triggers_callback",
    "needs_cost",
  ]
  /// JSON text in a form value.
  static let objects = ["callback_params", "partner_params", "control_params", "last_skan_update"]

  static func check(_ form: FormPairs, _ call: Call) throws(Refusal) {
    try checkValues(form)
    switch call {
    case .session:
      for name in ["started_at", "installed_at", "session_count"] { _ = try form.required(name) }
    case .attribution: try form.require("initiated_by", oneOf: ["backend", "sdk"])
    case .click:
      try form.require("source", oneOf: ["apple_ads", "deeplink", "linkme", "google_odm"])
      if form["source"] == "apple_ads", form["attribution_token"] == nil, form["error_code"] == nil {
        throw Refusal(400, "invalid_request", "an apple_ads click needs attribution_token or error_code")
      }
    case .info:
      try form.require("source", oneOf: ["att", "push"])
      if form["source"] == "push" { _ = try form.required("push_token") }
    }
  }

  /// Who asks: app and device.
  static func checkSender(_ form: FormPairs) throws(Refusal) {
    guard try form.required("app_token").utf8.count == 12 else { throw invalid("app_token has to have 12 characters") }
    try form.require("environment", oneOf: ["sandbox", "production"])
    _ = try form.required("os_name")
    guard identifiers.contains(where: { form[$0] != nil }) else {
      throw invalid("nothing identifies the device: idfv is missing")
    }
  }

  /// Empty values, negative numbers and names that come twice never leave the SDK.
  static func checkValues(_ form: FormPairs) throws(Refusal) {
    var names: Set<String> = []
    for (name, value) in form.pairs {
      if value.isEmpty { throw invalid("\(name) is missing") }
      if !names.insert(name).inserted { throw invalid("\(name) is there twice") }
    }
    for name in ["created_at", "sent_at"] { _ = try form.required(name) }
    for name in ["created_at", "sent_at"] + dates {
      if let date = form[name], !isDate(date) { throw invalid("\(name) has to look like \(dateExample)") }
    }
    for name in counters {
      if let number = form[name], !isNumber(number) { throw invalid("\(name) has to be a whole number from 0") }
    }
    for name in flags {
      if let flag = form[name], flag != "0", flag != "1" { throw invalid("\(name) has to be 0 or 1") }
    }
    for name in objects {
      if let text = form[name], (try? JSON(parsing: Array(text.utf8)))?.object == nil {
        throw invalid("\(name) has to be a JSON object")
      }
    }
  }

  static func invalid(_ message: String) -> Refusal { Refusal(400, "invalid_request", message) }

  private static let dateExample = "2026-01-02T03:04:05.678Z+0000"

  /// Digits where the example has digits, and the same elsewhere, except for the offset's sign.
  private static func isDate(_ text: String) -> Bool {
    let (text, example) = (Array(text.utf8), Array(dateExample.utf8))
    guard text.count == example.count else { return false }
    return zip(text, example).allSatisfy { byte, wanted in
      if wanted.isDigit { return byte.isDigit }
      return byte == wanted || wanted == UInt8(ascii: "+") && byte == UInt8(ascii: "-")
    }
  }

  private static func isNumber(_ text: String) -> Bool { text.utf8.count < 20 && text.utf8.allSatisfy(\.isDigit) }
}

extension RoutedRequest {
  /// The form of an SDK's request, checked.
  func adjustForm(_ call: AdjustSchema.Call) throws(Refusal) -> FormPairs {
    guard header("Authorization")?.isEmpty == false else {
      throw Refusal(401, "unauthorized", "the request is not signed: Authorization is missing")
    }
    guard let sdk = header("Client-Sdk"), sdk.split(separator: "@").last?.hasPrefix("ios") == true else {
      throw AdjustSchema.invalid("Client-Sdk has to name the SDK, such as ios5.6.2")
    }
    let form = try call == .attribution ? query : self.form()
    try AdjustSchema.checkSender(form)
    try checkConsent(form)
    try AdjustSchema.check(form, call)
    return form
  }

  /// The form of a server's request, checked (vendors.md 1.2, option 2).
  func adjustServerForm() throws(Refusal) -> FormPairs {
    guard let authorization = header("Authorization"), authorization.hasPrefix("Bearer "),
      authorization.utf8.count > 7
    else { throw Refusal(401, "unauthorized", "Authorization has to be Bearer and a token") }
    let form = try form()
    guard form["s2s"] == "1" else { throw AdjustSchema.invalid("s2s has to be 1") }
    try AdjustSchema.checkSender(form)
    return form
  }

  /// vendors.md 1.1 and 1.3 A: host and idfa tell the consent.
  private func checkConsent(_ form: FormPairs) throws(Refusal) {
    let status = form["att_status"]
    guard status.map(["0", "1", "2", "3"].contains) ?? ["0", "1"].contains(form["tracking_enabled"]) else {
      throw AdjustSchema.invalid("att_status has to be 0, 1, 2 or 3")
    }
    let isConsentHost = host.hasPrefix("consent.")
    // Before iOS 14 there is no status, and the consent host takes everything.
    guard isConsentHost == (status == nil || status == "3") else {
      throw Refusal(400, "wrong_host", "att_status \(status ?? "missing") does not belong on \(host)")
    }
    guard isConsentHost || form["idfa"] == nil else {
      throw AdjustSchema.invalid("idfa has no place beside att_status \(status ?? "missing")")
    }
  }
}

extension FormPairs {
  fileprivate func required(_ name: String) throws(Refusal) -> String {
    guard let value = self[name], !value.isEmpty else { throw AdjustSchema.invalid("\(name) is missing") }
    return value
  }

  fileprivate func require(_ name: String, oneOf values: [String]) throws(Refusal) {
    let value = try required(name)
    guard let last = values.last, !values.contains(value) else { return }
    let choices = values.count < 2 ? last : values.dropLast().joined(separator: ", ") + " or " + last
    throw AdjustSchema.invalid("\(name) has to be \(choices), not \(value)")
  }
}
