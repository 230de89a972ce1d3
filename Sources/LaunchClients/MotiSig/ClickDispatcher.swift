import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Delivers clicks: one at a time, the oldest that is ready first, until the server has taken them or they are given up
/// (vendors.md 4.4). They do not wait for other calls.
///
/// A click is on disk before `record` returns, an attempt is before it is made, and a click is off the disk before
/// anything else learns that it was answered. A process that dies at any moment therefore loses no click, and the next
/// one sends none whose answer was taken down.
@MainActor
final class ClickDispatcher {
  /// What waits for a user, in the faithful mode, looks for one without a pause and without end. Here it looks every
  /// 10 ms, so that time goes on, and 1000 times; after that it waits to be woken, which is all it ever does.
  static let spinPause = Duration.milliseconds(10)
  static let spinLimit = 1000

  /// Whether a click that fails from now on is left to the next launch.
  var isSettling = false
  private(set) var spins = 0

  private let core: MotiSigCore
  private let shelf: ClickShelf
  private let marks: (any MarkSink)?
  private var queue: ClickQueue
  private var leftOver: Set<Int> = []
  private var isRunning = false
  private var timer: Task<Void, any Error>?
  private var spinning: Task<Void, any Error>?

  init(core: MotiSigCore, store: LaunchStore, marks: (any MarkSink)?) {
    self.core = core
    self.marks = marks
    shelf = ClickShelf(store, launchedAt: core.phone.device.launchedAt)
    queue = shelf.load()
  }

  /// Takes a click down. One on a message that was clicked before counts for nothing.
  func record(_ messageID: String, by userID: String?, isForeground: Bool?) {
    guard let added = queue.add(messageID, by: userID, isForeground: isForeground, at: core.phone.uptime) else {
      return
    }
    // The click first: its own entry says as well that its message is known, but not the other way round.
    shelf.write(added.click)
    shelf.write(seen: queue.seen)
    marks?.mark("click recorded")
    drop(added.dropped, "too many")
    wake()
  }

  /// Gives the clicks that came before any user to `userID`.
  func assign(to userID: String) {
    for click in queue.assign(to: userID) { shelf.write(click) }
  }

  /// Sends what is ready, and comes back when something will be.
  func wake() {
    timer?.cancel()
    spinning?.cancel()
    guard !isRunning else { return }
    isRunning = true
    core.tasks.start { await self.run() }
  }

  func stop() { spinning?.cancel() }

  private func run() async {
    defer { isRunning = false }
    while !Task.isCancelled {
      drop(queue.dropStale(at: core.phone.uptime), "given up")
      switch queue.next(at: core.phone.uptime, where: { !leftOver.contains($0.number) && core.sender(of: $0) != nil }) {
      case .send(let click): await send(click)
      case .wait(let due): return sleep(until: due)
      case nil: return spin()
      }
    }
  }

  private func send(_ click: PendingClick) async {
    guard let userID = core.sender(of: click), let click = queue.begin(click.number, at: core.phone.uptime) else {
      return
    }
    shelf.write(click)
    let answer = ClickAnswer { [shelf] status in
      if !ClickAnswer.isRetried(status) { shelf.remove(click.number) }
    }
    let request = core.requests.click(on: click.messageID, by: userID, isForeground: click.isForeground)
    try? await core.transport.send(request, into: answer)
    if let status = answer.status, !ClickAnswer.isRetried(status) {
      queue.remove(click.number)
      if !(200...299).contains(status) { markDropped("refused with \(status)") }
    } else if answer.isMiss {
      // It stays for the next launch, as after any failure.
      leftOver.insert(click.number)
    } else if !Task.isCancelled {
      putOff(click)
    }
  }

  private func putOff(_ click: PendingClick) {
    if isSettling { leftOver.insert(click.number) }
    guard click.attempts < ClickQueue.attemptLimit else { return }
    let wait = ClickQueue.backoff.wait(beforeRetry: click.attempts, using: &core.phone.chance)
    if let later = queue.delay(click.number, until: core.phone.uptime + wait) { shelf.write(later) }
  }

  private func drop(_ clicks: [PendingClick], _ reason: String) {
    for click in clicks {
      shelf.remove(click.number)
      markDropped(reason)
    }
  }

  private func markDropped(_ reason: String) { marks?.mark(Mark("click dropped", ["reason": .string(reason)])) }

  private func sleep(until due: Duration) {
    let moment = core.phone.moment(at: due)
    timer = core.tasks.start {
      try await Task.sleep(until: moment, tolerance: .zero, clock: .continuous)
      self.wake()
    }
  }

  private func spin() {
    guard core.mode == .faithful, !isSettling, !queue.clicks.isEmpty, spins < Self.spinLimit else { return }
    spins += 1
    spinning = Task {
      try await Task.sleep(for: Self.spinPause)
      self.wake()
    }
  }
}
