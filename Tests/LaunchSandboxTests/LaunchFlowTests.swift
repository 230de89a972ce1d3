import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Synchronization
import Testing

#if !canImport(Darwin)
  /// The clients, which know nothing of the stand-ins, launch against them in virtual time.
  @Suite struct LaunchFlowTests {
    @Test(arguments: [LatencyProfile.lan, .typical])
    func `the published first launch finds everything it needs`(_ profile: LatencyProfile) throws {
      let log = try launch(VendorSandbox(latency: profile))
      #expect(log.refused == [])
      #expect(
        Set(log.requests) == [
          "GET api.onesignal.com ios_params.js", "GET api.onesignal.com 050601",
          "POST api.onesignal.com users", "GET api.onesignal.com iams",
          "PATCH api.onesignal.com onesignal_id", "GET api.onesignal.com html", "POST api.onesignal.com impression",
          "POST consent.adjust.com session", "POST consent.adjust.com sdk_click", "GET consent.adjust.com attribution",
          "GET fallback.adapty.io net-config.json", "POST api.adapty.io profiles", "PATCH api.adapty.io profiles",
          "GET api.adapty.io profiles", "POST api.adapty.io asa", "POST api.adapty.io events",
          "GET api.adapty.io app_store", "GET api.ipify.org ",
          "GET api.adapty.io variations", "GET configs-cdn.adapty.io fallback.json",
          "POST api.motisig.ai users", "POST api.motisig.ai push-subscriptions",
        ])
      #expect(log.requests.filter { $0.hasSuffix("attribution") }.count == 2)
      for mark in ["one signal user id fetched", "adid", "IAM did display", "campaign", "navigated to home"] {
        #expect(log.marks.contains { $0.name == mark }, "\(mark) is missing")
      }
      #expect(log.marks.first { $0.name == "paywall shown" }?.fields["source"] == "segmented")
    }

    @Test func `two launches are the same`() throws {
      let first = try launch(VendorSandbox())
      let second = try launch(VendorSandbox())
      #expect(first.lines == second.lines)
      #expect(!first.lines.isEmpty)
    }

    @Test func `an unexplained install gets the default paywall and no campaign`() throws {
      var sandbox = VendorSandbox()
      sandbox.adjust.attribution = nil
      sandbox.adapty.isAttributed = false
      let log = try launch(sandbox)
      #expect(log.refused == [])
      #expect(!log.marks.contains { $0.name == "campaign" })
      #expect(log.marks.first { $0.name == "paywall shown" }?.fields["source"] == "default")
    }

    private func launch(_ sandbox: VendorSandbox) throws -> LaunchLog {
      let log = LaunchLog(sandbox)
      try Simulation.run {
        try await AppLaunch(transport: AnswerTransport { log.answer($0) }, marks: log).run()
      }
      return log
    }
  }

  /// The stand-ins with a note of everything that was asked and said.
  private final class LaunchLog: MarkSink {
    private struct State {
      var sandbox: VendorSandbox
      var answers: [(request: Request, answer: Answer)] = []
      var marks: [Mark] = []
    }

    private let state: Mutex<State>

    init(_ sandbox: VendorSandbox) { state = Mutex(State(sandbox: sandbox)) }

    func answer(_ request: Request) -> Answer {
      state.withLock { state in
        let answer = state.sandbox.respond(to: request)
        state.answers.append((request, answer))
        return answer
      }
    }

    func mark(_ mark: Mark) { state.withLock { $0.marks.append(mark) } }

    var marks: [Mark] { state.withLock { $0.marks } }

    /// Method, host and the word of the path that tells the calls apart.
    var requests: [String] {
      state.withLock { $0.answers }.map { request, _ in
        let path = request.location.path.split(separator: "/").map(String.init)
        let isVariable = path.last.map { $0.utf8.count >= 32 } ?? false
        let word =
          path.contains("variations") && isVariable ? "variations" : isVariable ? path[path.count - 2] : path.last ?? ""
        return "\(request.method) \(request.location.host) \(word)"
      }
    }

    /// The answers outside 2xx.
    var refused: [String] {
      state.withLock { $0.answers }.filter { !(200..<300).contains($0.answer.status ?? 0) }
        .map { "\($0.request.method) \($0.request.location): \($0.answer.summary)" }
    }

    var lines: [String] {
      state.withLock { state in
        state.answers.map { "\($0.request) \($0.answer)" } + state.marks.map { "\($0)" }
      }
    }
  }
#endif
