import Foundation
import LaunchClients
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchSandbox
import LaunchSimulation
import LaunchTrace
import Synchronization
import TestSupport
import Testing

/// The process dies at each moment of a run that delivers clicks; the next one finds what was on disk. No click that was
/// taken down is lost, and none whose answer was taken down is sent again.
@Suite struct MotiSigDeathTests {
  /// In memory, after each event of the run: a mark, a request before and after it has reached the server, an answer
  /// before and after the client has heard of it.
  @Test func `a death after any event loses no click and repeats none`() throws {
    let whole = try firstLife(dyingAt: .max)
    #expect(whole.eventCount > 60)
    #expect(whole.recorded.count == 6)
    for moment in 1...whole.eventCount {
      let death = try firstLife(dyingAt: moment)
      let store = LaunchStore()
      for entry in death.entries { store.set(entry.key, entry.value) }
      try judge(death, store, "event \(moment)")
    }
  }

  /// On disk, in each call of the system that the store makes; a write takes nothing, some bytes, or all.
  @Test(arguments: [0, 9, 4096]) func `a death in any call of the store loses no click and repeats none`(
    bytes: Int
  ) throws {
    let quiet = FaultySystem()
    let whole = try onDisk(quiet)
    #expect(whole.recorded.count == 6)
    for number in 1...quiet.count {
      let death = try onDisk(FaultySystem(.dies(bytes: bytes), at: number))
      let folder = try createUniqueFolder(prefix: "death-")
      defer { try? FileManager.default.removeItem(atPath: folder) }
      if let left = death.file { try writeFile(left, to: joinPath(folder, "launch-state.part")) }
      let store = try LaunchStore(folder: folder)
      try judge(death, store, "call \(number), \(bytes) bytes")
    }
  }

  /// Two more lives over what a process has left: one that only delivers, and one in which the user taps everything again,
  /// because a tap that death has swallowed looks to them like one that did nothing.
  private func judge(_ death: Death, _ store: LaunchStore, _ moment: Comment) throws {
    let waiting = Set(store.entries(under: "motisig.click.").compactMap { $0.value["message"]?.string })
    let second = try nextLife(store, death.server)
    for message in death.recorded { #expect(second.deliveries(of: message) > 0, "\(message) is lost: \(moment)") }
    for click in second.clicks {
      let more = click.deliveries - death.server.deliveries(of: click.messageID)
      let isKnown = death.acknowledged.contains(click.messageID) || !waiting.contains(click.messageID)
      #expect(more <= (isKnown ? 0 : 1), "\(click.messageID) is sent again: \(moment)")
    }
    let third = try nextLife(store, second, taps: Self.messages)
    for message in Self.messages {
      let (before, after) = (second.deliveries(of: message), third.deliveries(of: message))
      #expect(before == 0 ? after == 1 : after == before, "\(message) went from \(before) to \(after): \(moment)")
    }
  }

  private static let messages = ["m0", "m1", "m2", "m3", "m4", "m5"]

  private func firstLife(dyingAt moment: Int) throws -> Death {
    let store = LaunchStore()
    return try Simulation.run {
      let process = MortalProcess(store: store, diesAt: moment)
      try await Self.life(process, store)
      return process.death
    }
  }

  private func onDisk(_ system: FaultySystem) throws -> Death {
    let folder = try createUniqueFolder(prefix: "death-")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var death = Death()
    if let store = try? LaunchStore(folder: folder, calls: system.calls) {
      death = try Simulation.run {
        let process = MortalProcess(store: store, diesAt: .max)
        try await Self.life(process, store)
        return process.death
      }
    }
    death.file = try? readFile(joinPath(folder, "launch-state.part"))
    return death
  }

  /// Taps before and after the user is there; answers that refuse, and answers that are lost.
  @MainActor
  private static func life(_ process: MortalProcess, _ store: LaunchStore) async throws {
    let phone = Phone(scenario: .withoutToken, marks: process)
    let client = MotiSigClient(transport: process, phone: phone, store: store, marks: process)
    func tap(_ message: String, _ call: (JSONObject) -> Void) {
      guard !process.isDead else { return }
      call(["messageId": .string(message)])
      if !process.isDead { process.note(recorded: message) }
    }
    tap("m0") { client.initialize(launchPayload: $0) }
    tap("m1") { client.didReceiveTap($0) }
    try await Task.sleep(for: .milliseconds(300))
    if !process.isDead { try client.setUser("u1") }
    tap("m2") { client.didReceiveTap($0) }
    try await Task.sleep(for: .milliseconds(150))
    for message in ["m3", "m4", "m5"] { tap(message) { client.didReceiveTap($0) } }
    await client.settle(until: .now + .seconds(30))
    client.stop()
  }

  private func nextLife(
    _ store: LaunchStore, _ server: MotiSigSandbox, taps: [String] = []
  ) throws -> MotiSigSandbox {
    try Simulation.run {
      let sandbox = Mutex(server)
      let transport = AnswerTransport { request in sandbox.withLock { $0.respond(to: request) } }
      var device = Device.sample
      device.launchedAt.milliseconds += 60_000
      let phone = await Phone(device: device, scenario: .withoutToken)
      let client = await MotiSigClient(transport: transport, phone: phone, store: store)
      await client.initialize(skipPermissionRequest: true)
      try await client.setUser("u1")
      for message in taps { await client.didReceiveTap(["messageId": .string(message)]) }
      await client.settle()
      return sandbox.withLock { $0 }
    }
  }
}

extension MotiSigSandbox {
  fileprivate func deliveries(of messageID: String) -> Int {
    clicks.first { $0.messageID == messageID }?.deliveries ?? 0
  }
}

/// What a process leaves.
private struct Death: Sendable {
  var eventCount = 0
  /// The messages whose click the app was told is taken down.
  var recorded: [String] = []
  /// The messages whose success the client has heard of.
  var acknowledged: Set<String> = []
  var entries: [JSONObject.Member] = []
  var file: [UInt8]?
  var server = MotiSigSandbox()
}

/// A process's connection to the server. At its last event everything that outlives it is kept as it is then; what the code
/// does afterwards reaches nobody.
private final class MortalProcess: Transport, MarkSink {
  private struct State {
    var death = Death()
    var isDead = false
    var clickCount = 0
  }

  private let store: LaunchStore
  private let last: Int
  private let state = Mutex(State())

  init(store: LaunchStore, diesAt last: Int) {
    self.store = store
    self.last = last
  }

  var isDead: Bool { store.failure != nil || state.withLock { $0.isDead } }

  /// As of the end of the process, whether it has died or come to its end.
  var death: Death {
    state.withLock { state in
      if !state.isDead { state.death.entries = store.entries(under: "") }
      return state.death
    }
  }

  func note(recorded message: String) {
    state.withLock { $0.death.recorded.append(message) }
  }

  func mark(_ mark: Mark) { happened() }

  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    happened()
    let answer = isDead ? nil : reply(to: request)
    happened()
    guard let answer, !isDead else { throw fail(sink) }
    let message = (try? JSON(parsing: request.body.bytes))?["messageId"]?.string
    try await answer.deliver(into: MortalSink(self, sink, message), from: .now, deadline: .now + .seconds(30))
  }

  /// The third click is refused, the answer to the fifth is lost on the way, as is that to the seventh.
  private func reply(to request: Request) -> Answer {
    state.withLock { state in
      guard MotiSigVendor.name(of: request) == "POST click" else { return state.death.server.respond(to: request) }
      state.clickCount += 1
      switch state.clickCount {
      case 3: return Answer(head: ResponseHead(status: 503), after: .milliseconds(40))
      case 5, 7:
        _ = state.death.server.respond(to: request)
        return Answer(parts: [.init(at: .milliseconds(40), .fault(.reset))])
      default: return state.death.server.respond(to: request)
      }
    }
  }

  fileprivate func note(acknowledged message: String) {
    state.withLock { _ = $0.death.acknowledged.insert(message) }
  }

  private func fail(_ sink: any TransportSink) -> TransportError {
    let error = TransportError(.reset, during: .response)
    sink.receive(.failed(error))
    return error
  }

  fileprivate func happened() {
    state.withLock { state in
      guard !state.isDead else { return }
      state.death.eventCount += 1
      guard state.death.eventCount == last else { return }
      state.isDead = true
      state.death.entries = store.entries(under: "")
    }
  }
}

private final class MortalSink: TransportSink {
  private let process: MortalProcess
  private let sink: any TransportSink
  private let message: String?

  init(_ process: MortalProcess, _ sink: any TransportSink, _ message: String?) {
    self.process = process
    self.sink = sink
    self.message = message
  }

  func receive(_ delivery: Delivery) {
    process.happened()
    if process.isDead {
      if case .failed = delivery { sink.receive(delivery) }
      return
    }
    sink.receive(delivery)
    if case .head(let head) = delivery, head.status == 200, let message, !process.isDead {
      process.note(acknowledged: message)
    }
    process.happened()
  }
}
