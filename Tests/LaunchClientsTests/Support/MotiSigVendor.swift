import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchSimulation
import LaunchTrace
import Synchronization

/// A scripted MotiSig: the n-th call of a name gets the n-th status of its list, and the last one for ever after. Calls
/// without a list are fine. Status 0 is no answer at all.
///
/// A name is the method and the last fixed part of the path: `POST users`, `PATCH user`, `POST tags`, `POST click`.
struct MotiSigVendor: Sendable {
  var statuses: [String: [Int]]
  var latency: Duration
  var body: [UInt8] = JSON.object(["success": true]).serialized

  init(_ statuses: [String: [Int]] = [:], latency: Duration = .milliseconds(100)) {
    self.statuses = statuses
    self.latency = latency
  }

  static func name(of request: Request) -> String {
    let parts = request.location.path.split(separator: "/").drop { $0 != "users" && $0 != "events" && $0 != "track" }
    return "\(request.method) " + (parts.first == "users" && parts.count == 2 ? "user" : parts.last ?? "")
  }

  /// Runs `body` in virtual time over this vendor.
  func run(
    mode: MotiSigClient.Mode = .promised, store: LaunchStore = LaunchStore(), scenario: LaunchScenario = .withoutToken,
    device: Device = .sample, pingInterval: Duration = MotiSigClient.pingInterval,
    baseURL: Location = MotiSigClient.baseURL, _ body: @escaping @MainActor (MotiSigApp) async throws -> Void
  ) throws -> MotiSigLog {
    try Simulation.run(horizon: .seconds(1_000_000)) {
      let recording = Recording(transport())
      let app = await MotiSigApp(
        recording: recording, mode: mode, store: store, scenario: scenario, device: device, pingInterval: pingInterval,
        baseURL: baseURL)
      try await body(app)
      await app.client.stop()
      return MotiSigLog(events: recording.events)
    }
  }

  private func transport() -> AnswerTransport {
    let counts = Mutex<[String: Int]>([:])
    return AnswerTransport { request in
      let name = Self.name(of: request)
      let count = counts.withLock { counts in
        counts[name, default: 0] += 1
        return counts[name, default: 0]
      }
      let list = statuses[name] ?? [200]
      let status = list[min(count, list.count) - 1]
      guard status > 0 else {
        return Answer(parts: [.init(at: latency, .fault(.error(TransportError(.refused, during: .connect))))])
      }
      return Answer(head: ResponseHead(status: status), body: self.body, after: latency)
    }
  }
}

/// An app with MotiSig and nothing else.
@MainActor
struct MotiSigApp {
  let client: MotiSigClient
  let phone: Phone
  let store: LaunchStore
  let marks: Recording

  init(
    recording: Recording, mode: MotiSigClient.Mode, store: LaunchStore, scenario: LaunchScenario, device: Device,
    pingInterval: Duration, baseURL: Location
  ) {
    self.store = store
    marks = recording
    phone = Phone(device: device, scenario: scenario, marks: recording)
    client = MotiSigClient(
      transport: recording, phone: phone, store: store, marks: recording, mode: mode, baseURL: baseURL,
      pingInterval: pingInterval)
  }

  func sleep(_ milliseconds: Int) async throws { try await Task.sleep(for: .milliseconds(milliseconds)) }

  func tap(_ messageID: String) { client.didReceiveTap(["messageId": .string(messageID)]) }
}

/// What such an app sent and said.
struct MotiSigLog: Hashable, Sendable {
  let events: [Event]

  /// `100 POST /users/u1/tags`: milliseconds, method, and path behind the base.
  var calls: [String] {
    requests.map {
      "\(($0.at - .zero) / .milliseconds(1)) \($0.request.method) \($0.request.location.path.dropFirst(7))"
    }
    .map { $0.replacing(".0 ", with: " ", maxReplacements: 1) }
  }

  var requests: [(at: Instant, request: Request)] {
    events.compactMap { event in
      if case .call(_, .request(let request, _)) = event.kind { (event.at, request) } else { nil }
    }
  }

  func times(of name: String) -> [Duration] {
    requests.filter { MotiSigVendor.name(of: $0.request) == name }.map { $0.at - .zero }
  }

  func bodies(of name: String) -> [JSON] {
    requests.filter { MotiSigVendor.name(of: $0.request) == name }
      .map { (try? JSON(parsing: $0.request.body.bytes)) ?? .null }
  }

  /// The messages of the clicks, in the order in which they were sent.
  var clicks: [String] { bodies(of: "POST click").map { $0["messageId"]?.string ?? "" } }

  var marks: [String] {
    events.compactMap { event in if case .mark(let mark) = event.kind { mark.name } else { nil } }
  }

  func times(ofMark name: String) -> [Duration] {
    events.compactMap { event in
      if case .mark(let mark) = event.kind, mark.name == name { event.at - .zero } else { nil }
    }
  }
}

extension LaunchScenario {
  /// The permission to push is given, and no token ever comes.
  static var withoutToken: LaunchScenario { token(after: nil) }

  static func token(
    after delay: Duration?, _ permission: PushPermission = .granted
  ) -> LaunchScenario {
    var scenario = LaunchScenario.firstLaunch
    scenario.push = .decided(permission, tokenAfter: delay)
    return scenario
  }
}
