import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import Testing

@Suite struct LatencyProfileTests {
  @Test(arguments: LatencyProfile.all) func `a named profile is found and never instant`(_ profile: LatencyProfile)
    throws
  {
    #expect(LatencyProfile(named: profile.name) == profile)
    var sandbox = VendorSandbox(latency: profile)
    for host in VendorSandbox.hosts {
      let answer = try sandbox.respond(to: Request("GET", "https://\(host)/"))
      #expect(answer.parts.allSatisfy { $0.offset > .zero })
    }
  }

  @Test func `an unknown name is no profile`() { #expect(LatencyProfile(named: "moon") == nil) }

  @Test func `head, pieces and end come at their times`() throws {
    let timing = LatencyProfile.Timing(head: .milliseconds(100), pieces: 3, spacing: .milliseconds(10))
    var sandbox = AdjustSandbox(latency: LatencyProfile(name: "test", other: timing))
    let answer = try sandbox.respond(to: Adjust.post("/session"))
    #expect(answer.parts.map(\.offset) == [100, 110, 120, 130, 130].map(Duration.milliseconds))
    #expect(answer.head?.fields["Content-Length"] == nil)
    #expect(answer.json?["adid"] != nil)
  }

  @Test func `a body in one piece says its length`() throws {
    var sandbox = AdjustSandbox()
    let answer = try sandbox.respond(to: Adjust.post("/session"))
    #expect(answer.head?.fields["Content-Length"] == "\(answer.body.count)")
  }

  @Test func `jitter stays in its bounds and depends on the seed`() throws {
    var profile = LatencyProfile(name: "test", other: .init(head: .milliseconds(100)), jitterPercent: 20)
    func heads() throws -> [Duration] {
      var sandbox = AdjustSandbox(latency: profile)
      let request = try Adjust.post("/session")
      return (0..<200).map { _ in sandbox.respond(to: request).parts.first?.offset ?? .zero }
    }
    let first = try heads()
    #expect(first.allSatisfy { (Duration.milliseconds(80) ... .milliseconds(120)).contains($0) })
    #expect(Set(first).count > 50)
    #expect(try heads() == first)
    profile.seed = 2
    #expect(try heads() != first)
  }
}
