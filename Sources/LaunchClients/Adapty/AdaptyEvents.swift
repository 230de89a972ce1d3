import LaunchHTTP
import LaunchJSON

/// Adapty's event queue: batches of at most 500, one second apart, and 20 s of rest after a failure (vendors.md 2.3, 6).
///
/// An event is on disk before it is sent and until it has been, so a later launch sends what this one could not; beyond
/// 500 the oldest are lost. The members of an event are those of AdaptySDK-iOS 3.17 (`Event.Packed.swift`).
@MainActor
final class AdaptyEvents {
  static let batchSize = 500
  /// Between two batches.
  static let interval = Duration.seconds(1)
  /// After a batch that failed, before it is sent again.
  static let retryInterval = Duration.seconds(20)
  /// The event that carries the SDK's own log.
  nonisolated static let systemLog = "system_log"

  private let backend: AdaptyBackend
  private let user: AdaptyUser
  private let phone: Phone
  private let store: LaunchStore
  private let work: AdaptyWork
  private var queue: [JSONObject.Member]
  private var isOpen = false
  private var isSending = false
  private var lastSent: ContinuousClock.Instant?

  init(backend: AdaptyBackend, user: AdaptyUser, phone: Phone, store: LaunchStore, work: AdaptyWork) {
    self.backend = backend
    self.user = user
    self.phone = phone
    self.store = store
    self.work = work
    queue = store.entries(under: Key.prefix)
  }

  /// Events leave from now on: the profile they belong to exists.
  func open() {
    isOpen = true
    send()
  }

  func add(_ name: String, _ parameters: JSONObject = [:]) {
    let number = (store[Key.count]?.integer ?? 0) &+ 1
    let device = phone.device
    let event: JSONObject = [
      "event_id": .string(id(of: number)), "profile_id": .string(user.id),
      "session_id": .string(device.adaptySessionID), "created_at": .string("\(phone.now.iso)Z"),
      "counter": .integer(number), "platform": "iOS", "device_id": .string(device.adaptyInstallationID),
      "event_name": .string(name),
    ]
    store.set(Key.count, .integer(number))
    let entry = JSONObject.Member(
      "\(Key.prefix)\(number)", .object(JSONObject(event.members + parameters.members)))
    queue.append(entry)
    store.set(entry.key, entry.value)
    if queue.count > Self.batchSize { remove(queue.prefix(queue.count - Self.batchSize)) }
    send()
  }

  /// A line of the SDK's own log, which is an event with a text in it.
  func addSystemEvent(_ name: String, _ parameters: JSONObject) {
    let data: JSONObject = ["event_name": .string(name)]
    add(
      Self.systemLog,
      ["custom_data": .string(JSON.object(JSONObject(data.members + parameters.members)).text)])
  }

  private enum Key {
    static let prefix = "adapty.event."
    static let count = "adapty.eventCount"
  }

  private func send() {
    guard isOpen, !isSending, !queue.isEmpty else { return }
    isSending = true
    work.start {
      defer { self.isSending = false }
      while !self.queue.isEmpty { try await self.sendBatch() }
    }
  }

  private func sendBatch() async throws {
    if let lastSent { try await Task.sleep(until: lastSent + Self.interval, tolerance: .zero, clock: .continuous) }
    await backend.refreshConfiguration()
    let blacklist = backend.eventBlacklist
    remove(queue.filter { blacklist.contains($0.value["event_name"]?.string ?? "") })
    let batch = Array(queue.prefix(Self.batchSize))
    if batch.isEmpty { return }
    do throws(AdaptyFailure) {
      _ = try await backend.answer(to: backend.requests.events(batch.map(\.value), user.session))
      remove(batch)
      lastSent = .now
    } catch {
      try Task.checkCancellation()
      if error.isMiss { return remove(batch) }
      try await work.waitBeforeRetry(Self.retryInterval)
    }
  }

  private func remove(_ entries: some Sequence<JSONObject.Member>) {
    let keys = entries.map(\.key)
    let removed = Set(keys)
    queue.removeAll { removed.contains($0.key) }
    for key in keys { store.set(key, nil) }
  }

  /// The same in each run of the same process: from the session's own id and the event's number.
  private func id(of number: Int64) -> String {
    formattedUUID(MD5.digest(of: Array("\(phone.device.adaptySessionID)/\(number)".utf8)))
  }
}

/// 16 bytes as a UUID in lower case.
func formattedUUID(_ bytes: [UInt8]) -> String {
  let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { group in
    String(decoding: Array(digits.utf8)[group], as: UTF8.self)
  }
  return groups.joined(separator: "-")
}
