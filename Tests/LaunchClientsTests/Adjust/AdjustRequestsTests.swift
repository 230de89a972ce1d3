import LaunchClients
import LaunchHTTP
import Testing

/// Exact bytes, beside the section of vendors.md they come from.
@Suite struct AdjustRequestsTests {
  private let requests = AdjustRequests(
    appToken: "abcdefghijkl", signature: "signed", environment: .sandbox, device: .sample)

  private func moment(_ status: ATTStatus) -> AdjustRequests.Moment {
    AdjustRequests.Moment(
      status: status, created: WallTime(milliseconds: 1_767_323_045_678),
      sent: WallTime(milliseconds: 1_767_323_045_690))
  }

  private let device = """
    app_token=abcdefghijkl&bundle_id=com.example.launch&app_version=1&app_version_short=1.0&environment=sandbox\
    &device_type=iPhone&device_name=iPhone99%2C1&os_name=ios&os_version=18.0&idfv=AAAAAAAA-0000-4000-8000-000000000001
    """
  private let dedupe = """
    &primary_dedupe_token=9c6b1f6e-52c7-4d0a-8f0e-3b6a7d1c2e40\
    &secondary_dedupe_token=e2d4a8f1-07b3-4c59-9a6d-51f0c3b7a922
    """

  @Test func `1.3 A posts the session of a user who agreed to the consent host, with the idfa`() {
    let request = requests.session(at: moment(.authorized), started: WallTime(milliseconds: 1_767_323_045_000))
    #expect(
      request.wireText == """
        POST https://consent.adjust.com/session
        Client-Sdk: ios5.6.2
        Authorization: signed
        Content-Type: application/x-www-form-urlencoded

        \(device)&idfa=11111111-2222-3333-4444-555555555555&att_status=3\(dedupe)\
        &created_at=2026-01-02T03%3A04%3A05.678Z%2B0000&started_at=2026-01-02T03%3A04%3A05.000Z%2B0000\
        &installed_at=2026-11-30T06%3A18%3A02.000Z%2B0000&session_count=1\
        &attribution_deeplink=1&needs_response_details=1&foreground=1&sent_at=2026-01-02T03%3A04%3A05.690Z%2B0000
        """)
  }

  @Test(arguments: [ATTStatus.notDetermined, .restricted, .denied])
  func `1.1 everybody else goes to the analytics host, without an idfa`(status: ATTStatus) {
    let request = requests.session(at: moment(status), started: WallTime(milliseconds: 0))
    let form = FormPairs(parsing: request.body.bytes)
    #expect(request.location.host == "analytics.adjust.com")
    #expect(form["att_status"] == "\(status.rawValue)")
    #expect(form["idfa"] == nil)
  }

  @Test func `1.3 B asks for the attribution in the query`() {
    #expect(
      requests.attribution(initiatedBy: .backend, at: moment(.denied)).wireText == """
        GET https://analytics.adjust.com/attribution?\(device)&att_status=2\(dedupe)\
        &created_at=2026-01-02T03%3A04%3A05.678Z%2B0000&initiated_by=backend\
        &attribution_deeplink=1&needs_response_details=1&foreground=1&sent_at=2026-01-02T03%3A04%3A05.690Z%2B0000
        Client-Sdk: ios5.6.2
        Authorization: signed


        """)
  }

  @Test func `1.3 C posts the Apple Ads click`() {
    #expect(
      requests.click(token: "t0k=", at: moment(.denied)).wireText == """
        POST https://analytics.adjust.com/sdk_click
        Client-Sdk: ios5.6.2
        Authorization: signed
        Content-Type: application/x-www-form-urlencoded

        \(device)&att_status=2\(dedupe)&created_at=2026-01-02T03%3A04%3A05.678Z%2B0000&source=apple_ads\
        &attribution_token=t0k%3D&attribution_deeplink=1&needs_response_details=1&foreground=1\
        &sent_at=2026-01-02T03%3A04%3A05.690Z%2B0000
        """)
  }

  @Test func `1.2 waits a minute, and drops empty values`() {
    var device = Device.sample
    device.bundleID = ""
    let requests = AdjustRequests(appToken: "a", signature: "s", environment: .production, device: device)
    let request = requests.session(at: moment(.denied), started: WallTime(milliseconds: 0))
    #expect(request.timeout == .seconds(60))
    #expect(FormPairs(parsing: request.body.bytes)["bundle_id"] == nil)
  }
}
