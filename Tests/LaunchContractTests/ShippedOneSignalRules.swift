/// The rules of `contracts/onesignal.contract`.
extension ShippedRule {
  static let onesignal: [ShippedRule] = [
    ShippedRule(
      """
      iam.paused right after onesignal.initialize among {onesignal.initialize, iam.paused, iam.unpaused, \
      onesignal.initialized}
      """,
      kept: "onesignal initialize 1 | lifecycle listener added 2 | in-app paused 3 | onesignal initialization 4",
      broken: "onesignal initialize 1 | onesignal initialization 2 | in-app paused 3"),
    ShippedRule(
      "no iam.unpaused before tags.ready",
      kept: "adjust tags ready to sync 1 | in-app unpaused 2",
      broken: "in-app unpaused 1 | adjust tags ready to sync 2"),
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
}
