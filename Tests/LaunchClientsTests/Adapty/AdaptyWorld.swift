import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// A client over scripted vendors. Answers take 100 ms, refusals 50 ms and Apple's token 70 ms, so by default the
/// configuration is there at 100 ms, the profile at 200 ms and the attribution at 370 ms.
struct AdaptyWorld: Sendable {
  var script = Script()
  var device = Device.sample
  var configuration = AdaptyConfiguration()
  var scenario = LaunchScenario.firstLaunch
  var store = LaunchStore()
  /// Whether the app becomes active right behind the activation.
  var isUsed = true
  /// Whether what is left is waited for at the end.
  var settles = true
  var horizon = Duration.seconds(1000)

  init(_ script: Script = Script()) {
    self.script = script
    scenario.activeAfter = .zero
    scenario.tracking = .prompt(.denied, after: .seconds(7))
    configuration.collectsAddress = false
  }

  /// Activates a client, runs `body`, and returns what has been seen; profiles of the delegate are marks.
  func run(
    _ body: @escaping @MainActor (AdaptyClient, Phone) async throws -> Void = { _, _ in }
  ) throws -> Observed {
    try script.run(horizon: horizon) { [self] recording in
      let phone = Phone(device: device, scenario: scenario, marks: recording)
      let client = AdaptyClient(
        transport: recording, publicKey: "public.0", phone: phone, store: store, configuration: configuration,
        marks: recording)
      client.delegate = { recording.mark("profile \($0.timestamp)") }
      await client.activate()
      await client.activate()
      if isUsed { try await phone.becomeActive() }
      try await body(client, phone)
      if settles { await client.settle() } else { client.stop() }
    }
  }
}

extension Observed {
  /// When the calls began.
  var starts: [Duration] {
    events.compactMap { event in
      if case .call(_, .request) = event.kind { event.at - .zero } else { nil }
    }
  }

  /// When the last thing happened.
  var end: Duration? { events.last.map { $0.at - .zero } }
}

extension Observed.Call {
  var attributes: JSON? { body["data"]?["attributes"] }

  /// The names of the events in a batch; of the SDK's own log the line's.
  var events: [String] {
    (attributes?["events"]?.array ?? []).map { event in
      let line = event["custom_data"]?.string.flatMap { try? JSON(parsing: $0) }
      return (line ?? event)["event_name"]?.string ?? "?"
    }
  }
}

extension Sequence where Element == Int {
  var milliseconds: [Duration] { map { .milliseconds($0) } }
}
