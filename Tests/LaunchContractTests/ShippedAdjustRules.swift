/// The rules of `contracts/adjust.contract`.
extension ShippedRule {
  static let adjust: [ShippedRule] = [
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
      "mark.mmp_id of tags.adid equals response.body.adid of identifying",
      kept: #"""
        adjust init {"install":true} 0 | POST consent.adjust.com/session 1-2 200{"adid":"a"} | tags added \#
        {"mmp_id":"a"} 3
        """#,
      broken: #"""
        adjust init {"install":true} 0 | POST consent.adjust.com/session 1-2 200{"adid":"a"} | tags added \#
        {"mmp_id":"b"} 3
        """#),
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
}
