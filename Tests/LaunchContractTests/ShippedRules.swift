/// A rule of a shipped contract, with a launch that keeps it and one that breaks it, as `ShippedLaunch` writes them.
struct ShippedRule: Sendable {
  var sentence: String
  var kept: String
  var broken: String

  private init(_ sentence: String, kept: String, broken: String) {
    self.sentence = sentence
    self.kept = kept
    self.broken = broken
  }

  /// By contract, in the order of its file.
  static let all: [String: [ShippedRule]] = [
    "launch": launch, "adjust": adjust, "onesignal": onesignal, "paywall": paywall, "motisig": motisig,
    "retries": retries,
  ]

  private static let launch: [ShippedRule] = [
    ShippedRule(
      "exactly 1 counting.started",
      kept: "start counting 1",
      broken: "start counting 1 | start counting 2"),
    ShippedRule(
      "log.line only after counting.started",
      kept: "start counting 1 | splash launch 2",
      broken: "ATT answered 0 | start counting 1"),
    ShippedRule(
      "splash.launch only after onesignal.initialized",
      kept: "onesignal initialization 1 | splash launch 2",
      broken: "splash launch 1 | onesignal initialization 2"),
    ShippedRule(
      "exactly 1 onesignal.initialized",
      kept: "onesignal initialization 1",
      broken: "start counting 1"),
    ShippedRule(
      "exactly 1 splash.launch",
      kept: "splash launch 1",
      broken: "splash launch 1 | splash launch 2"),
    ShippedRule(
      "user.wait only after splash.launch",
      kept: "splash launch 1 | waiting for onesignal user id 2",
      broken: "waiting for onesignal user id 1 | splash launch 2"),
    ShippedRule(
      "att.start only after splash.launch",
      kept: "splash launch 1 | start ATT 2",
      broken: "start ATT 1 | splash launch 2"),
    ShippedRule(
      "motisig.initialize only after launching.began",
      kept: "did finish launching begin 1 | motisig initialize 2",
      broken: "motisig initialize 1 | did finish launching begin 2"),
    ShippedRule(
      "no motisig.initialize after launching.ended",
      kept: "motisig initialize 1 | did finish launching end 2",
      broken: "did finish launching end 1 | motisig initialize 2"),
    ShippedRule(
      "user.waited within 12 s of user.wait",
      kept: "waiting for onesignal user id 0 | one signal user id timeout (empty) 12002",
      broken: "waiting for onesignal user id 0 | one signal user id timeout (empty) 12051"),
    ShippedRule(
      "exactly one of user.fetched, user.timeout happens",
      kept: "one signal user id fetched 1 | one signal user id fetched 2",
      broken: "one signal user id timeout (empty) 1 | one signal user id fetched 2"),
    ShippedRule(
      "every user.timeout is followed by home",
      kept: "one signal user id timeout (empty) 1 | navigated to home 2",
      broken: "one signal user id timeout (empty) 1"),
    ShippedRule(
      "att.requested at least 5 s after att.start before app.active",
      kept: "start ATT 0 | ATT requested 5000",
      broken: "start ATT 0 | ATT requested 100 | app active 200"),
    ShippedRule(
      "adjust.start only after att.answered",
      kept: "ATT answered 1 | start adjust initialization 2",
      broken: "start adjust initialization 1 | ATT answered 2"),
    ShippedRule(
      "no push.prompt",
      kept: "start ATT 1",
      broken: "push prompt 1"),
    ShippedRule(
      "prompt.shown and prompt.closed take turns",
      kept: "system prompt shown 1 | system prompt closed 2 | system prompt shown 3",
      broken: "system prompt shown 1 | system prompt shown 2 | system prompt closed 3"),
    ShippedRule(
      "at most 1 prompt.shown between att.start and att.answered",
      kept: "start ATT 1 | system prompt shown 2 | ATT answered 3",
      broken: "start ATT 1 | system prompt shown 2 | system prompt shown 3 | ATT answered 4"),
    ShippedRule(
      "idfa.read only after ids.wait",
      kept: "waiting for idfa adid idfv campaign 1 | idfa 2",
      broken: "idfa 1 | waiting for idfa adid idfv campaign 2"),
    ShippedRule(
      "idfv.read only after ids.wait",
      kept: "waiting for idfa adid idfv campaign 1 | idfv 2",
      broken: "idfv 1 | waiting for idfa adid idfv campaign 2"),
    ShippedRule(
      "adid.read only after ids.wait",
      kept: "waiting for idfa adid idfv campaign 1 | adid (empty) 2",
      broken: "adid 1 | waiting for idfa adid idfv campaign 2"),
    ShippedRule(
      "adid.read within 1.8 s of ids.wait ± 1 s",
      kept: "waiting for idfa adid idfv campaign 0 | adid (empty) 1900",
      broken: "waiting for idfa adid idfv campaign 0 | adid 2801"),
    ShippedRule(
      "campaign only after adjust.start",
      kept: "start adjust initialization 1 | campaign 2",
      broken: "campaign 1 | start adjust initialization 2"),
    ShippedRule(
      "at most 1 campaign",
      kept: "campaign 1",
      broken: "campaign 1 | campaign 2"),
    ShippedRule(
      #"tags.campaign has mark.campaign != """#,
      kept: #"tags added {"campaign":"spring"} 1"#,
      broken: #"tags added {"campaign":""} 1"#),
    ShippedRule(
      "no tags.blank",
      kept: #"tags added {"campaign":"spring"} 1"#,
      broken: #"tags added {"campaign":"\u0020"} 1"#),
    ShippedRule(
      "no deeplink.opened",
      kept: #"deep link {"opened":false} 1"#,
      broken: #"deep link {"opened":true} 1"#),
    ShippedRule(
      "tags.ready only after idfa.read",
      kept: "idfa 1 | adjust tags ready to sync 2",
      broken: "adjust tags ready to sync 1 | idfa 2"),
    ShippedRule(
      "tags.ready only after idfv.read",
      kept: "idfv 1 | adjust tags ready to sync 2",
      broken: "adjust tags ready to sync 1 | idfv 2"),
    ShippedRule(
      "tags.ready only after adid.read",
      kept: "adid (empty) 1 | adjust tags ready to sync 2",
      broken: "adjust tags ready to sync 1 | adid 2"),
    ShippedRule(
      "tags.ready only after user.waited",
      kept: "one signal user id fetched 1 | adjust tags ready to sync 2",
      broken: "adjust tags ready to sync 1 | one signal user id fetched 2"),
    ShippedRule(
      #"tags.added has mark.mmp_id != """#,
      kept: #"tags added {"idfv":"v","mmp_id":"x"} 1"#,
      broken: #"tags added {"idfv":"v","mmp_id":""} 1"#),
    ShippedRule(
      #"tags.added has mark.idfa != """#,
      kept: #"tags added {"idfv":"v","idfa":"x"} 1"#,
      broken: #"tags added {"idfv":"v","idfa":""} 1"#),
    ShippedRule(
      #"tags.added has mark.idfv != """#,
      kept: #"tags added {"idfv":"v","idfv":"x"} 1"#,
      broken: #"tags added {"idfv":""} 1"#),
    ShippedRule(
      #"tags.added has mark.idfa != "00000000-0000-0000-0000-000000000000""#,
      kept: #"tags added {"mmp_id":"a","idfa":"b","idfv":"c"} 1"#,
      broken: #"tags added {"idfv":"c","idfa":"00000000-0000-0000-0000-000000000000"} 1"#),
    ShippedRule(
      "tags.added only after tags.ready",
      kept: #"adjust tags ready to sync 1 | tags added {"mmp_id":"a","idfa":"b","idfv":"c"} 2"#,
      broken: #"tags added {"mmp_id":"a","idfa":"b","idfv":"c"} 1 | adjust tags ready to sync 2"#),
    ShippedRule(
      "iam.wait only after tags.added",
      kept: #"tags added {"mmp_id":"a","idfa":"b","idfv":"c"} 1 | start IAM wait 2"#,
      broken: #"tags added {"campaign":"spring"} 1 | start IAM wait 2"#),
    ShippedRule(
      "iam.unpaused only after tags.added",
      kept: #"tags added {"mmp_id":"a","idfa":"b","idfv":"c"} 1 | in-app unpaused 2"#,
      broken: #"in-app unpaused 1 | tags added {"mmp_id":"a","idfa":"b","idfv":"c"} 2"#),
    ShippedRule(
      "iam.unpaused only after iam.wait",
      kept: "start IAM wait 1 | in-app unpaused 2",
      broken: "in-app unpaused 1 | start IAM wait 2"),
    ShippedRule(
      "iam.unpaused only after trigger.set",
      kept: #"trigger set {"app_ready":"true"} 1 | in-app unpaused 2"#,
      broken: #"trigger set {"app_ready":"false"} 1 | in-app unpaused 2"#),
    ShippedRule(
      "gate.finished within 20 s of iam.wait",
      kept: "start IAM wait 0 | IAM gate finished 20002",
      broken: "start IAM wait 0 | IAM gate finished 20051"),
    ShippedRule(
      "gate.finished within 2.8 s of iam.displayed between iam.wait and home ± 300 ms",
      kept: "start IAM wait 0 | IAM did display 1000 | IAM gate finished 3833 | navigated to home 3834",
      broken: "start IAM wait 0 | IAM did display 1000 | IAM gate finished 4101 | navigated to home 4102"),
    ShippedRule(
      "gate.finished at least 2.8 s after iam.displayed",
      kept: "IAM did display 0 | IAM gate finished 2800",
      broken: "IAM did display 0 | IAM gate finished 2700"),
    ShippedRule(
      "at most 1 iam.displayed",
      kept: "IAM did display 1",
      broken: "IAM did display 1 | IAM did display 2"),
    ShippedRule(
      "iam.displayed only after iam.wait",
      kept: "start IAM wait 1 | IAM did display 2",
      broken: "IAM did display 1 | start IAM wait 2"),
    ShippedRule(
      "home only after gate.finished",
      kept: "IAM gate finished 1 | navigated to home 2",
      broken: "navigated to home 1 | IAM gate finished 2"),
    ShippedRule(
      "exactly 1 home",
      kept: "navigated to home 1",
      broken: "navigated to home 1 | navigated to home 2"),
    ShippedRule(
      "home.shown only after home",
      kept: "navigated to home 1 | home shown 1",
      broken: "home shown 1 | navigated to home 2"),
    ShippedRule(
      "at most 15 iam.unpaused after home",
      kept: """
        navigated to home 0 | in-app unpaused 0000 | in-app unpaused 1000 | in-app unpaused 2000 | in-app \
        unpaused 3000 | in-app unpaused 4000 | in-app unpaused 5000 | in-app unpaused 6000 | in-app unpaused \
        7000 | in-app unpaused 8000 | in-app unpaused 9000 | in-app unpaused 10000 | in-app unpaused 11000 | \
        in-app unpaused 12000 | in-app unpaused 13000 | in-app unpaused 14000
        """,
      broken: """
        navigated to home 0 | in-app unpaused 0000 | in-app unpaused 1000 | in-app unpaused 2000 | in-app \
        unpaused 3000 | in-app unpaused 4000 | in-app unpaused 5000 | in-app unpaused 6000 | in-app unpaused \
        7000 | in-app unpaused 8000 | in-app unpaused 9000 | in-app unpaused 10000 | in-app unpaused 11000 | \
        in-app unpaused 12000 | in-app unpaused 13000 | in-app unpaused 14000 | in-app unpaused 15000
        """),
  ]

  private static let adjust: [ShippedRule] = [
    ShippedRule(
      "adjust only after att.answered",
      kept: "ATT answered 1 | POST consent.adjust.com/session 2-3 200",
      broken: "GET consent.adjust.io/attribution 1-3 200 | ATT answered 2"),
    ShippedRule(
      "at most 1 adjust.start",
      kept: "start adjust initialization 1",
      broken: "start adjust initialization 1 | start adjust initialization 2"),
    ShippedRule(
      "at most 1 adjust.init",
      kept: "adjust init 1",
      broken: "adjust init 1 | adjust init 2"),
    ShippedRule(
      "attribution only after session",
      kept: "POST consent.adjust.com/session 1-2 200 | GET consent.adjust.com/attribution 3-4 200",
      broken: "POST consent.adjust.com/session 1-3 200 | GET consent.adjust.com/attribution 2-4 200"),
    ShippedRule(
      "mark.mmp_id of tags.adid equals response.body.adid of session",
      kept: #"POST consent.adjust.com/session 1-2 200{"adid":"a"} | tags added {"mmp_id":"a"} 3"#,
      broken: #"POST consent.adjust.com/session 1-2 200{"adid":"a"} | tags added {"mmp_id":"b"} 3"#),
    ShippedRule(
      "form.environment of session equals mark.environment of adjust.init",
      kept: #"""
        adjust init {"environment":"sandbox"} 1 | POST consent.adjust.com/session environment=sandbox 2-3 \#
        200
        """#,
      broken: #"""
        adjust init {"environment":"sandbox"} 1 | POST consent.adjust.com/session environment=production 2-3 \#
        200
        """#),
    ShippedRule(
      #"adjust.init has mark.environment != "production""#,
      kept: #"adjust init {"environment":"sandbox"} 1"#,
      broken: #"adjust init {"environment":"production"} 1"#),
    ShippedRule(
      "form.att_status of session equals mark.status of att.answered",
      kept: #"ATT answered {"status":3} 1 | POST consent.adjust.com/session att_status=3 2-3 200"#,
      broken: #"ATT answered {"status":3} 1 | POST consent.adjust.com/session att_status=0 2-3 200"#),
    ShippedRule(
      "session has form.idfa exists",
      kept: #"ATT answered {"status":3} 1 | POST consent.adjust.com/session idfa=b 2-3 200"#,
      broken: #"ATT answered {"status":3} 1 | POST consent.adjust.com/session idfv=c 2-3 200"#),
    ShippedRule(
      "no session.anonymous",
      kept: #"ATT answered {"status":3} 1 | POST consent.adjust.com/session 2-3 200"#,
      broken: #"ATT answered {"status":3} 1 | POST analytics.adjust.com/session 2-3 200"#),
    ShippedRule(
      "no session.identified",
      kept: #"ATT answered {"status":2} 1 | POST analytics.adjust.com/session idfv=c 2-3 200"#,
      broken: #"ATT answered {"status":2} 1 | POST analytics.adjust.com/session idfa=b 2-3 200"#),
    ShippedRule(
      "no session.consented",
      kept: #"ATT answered {"status":2} 1 | POST analytics.adjust.com/session 2-3 200"#,
      broken: #"ATT answered {"status":2} 1 | POST consent.adjust.com/session 2-3 200"#),
  ]

  private static let onesignal: [ShippedRule] = [
    ShippedRule(
      """
      iam.paused right after onesignal.initialize among {onesignal.initialize, iam.paused, iam.unpaused, \
      onesignal.initialized}
      """,
      kept: "onesignal initialize 1 | lifecycle listener added 2 | in-app paused 3 | onesignal initialization 4",
      broken: "onesignal initialize 1 | onesignal initialization 2 | in-app paused 3"),
    ShippedRule(
      "at most 1 onesignal.initialize",
      kept: "onesignal initialize 1",
      broken: "onesignal initialize 1 | onesignal initialize 2"),
    ShippedRule(
      "no user.create after prompt.closed",
      kept: "POST api.onesignal.com/apps/a1/users 1-4 201 | system prompt closed 2",
      broken: "system prompt closed 1 | POST api.onesignal.com/apps/a1/users 2-3 201"),
    ShippedRule(
      "no tags.sent between launch.begin and user.create",
      kept: #"""
        POST api.onesignal.com/apps/a1/users 1-2 201 | PATCH \#
        api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 3-4 202
        """#,
      broken: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 1-2 \#
        202 | POST api.onesignal.com/apps/a1/users 3-4 201
        """#),
    ShippedRule(
      "user.create never overlaps tags.sent",
      kept: #"""
        POST api.onesignal.com/apps/a1/users 1-2 201 | PATCH \#
        api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 3-4 202
        """#,
      broken: #"""
        POST api.onesignal.com/apps/a1/users 1-3 201 | PATCH \#
        api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 2-4 202
        """#),
    ShippedRule(
      #"tags.sent has body.properties.tags.mmp_id != """#,
      kept: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"mmp_id":"x"}}} 1-2 \#
        202
        """#,
      broken: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"mmp_id":""}}} 1-2 \#
        202
        """#),
    ShippedRule(
      #"tags.sent has body.properties.tags.idfa != """#,
      kept: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfa":"x"}}} 1-2 \#
        202
        """#,
      broken: #"PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfa":""}}} 1-2 202"#),
    ShippedRule(
      #"tags.sent has body.properties.tags.idfv != """#,
      kept: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"x"}}} 1-2 \#
        202
        """#,
      broken: #"PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":""}}} 1-2 202"#),
    ShippedRule(
      "no tags.sent except tags.install, tags.mmp, tags.idfa, tags.source",
      kept: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 \#
        {"properties":{"tags":{"campaign":"spring"}}} 1-2 202
        """#,
      broken: #"PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{}}} 1-2 202"#),
    ShippedRule(
      "no iam.unpaused before tags.ready",
      kept: "adjust tags ready to sync 1 | in-app unpaused 2",
      broken: "in-app unpaused 1 | adjust tags ready to sync 2"),
    ShippedRule(
      "no iam.page before tags.ready",
      kept: "adjust tags ready to sync 1 | GET api.onesignal.com/in_app_messages/m/variants/v/html 2-3 200",
      broken: "GET api.onesignal.com/in_app_messages/m/variants/v/html 1-3 200 | adjust tags ready to sync 2"),
    ShippedRule(
      "no iam.impression before tags.ready",
      kept: "adjust tags ready to sync 1 | POST api.onesignal.com/in_app_messages/m/impression 2-3 200",
      broken: "POST api.onesignal.com/in_app_messages/m/impression 1-3 200 | adjust tags ready to sync 2"),
    ShippedRule(
      "iam.page only after tags.install",
      kept: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 1-2 \#
        202 | GET api.onesignal.com/in_app_messages/m/variants/v/html 3-4 200
        """#,
      broken: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 1-3 \#
        202 | GET api.onesignal.com/in_app_messages/m/variants/v/html 2-4 200
        """#),
    ShippedRule(
      "iam.impression only after tags.install",
      kept: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 1-2 \#
        202 | POST api.onesignal.com/in_app_messages/m/impression 3-4 200
        """#,
      broken: #"""
        PATCH api.onesignal.com/apps/a1/users/by/onesignal_id/u1 {"properties":{"tags":{"idfv":"c"}}} 1-2 \#
        500 | POST api.onesignal.com/in_app_messages/m/impression 3-4 200
        """#),
    ShippedRule(
      "at most 1 iam.impression per body.variant_id",
      kept: #"""
        POST api.onesignal.com/in_app_messages/m/impression {"variant_id":1} 1-2 200 | POST \#
        api.onesignal.com/in_app_messages/m/impression {"variant_id":2} 3-4 200
        """#,
      broken: #"""
        POST api.onesignal.com/in_app_messages/m/impression {"variant_id":1} 1-2 200 | POST \#
        api.onesignal.com/in_app_messages/m/impression {"variant_id":1} 3-4 200
        """#),
  ]

  private static let paywall: [ShippedRule] = [
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

  private static let motisig: [ShippedRule] = [
    ShippedRule(
      "exactly 1 motisig.initialize",
      kept: "motisig initialize 1",
      broken: "motisig initialize 1 | motisig initialize 2"),
    ShippedRule(
      "user.create only after user.set",
      kept: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 200",
      broken: "POST api.motisig.ai/client/users 1-3 200 | motisig set user 2"),
    ShippedRule(
      "every user.set is followed by user.create",
      kept: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 409",
      broken: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 400"),
    ShippedRule(
      "push.upsert only after user.create",
      kept: """
        POST api.motisig.ai/client/users 1-2 409 | POST api.motisig.ai/client/users/u/push-subscriptions 3-4 \
        200
        """,
      broken: """
        POST api.motisig.ai/client/users 1-2 500 | POST api.motisig.ai/client/users/u/push-subscriptions 3-4 \
        200
        """),
    ShippedRule(
      "push.upsert has body.token exists",
      kept: #"POST api.motisig.ai/client/users/u/push-subscriptions {"token":"t"} 1-2 200"#,
      broken: #"POST api.motisig.ai/client/users/u/push-subscriptions {"enabled":true} 1-2 200"#),
    ShippedRule(
      #"push.upsert has body.token != """#,
      kept: #"POST api.motisig.ai/client/users/u/push-subscriptions {"token":"t"} 1-2 200"#,
      broken: #"POST api.motisig.ai/client/users/u/push-subscriptions {"token":""} 1-2 200"#),
    ShippedRule(
      "mutation one at a time",
      kept: "POST api.motisig.ai/client/users 1-2 200 | POST api.motisig.ai/client/events 3-4 200",
      broken: "POST api.motisig.ai/client/users 1-3 200 | POST api.motisig.ai/client/users/u/tags 2-4 200"),
    ShippedRule(
      "every push.removed is followed by push.upsert",
      kept: """
        DELETE api.motisig.ai/client/users/u/push-subscriptions 1-2 200 | POST \
        api.motisig.ai/client/users/u/push-subscriptions 3-4 200
        """,
      broken: """
        POST api.motisig.ai/client/users/u/push-subscriptions 1-2 200 | DELETE \
        api.motisig.ai/client/users/u/push-subscriptions 3-4 200
        """),
    ShippedRule(
      "every click.recorded is followed by click",
      kept: #"""
        click recorded 1 | POST api.motisig.ai/client/track/click {"messageId":"m"} 2-3 503 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 1003-1004 200
        """#,
      broken: #"click recorded 1 | POST api.motisig.ai/client/track/click {"messageId":"m"} 2-3 503"#),
    ShippedRule(
      "retries of click back off from 1 s, factor 2, cap 30 s, jitter 20 %, at most 50 tries",
      kept: #"""
        POST api.motisig.ai/client/track/click {"messageId":"m"} 0-10 503 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 900-910 503 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 3100-3110 200
        """#,
      broken: #"""
        POST api.motisig.ai/client/track/click {"messageId":"m"} 0-10 503 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 1010-1020 503 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 2020-2030 200
        """#),
    ShippedRule(
      "at most 1 click (ok) per body.messageId",
      kept: #"""
        POST api.motisig.ai/client/track/click {"messageId":"m"} 1-2 503 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 1002-1003 200
        """#,
      broken: #"""
        POST api.motisig.ai/client/track/click {"messageId":"m"} 1-2 200 | POST \#
        api.motisig.ai/client/track/click {"messageId":"m"} 1002-1003 200
        """#),
  ]

  /// Five attempts in the ten seconds from the first on are no storm, and the sixth is late enough or makes it one.
  private static let retries: [ShippedRule] = [
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
