import LaunchHTTP
import LaunchJSON

/// Adapty's event queue: batches of at most 500, one second apart, and 20 s of rest after a failure (vendors.md 2.3, 6).
///
/// A batch that fails stays in the queue, and leaves again together with what has come since.
///
/// The facts name the envelope and what events exist; the members of a single event are chosen here: its name, an id,
/// and whose it is and when.
@MainActor
final class AdaptyEvents {
  static let batchSize = 500

  /// Names the server does not want (vendors.md 2.3, 1).
  var blacklist: [String] = []

  /// Whether a failure ends the sending instead of the rest after it. The SDK tries for ever; whoever waits for the
  /// last event must not.
  var isSettling = false

  private let transport: any Transport
  private let requests: AdaptyRequests
  private let phone: Phone
  private let tasks: TaskBag
  private var session: AdaptyRequests.Session?
  private var queue: [JSON] = []
  private var count = 0
  private var isSending = false

  init(transport: any Transport, requests: AdaptyRequests, phone: Phone, tasks: TaskBag) {
    self.transport = transport
    self.requests = requests
    self.phone = phone
    self.tasks = tasks
  }

  /// Events leave from now on, in the name of `session`.
  func start(_ session: AdaptyRequests.Session) { self.session = session }

  func add(_ name: String, _ parameters: JSONObject = [:]) {
    guard !blacklist.contains(name), let session else { return }
    count += 1
    let event: JSONObject = [
      "event_name": .string(name), "event_id": .string(id(of: count)), "profile_id": .string(session.profileID),
      "session_id": .string(phone.device.adaptySessionID), "created_at": .string("\(phone.now.iso)+0000"),
    ]
    queue.append(.object(JSONObject(event.members + parameters.members)))
    guard !isSending else { return }
    isSending = true
    tasks.start { try await self.send(session) }
  }

  private func send(_ session: AdaptyRequests.Session) async throws {
    defer { isSending = false }
    while !queue.isEmpty {
      let batch = Array(queue.prefix(Self.batchSize))
      let isAccepted = (try? await transport.success(of: requests.events(batch, session))) != nil
      if isAccepted { queue.removeFirst(batch.count) }
      guard isAccepted || !isSettling else { return }
      try await Task.sleep(for: isAccepted ? AdaptyClient.eventInterval : AdaptyClient.eventRetryInterval)
    }
  }

  /// The same in each run of the same process: from the session's own id and the event's number.
  private func id(of number: Int) -> String {
    formattedUUID(MD5.digest(of: Array("\(phone.device.adaptySessionID)/\(number)".utf8)))
  }
}

/// 16 bytes as a UUID in lower case.
private func formattedUUID(_ bytes: [UInt8]) -> String {
  let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { group in
    String(decoding: Array(digits.utf8)[group], as: UTF8.self)
  }
  return groups.joined(separator: "-")
}
