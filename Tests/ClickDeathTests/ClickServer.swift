import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchServer
import Synchronization

/// MotiSig's stand-in on a loopback port, which refuses every seventh click and loses the answer to every eleventh.
final class ClickServer: Sendable {
  private struct State {
    var sandbox = MotiSigSandbox(
      latency: LatencyProfile(name: "near", other: LatencyProfile.Timing(head: .milliseconds(2))))
    var clicks = 0
    var refusals = 0
  }

  private let server: LaunchServer
  private let state: Box

  init() throws {
    let state = Box()
    self.state = state
    server = try LaunchServer { request in state.value.withLock { Self.answer(request, &$0) } }
  }

  var address: String { server.address }

  func stop() { server.stop() }

  /// The messages whose click is recorded, in order.
  var records: [String] { state.value.withLock { $0.sandbox.clicks.map(\.messageID) } }

  func deliveries(of messageID: String) -> Int {
    state.value.withLock { state in
      state.sandbox.clicks.first { $0.messageID == messageID }?.deliveries ?? 0
    }
  }

  var summary: String {
    state.value.withLock { state in
      let more = state.sandbox.clicks.reduce(0) { $0 + $1.deliveries - 1 }
      return
        "\(state.clicks) requests, \(state.refusals) refused, \(more) sent again after an answer that did not arrive"
    }
  }

  private static func answer(_ request: Request, _ state: inout State) -> Answer {
    guard request.location.path.hasSuffix("/track/click") else { return state.sandbox.respond(to: request) }
    state.clicks += 1
    if state.clicks.isMultiple(of: 7) {
      state.refusals += 1
      return Answer(head: ResponseHead(status: 503), after: .milliseconds(2))
    }
    let answer = state.sandbox.respond(to: request)
    return state.clicks.isMultiple(of: 11) ? Answer(parts: [.init(at: .milliseconds(2), .fault(.reset))]) : answer
  }

  private final class Box: Sendable {
    let value = Mutex(State())
  }
}
