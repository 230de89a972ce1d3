/// The rules of `contracts/motisig.contract`.
extension ShippedRule {
  static let motisig: [ShippedRule] = [
    ShippedRule(
      "exactly 1 motisig.initialize",
      kept: "motisig initialize 1",
      broken: "motisig initialize 1 | motisig initialize 2"),
    ShippedRule(
      "user.create only after user.set",
      kept: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 200",
      broken: "POST api.motisig.ai/client/users 1-3 200 | motisig set user 2"),
    ShippedRule(
      "every user.set is followed by user.create (sent)",
      kept: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 400",
      broken: "POST api.motisig.ai/client/users 1-3 200 | motisig set user 2"),
    ShippedRule(
      "every user.set is followed by user.create",
      kept: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 409",
      broken: "motisig set user 1 | POST api.motisig.ai/client/users 2-3 400"),
    ShippedRule(
      "no click between launch.begin and user.create",
      kept: "POST api.motisig.ai/client/users 1-2 201 | POST api.motisig.ai/client/track/click 3-4 200",
      broken: "POST api.motisig.ai/client/track/click 1-4 200 | POST api.motisig.ai/client/users 2-3 201"),
    ShippedRule(
      "user.create never overlaps click",
      kept: "POST api.motisig.ai/client/users 1-2 201 | POST api.motisig.ai/client/track/click 3-4 200",
      broken: "POST api.motisig.ai/client/users 1-3 201 | POST api.motisig.ai/client/track/click 2-4 200"),
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
}
