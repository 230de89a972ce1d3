import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Script {
  /// Runs `body` in virtual time with a client that has just been initialized, in an app that is active.
  func oneSignal(
    store: LaunchStore = LaunchStore(), device: Device = .sample, horizon: Duration = .seconds(1000),
    _ body: @escaping @MainActor (OneSignalClient) async throws -> Void
  ) throws -> Observed {
    try run(horizon: horizon) { recording in
      let client = try await OneSignalClient.started(over: recording, store: store, device: device)
      try await body(client)
      client.stop()
    }
  }

  /// What a first launch leaves on disk.
  static func settledStore() throws -> LaunchStore {
    let store = LaunchStore()
    _ = try Script().oneSignal(store: store) { try await $0.settle() }
    return store
  }
}

extension OneSignalClient {
  /// A client that has just been initialized, in an app that is active.
  static func started(
    over recording: Recording, store: LaunchStore = LaunchStore(), device: Device = .sample
  ) async throws -> OneSignalClient {
    var scenario = LaunchScenario.firstLaunch
    scenario.activeAfter = .zero
    let phone = Phone(device: device, scenario: scenario, marks: recording)
    try await phone.becomeActive()
    let client = OneSignalClient(
      transport: recording, appID: "app-1", phone: phone, store: store, marks: recording)
    client.initialize()
    return client
  }
}

extension Observed {
  /// When calls of that kind left.
  func starts(_ kind: VendorCallKind) -> [Duration] { calls(kind).map(\.at) }
}

extension Answer {
  /// A refusal in OneSignal's form.
  static func refusal(_ status: Int, fields: Fields = [:]) -> Answer {
    Answer(["errors": [["code": "no", "title": "no"]]], status: status, fields: fields)
  }
}
