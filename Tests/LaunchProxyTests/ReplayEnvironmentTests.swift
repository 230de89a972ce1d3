import Testing

@testable import LaunchProxy

@Suite struct ReplayEnvironmentTests {
  @Test func `a program finds the proxy, the control endpoint and a base URL for each host`() {
    let environment = ReplayEnvironment(
      proxy: "http://127.0.0.1:1", control: "http://127.0.0.1:2",
      bases: [
        .init(name: "api.onesignal.com", url: "http://127.0.0.1:3"),
        .init(name: "api.motisig.ai", url: "http://127.0.0.1:4"),
        .init(name: "api-onesignal.com", url: "http://127.0.0.1:5"),
        .init(name: "control", url: "http://127.0.0.1:6"),
        .init(name: "both.test:8080", url: "http://127.0.0.1:7"),
      ])
    let variables = environment.variables(over: [
      "PATH": "/bin", "no_proxy": "*", "NO_PROXY": "127.0.0.1", "HTTPS_PROXY": "http://proxy.test:3128",
    ])
    #expect(
      variables == [
        "PATH": "/bin",
        "http_proxy": "http://127.0.0.1:1", "HTTP_PROXY": "http://127.0.0.1:1",
        "https_proxy": "http://127.0.0.1:1", "HTTPS_PROXY": "http://127.0.0.1:1",
        "all_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1",
        "LAUNCHTAPE_URL": "http://127.0.0.1:1", "LAUNCHTAPE_CONTROL": "http://127.0.0.1:2",
        "LAUNCHTAPE_API_ONESIGNAL_COM": "http://127.0.0.1:3",
        "LAUNCHTAPE_API_MOTISIG_AI": "http://127.0.0.1:4", "MOTISIG_BASE_URL": "http://127.0.0.1:4/client",
        "LAUNCHTAPE_BOTH_TEST_8080": "http://127.0.0.1:7",
      ])
  }

  @Test(arguments: [
    ("consent.adjust.com", "LAUNCHTAPE_CONSENT_ADJUST_COM"), ("[::1]:80", "LAUNCHTAPE____1__80"),
    ("http://é.test", "LAUNCHTAPE_HTTP_____TEST"),
  ])
  func `a variable has capitals, digits and underscores`(name: String, variable: String) {
    #expect(ReplayEnvironment.variable(for: name) == variable)
  }
}
