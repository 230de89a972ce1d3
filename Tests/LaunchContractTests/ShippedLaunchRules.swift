/// The rules of `contracts/launch.contract`.
extension ShippedRule {
  static let launch: [ShippedRule] = [
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
}
