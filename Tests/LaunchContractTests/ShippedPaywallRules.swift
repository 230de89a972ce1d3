/// The rules of `contracts/paywall.contract`.
extension ShippedRule {
  static let paywall: [ShippedRule] = [
    ShippedRule(
      "adapty only after adapty.activate",
      kept: """
        adapty activate 1 | GET \
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \
        2-3 200
        """,
      broken: "GET fallback.adapty.io/api/v1/sdk/company/k/app/net-config.json 1-3 200 | adapty activate 2"),
    ShippedRule(
      "exactly 1 adapty.activate",
      kept: "adapty activate 1",
      broken: "adapty activate 1 | adapty activate 2"),
    ShippedRule(
      "profile.received only after delegate.set",
      kept: "profile delegate set 1 | profile received 2",
      broken: "profile received 1 | profile delegate set 2"),
    ShippedRule(
      "profile.create ends only after delegate.set starts",
      kept: "POST api.adapty.io/api/v1/sdk/analytics/profiles/p1/ 1-3 201 | profile delegate set 2",
      broken: "POST api.adapty.io/api/v1/sdk/analytics/profiles/p1/ 1-2 201 | profile delegate set 3"),
    ShippedRule(
      "every profile.create (ok) is followed by profile.received",
      kept: "POST api.adapty.io/api/v1/sdk/analytics/profiles/p1/ 1-2 201 | profile received 3",
      broken: "POST api.adapty.io/api/v1/sdk/analytics/profiles/p1/ 1-2 201"),
    ShippedRule(
      #"""
      header."adapty-profile-segment-hash" of paywall.segmented equals \#
      response.body.data.attributes.segment_hash of profile
      """#,
      kept: #"""
        POST api.adapty.io/api/v1/sdk/attribution/asa/ 1-2 200{"data":{"attributes":{"segment_hash":"s2"}}} \#
        | GET api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ \#
        (adapty-profile-segment-hash:s2) 3-4 200
        """#,
      broken: #"""
        POST api.adapty.io/api/v1/sdk/analytics/profiles/p1/ 1-2 \#
        201{"data":{"attributes":{"segment_hash":"s2"}}} | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ (adapty-profile-segment-hash:s1) 3-4 \#
        200
        """#),
    ShippedRule(
      "paywall.segmented at least 3 s after paywall.requested before profile.attributed",
      kept: """
        paywall requested 0 | GET api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 5000-5001 \
        200
        """,
      broken: #"""
        paywall requested 0 | GET api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 100-101 \#
        200 | profile received {"sources":["apple_search_ads"]} 200
        """#),
    ShippedRule(
      "paywall.segmented (sent) within 1 s of paywall.requested after profile.attributed",
      kept: #"""
        profile received {"sources":["apple_search_ads"]} 0 | paywall requested 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-1500 200
        """#,
      broken: #"""
        profile received {"sources":["apple_search_ads"]} 0 | paywall requested 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 5001-5002 200
        """#),
    ShippedRule(
      "every paywall.requested is followed by paywall.decided",
      kept: "paywall requested 1 | paywall failed 2",
      broken: "paywall requested 1"),
    ShippedRule(
      "every paywall.segmented (answered 4xx, 5xx) is followed by paywall.shown",
      kept: #"""
        GET api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 1-2 500 | paywall shown \#
        {"source":"fallback"} 3
        """#,
      broken: "GET api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 1-2 404 | paywall failed 3"),
    ShippedRule(
      "paywall.failed starts only after paywall.default (any outcome) ends",
      kept: """
        GET \
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \
        1-2 500 | paywall failed 3
        """,
      broken: """
        GET \
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \
        1-4 200 | paywall failed 3
        """),
    ShippedRule(
      "paywall.segmented only after profile.attributed",
      kept: #"""
        paywall requested {"mode":"race"} 1 | profile received {"sources":["apple_search_ads"]} 2 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 3-4 200
        """#,
      broken: #"""
        paywall requested {"mode":"race"} 1 | profile received {"sources":[]} 2 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 3-4 200
        """#),
    ShippedRule(
      "no paywall.segmented after paywall.timeout",
      kept: #"""
        paywall requested {"mode":"race"} 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-5 200 | paywall timeout 3
        """#,
      broken: #"""
        paywall requested {"mode":"race"} 1 | paywall timeout 2 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 3-4 200
        """#),
    ShippedRule(
      "exactly 1 paywall.default",
      kept: #"""
        paywall requested {"mode":"race"} 1 | GET \#
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \#
        2-3 200
        """#,
      broken: #"""
        paywall requested {"mode":"race"} 1 | GET \#
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \#
        2-3 200 | GET \#
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \#
        4-5 200
        """#),
    ShippedRule(
      "at most 1 paywall.segmented",
      kept: #"""
        paywall requested {"mode":"race"} 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-3 500 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 4-5 200
        """#,
      broken: #"""
        paywall requested {"mode":"race"} 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-3 200 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 4-5 200
        """#),
    ShippedRule(
      "paywall.default (sent) within 1 s of paywall.requested",
      kept: #"""
        paywall requested {"mode":"race"} 0 | GET \#
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \#
        1-9000 200
        """#,
      broken: #"""
        paywall requested {"mode":"race"} 0 | GET \#
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \#
        5001-5002 200
        """#),
    ShippedRule(
      "every paywall.timeout is followed by paywall.shown",
      kept: #"paywall requested {"mode":"race"} 0 | paywall timeout 1 | paywall shown 2"#,
      broken: #"paywall requested {"mode":"race"} 0 | paywall timeout 1 | paywall failed 2"#),
    ShippedRule(
      "exactly 1 paywall.segmented",
      kept: #"""
        paywall requested {"mode":"simple"} 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-3 200
        """#,
      broken: #"""
        paywall requested {"mode":"simple"} 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-3 200 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 4-5 200
        """#),
    ShippedRule(
      "no paywall.default",
      kept: #"""
        paywall requested {"mode":"simple"} 1 | GET \#
        api.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/f00/ 2-3 200
        """#,
      broken: #"""
        paywall requested {"mode":"simple"} 1 | GET \#
        configs-cdn.adapty.io/api/v1/sdk/in-apps/k/paywall/variations/main/app_store/en/4_4/fallback.json \#
        2-3 200
        """#),
    ShippedRule(
      "paywall.shown within 5 s of paywall.requested or else paywall.timeout",
      kept: #"paywall requested {"timeout":5000} 0 | paywall timeout 5002 | paywall shown 9000"#,
      broken: #"paywall requested {"timeout":5000} 0 | paywall shown 5100"#),
  ]
}
