import LaunchClients
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Launches of one installation in one simulation: each has a process of its own, and they share the store.
@MainActor
final class AdjustLaunches {
  let recording: Recording
  var store = LaunchStore()
  var scenario: LaunchScenario
  private let start = ContinuousClock.now

  init(_ recording: Recording, _ status: ATTStatus = .authorized, tokenAfter: Duration? = nil) {
    self.recording = recording
    scenario = .firstLaunch
    scenario.tracking = .decided(status, after: .zero)
    scenario.adServicesAfter = tokenAfter
  }

  /// A process that starts now.
  func phone() -> Phone {
    var device = Device.sample
    device.launchedAt.milliseconds += Int64((ContinuousClock.now - start) / .milliseconds(1))
    return Phone(device: device, scenario: scenario, marks: recording)
  }

  /// The SDK in a process that starts now, not started yet.
  func client(_ phone: Phone? = nil) -> AdjustClient {
    let client = AdjustClient(
      transport: recording, phone: phone ?? self.phone(), store: store, marks: recording)
    client.onAttributionChange = { [recording] in recording.mark("attributed \($0.campaign ?? "")") }
    return client
  }

  /// Starts the SDK.
  func launch(_ phone: Phone? = nil, _ change: (inout AdjustConfiguration) -> Void = { _ in }) -> AdjustClient {
    let client = client(phone)
    var configuration = AdjustConfiguration(environment: .sandbox)
    change(&configuration)
    client.initSDK(configuration)
    return client
  }
}

extension LaunchStore {
  /// What is in it now, as a process that is killed at this moment leaves it.
  var copy: LaunchStore {
    let copy = LaunchStore()
    for entry in entries(under: "") { copy.set(entry.key, entry.value) }
    return copy
  }
}

extension Answer {
  /// Nobody is there.
  static let refused = Answer(
    parts: [.init(at: .milliseconds(50), .fault(.error(TransportError(.refused, during: .connect))))])
  /// Nobody ever answers.
  static let silent = Answer(parts: [.init(at: .zero, .fault(.hang))])
  /// An answer that is no JSON.
  static let page = Answer(
    head: ResponseHead(status: 200), body: Array("<html>".utf8), after: .milliseconds(100))
}

func sleep(_ duration: Duration) async throws { try await Task.sleep(for: duration, tolerance: .zero) }
