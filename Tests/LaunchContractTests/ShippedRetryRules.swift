/// The rules of `contracts/retries.contract`.
extension ShippedRule {
  /// Five attempts in the ten seconds from the first on are no storm, and the sixth is late enough or makes it one.
  static let retries: [ShippedRule] = [
    storm("adjust.session", "POST consent.adjust.com/session"),
    storm("adjust.click", "POST analytics.adjust.com/sdk_click"),
    storm("adjust.attribution", "GET analytics.adjust.io/attribution"),
    storm("onesignal.params", "GET api.onesignal.com/apps/a1/ios_params.js"),
    storm("onesignal.user", "POST api.onesignal.com/apps/a1/users"),
    storm("onesignal.change", "PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1"),
    storm("onesignal.messages", "GET api.onesignal.com/apps/a1/subscriptions/s/iams"),
    storm("onesignal.page", "GET onesignal.com/in_app_messages/m/variants/v/html"),
    storm("adapty.profile", "POST api.adapty.io/api/v1/sdk/analytics/profiles/p1/"),
    storm("adapty.attribution", "POST api.adapty.io/api/v1/sdk/attribution/asa/"),
    storm("adapty.products", "GET api.adapty.io/api/v1/sdk/in-apps/k/products/app_store/"),
    storm("adapty.events", "POST api-eu.adapty.io/api/v1/sdk/events/"),
    storm("adapty.paywall", "GET api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/"),
    storm(
      "adapty.default",
      "GET fallback.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json"),
    storm("motisig.user", "POST api.motisig.ai/client/users"),
    storm("motisig.change", "PATCH api.motisig.ai/client/users/u"),
    storm("motisig.event", "POST api.motisig.ai/client/events"),
    storm("motisig.click", "POST api.motisig.ai/client/track/click"),
  ]

  private static func storm(_ name: String, _ request: String) -> ShippedRule {
    func attempts(_ last: Int) -> String {
      [0, 2000, 4000, 6000, 8000, last].map { "\(request) \($0)-\($0 + 1) 503" }.joined(separator: " | ")
    }
    return ShippedRule("at most 5 attempts of \(name) in any 10 s", kept: attempts(10_000), broken: attempts(9_999))
  }
}
