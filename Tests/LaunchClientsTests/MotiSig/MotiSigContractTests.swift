import Foundation
import LaunchClients
import LaunchContract
import LaunchJSON
import LaunchTrace
import Testing

/// The shipped contract on launches of the default mode, and what it says about the SDK's own.
@Suite struct MotiSigContractTests {
  private func contract() throws -> Contract {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appending(path: "contracts/motisig.contract")
    return try Contract(parsing: Array(try Data(contentsOf: file)), file: "contracts/motisig.contract")
  }

  private func verdicts(_ log: MotiSigLog) throws -> [(String, Verdict)] {
    var events = [Event(at: .zero, .launch(1))] + log.events
    events.append(Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count))))
    return try contract().reports(on: Trace(name: "launch", events: events)).map { ($0.rule.sentence, $0.verdict) }
  }

  private func launch(_ vendor: MotiSigVendor, _ mode: MotiSigClient.Mode = .promised) throws -> MotiSigLog {
    try vendor.run(mode: mode, scenario: .token(after: .milliseconds(700))) { app in
      let client = app.client
      client.initialize(launchPayload: ["messageId": "m0"])
      try await app.sleep(400)
      client.didBecomeActive()
      try await app.sleep(400)
      try client.setUser("u1")
      try? client.addTags(["a"])
      app.tap("m1")
      try? client.trackEvent("opened")
      try await app.sleep(2000)
      client.didRegisterForPush(token: "beef")
      app.tap("m2")
      client.logout()
      try await Task.sleep(for: .seconds(600))
      await client.settle()
    }
  }

  @Test func `every rule is exercised and holds on a launch in which all kinds of calls fail and come again`() throws {
    let vendor = MotiSigVendor([
      "POST users": [409], "POST tags": [500], "POST ping": [0], "POST click": [503, 0, 429, 503, 503, 200, 503, 200],
    ])
    for (sentence, verdict) in try verdicts(launch(vendor)) { #expect(verdict == .holds, "\(sentence)") }
  }

  @Test func `and on one in which nothing does`() throws {
    for (sentence, verdict) in try verdicts(launch(MotiSigVendor())) {
      #expect(verdict == .holds || verdict == .idle, "\(sentence)")
    }
  }

  @Test func `it finds the SDK's subscription for a user that was never registered`() throws {
    let vendor = MotiSigVendor(["POST users": [500]])
    let broken = try verdicts(launch(vendor, .faithful)).filter { $0.1 == .broken }.map(\.0)
    #expect(broken.contains("push.upsert only after user.create"))
    #expect(
      !(try verdicts(launch(vendor)).contains { $0.0 == "push.upsert only after user.create" && $0.1 == .broken }))
  }
}
