import LaunchClients
import LaunchHTTP
import LaunchJSON
import Testing

/// Exact bytes, beside the section of vendors.md they come from.
@Suite struct AdjustRequestsTests {
  private let created = WallTime(milliseconds: 1_767_323_045_678)
  private let sent = WallTime(milliseconds: 1_767_323_045_690)

  private func forms(
    _ device: Device = .sample, isDelayed: Bool = false, _ change: (inout AdjustConfiguration) -> Void = { _ in }
  ) -> AdjustForms {
    var configuration = AdjustConfiguration(environment: .sandbox)
    change(&configuration)
    return AdjustForms(
      appToken: "abcdefghijkl", configuration: configuration, isDelayed: isDelayed, device: device)
  }

  private func moment(_ status: ATTStatus) -> AdjustForms.Moment {
    AdjustForms.Moment(status: status, now: created, started: WallTime(milliseconds: 1_767_323_045_000))
  }

  private func request(
    _ package: AdjustPackage, _ status: ATTStatus, fields: FormPairs = [:], control: JSONObject? = nil
  ) -> Request {
    AdjustRequests(signature: "signed", device: .sample).request(
      for: package, to: AdjustHosts().host(for: status), status: status, at: sent, fields: fields,
      controlParameters: control)
  }

  private let headers = """
    Client-Sdk: ios5.6.2
    Authorization: signed
    Content-Type: application/x-www-form-urlencoded
    """
  private let device = """
    app_token=abcdefghijkl&bundle_id=com.example.launch&app_version=1&app_version_short=1.0&environment=sandbox\
    &device_type=iPhone&device_name=iPhone99%2C1&os_name=ios&os_version=18.0&idfv=AAAAAAAA-0000-4000-8000-000000000001
    """
  private let idfa = "&idfa=11111111-2222-3333-4444-555555555555"
  private let dedupe = """
    &primary_dedupe_token=9c6b1f6e-52c7-4d0a-8f0e-3b6a7d1c2e40\
    &secondary_dedupe_token=e2d4a8f1-07b3-4c59-9a6d-51f0c3b7a922
    """
  private let dates = """
    &created_at=2026-01-02T03%3A04%3A05.678Z%2B0000&started_at=2026-01-02T03%3A04%3A05.000Z%2B0000\
    &installed_at=2026-11-30T06%3A18%3A02.000Z%2B0000
    """
  private let flags = "&attribution_deeplink=1&needs_response_details=1&foreground=1"
  private let sentAt = "&sent_at=2026-01-02T03%3A04%3A05.690Z%2B0000"

  @Test func `1.3 A posts the first session of a user who agreed to the consent host, with the idfa`() {
    let activity = AdjustActivity(at: created, trackingStatus: .authorized)
    #expect(
      request(forms().session(activity, at: moment(.authorized)), .authorized).wireText == """
        POST https://consent.adjust.com/session
        \(headers)

        \(device)\(idfa)&att_status=3\(dedupe)\(dates)&session_count=1\(flags)\(sentAt)
        """)
  }

  @Test func `1.3 A tells the counters of the last session in a later one, and the push token`() {
    var activity = AdjustActivity(at: WallTime(milliseconds: 0), trackingStatus: .denied)
    activity.counted(at: WallTime(milliseconds: 0))
    activity.note(at: WallTime(milliseconds: 60_400))
    _ = activity.begin(at: WallTime(milliseconds: 90_900))
    _ = activity.begin(at: WallTime(milliseconds: 10_000_000))
    #expect(
      request(forms().session(activity, pushToken: "ab12", at: moment(.denied)), .denied).wireText == """
        POST https://analytics.adjust.com/session
        \(headers)

        \(device)&att_status=2\(dedupe)\(dates)&session_count=2&subsession_count=2&session_length=91&time_spent=60\
        &push_token=ab12\(flags)\(sentAt)
        """)
  }

  @Test func `1.3 A adds the way so far when a package is sent again`() {
    var queue = AdjustQueue()
    var chance = Chance(seed: 1)
    queue.add(AdjustPackage(.session, ["app_token": "a"]), at: .now)
    queue.add(AdjustPackage(.info, ["app_token": "b"]), at: .now)
    #expect(queue.sendingFields == ["queue_size": "1", "retry_count": "0"])
    for (code, wait) in [(-1004, Duration.milliseconds(1234)), (nil, .seconds(60)), (-1001, .zero)]
      as [(Int64?, Duration)]
    {
      guard var head = queue.head else { return }
      head.addError(code)
      let drawn = queue.fail(head, retryIn: wait, isInstallTracked: true, at: .now, using: &chance)
      queue.headWaited(drawn)
    }
    let package = queue.head ?? AdjustPackage(.session, [:])
    #expect(
      request(package, .denied, fields: queue.sendingFields).wireText == """
        POST https://analytics.adjust.com/session
        \(headers)

        app_token=a&enqueue_size=0&att_status=2&queue_size=1&retry_count=3&first_error=-1004&last_error=-1001\
        &wait_total=61.23&wait_time=61.23\(sentAt)
        """)
  }

  @Test func `1.3 B asks for the attribution in the query`() {
    let package = forms { $0.needsCost = true }.question(.backend, at: moment(.denied))
    #expect(
      request(package, .denied).wireText == """
        GET https://analytics.adjust.com/attribution?\(device)&att_status=2\(dedupe)\(dates)&initiated_by=backend\
        &needs_cost=1\(flags)\(sentAt)
        Client-Sdk: ios5.6.2
        Authorization: signed


        """)
  }

  @Test(
    arguments: [
      (.success("t0k="), "attribution_token=t0k%3D"), (.failure(AdServicesError(code: 3)), "error_code=3"),
    ] as [(Result<String, AdServicesError>, String)])
  func `1.3 C posts the Apple Ads click`(token: Result<String, AdServicesError>, field: String) {
    var activity = AdjustActivity(at: created, trackingStatus: .denied)
    activity.counted(at: created)
    #expect(
      request(forms().click(token, activity, at: moment(.denied)), .denied).wireText == """
        POST https://analytics.adjust.com/sdk_click
        \(headers)

        \(device)&att_status=2\(dedupe)\(dates)&session_count=1&subsession_count=1&session_length=0&time_spent=0\
        &source=apple_ads&\(field)\(flags)\(sentAt)
        """)
  }

  @Test(arguments: [(AdjustForms.Information.att, nil, ""), (.push, "ab12", "&push_token=ab12")])
  func `1.3 D posts information`(source: AdjustForms.Information, token: String?, field: String) {
    #expect(
      request(forms().information(source, nil, pushToken: token, at: moment(.denied)), .denied).wireText == """
        POST https://analytics.adjust.com/sdk_info
        \(headers)

        \(device)&att_status=2\(dedupe)\(dates)\(field)&source=\(source.rawValue)\(flags)\(sentAt)
        """)
  }

  @Test func `1.3 A sends control parameters back as JSON text`() {
    let form = FormPairs(
      parsing: request(forms().question(.sdk, at: moment(.denied)), .denied, control: ["key": ["a", 1]])
        .location.query ?? "")
    #expect(form["control_params"] == #"{"key":["a",1]}"#)
  }

  @Test(arguments: [ATTStatus.notDetermined, .restricted, .denied])
  func `1.1 everybody who has not agreed goes to the analytics host, without an idfa`(status: ATTStatus) {
    let package = forms().session(AdjustActivity(at: created, trackingStatus: status), at: moment(status))
    let form = FormPairs(parsing: request(package, status).body.bytes)
    #expect(request(package, status).location.host == "analytics.adjust.com")
    #expect(form["att_status"] == "\(status.rawValue)")
    #expect(form["idfa"] == nil)
  }

  @Test func `1.6 consent is that of the moment of sending`() {
    let activity = AdjustActivity(at: created, trackingStatus: .notDetermined)
    let asked = forms().session(activity, at: moment(.notDetermined))
    let agreed = FormPairs(parsing: request(asked, .authorized).body.bytes)
    #expect(agreed["att_status"] == "3" && agreed["idfa"] == Device.sample.idfa)
    let withdrawn = FormPairs(
      parsing: request(forms().session(activity, at: moment(.authorized)), .denied).body.bytes)
    #expect(withdrawn["att_status"] == "2" && withdrawn["idfa"] == nil)
  }

  @Test func `1.2 waits a minute, and drops what is empty, zero idfas, and a missing signature`() {
    var device = Device.sample
    (device.bundleID, device.idfa) = ("", Device.zeroIDFA)
    let package = forms(device).question(.sdk, at: moment(.authorized))
    let request = AdjustRequests(signature: "", device: device).request(
      for: package, to: "consent.adjust.com", status: .authorized, at: sent)
    let form = FormPairs(parsing: request.location.query ?? "")
    #expect(request.timeout == .seconds(60))
    #expect(form["bundle_id"] == nil && form["idfa"] == nil)
    #expect(request.fields["Authorization"] == nil)
  }

  @Test func `1.3 A names the flags that are on`() {
    var moment = moment(.denied)
    (moment.isForeground, moment.hearsTriggers) = (false, true)
    let form = forms(isDelayed: true).question(.sdk, at: moment).form
    #expect(form["foreground"] == nil && form["background"] == "1")
    #expect(form["ff_first_session_delay"] == "1" && form["ff_remote_triggers_callback"] == "1")
  }

  @Test func `1.2 option 2 posts a server's session`() {
    let sessions = AdjustS2S(token: "secret", appToken: "abcdefghijkl")
    #expect(
      sessions.session(of: .sample, status: .authorized, address: "192.0.2.7").wireText == """
        POST https://s2s.adjust.com/session
        Authorization: Bearer secret
        Content-Type: application/x-www-form-urlencoded
        X-Adjust-Forwarded-For: 192.0.2.7

        s2s=1&app_token=abcdefghijkl&environment=sandbox&os_name=ios&app_version=1&app_version_short=1.0\
        &idfa=11111111-2222-3333-4444-555555555555&idfv=AAAAAAAA-0000-4000-8000-000000000001
        """)
    let denied = sessions.session(of: .sample, status: .denied)
    #expect(FormPairs(parsing: denied.body.bytes)["idfa"] == nil)
    #expect(denied.timeout == .seconds(60))
  }
}
