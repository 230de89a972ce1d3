import CPlatform

/// The open connections of a listener, and who waits for the last of them.
///
/// A connection's own thread closes its descriptor. The number stands here only to shut the connection down, and is
/// gone before the descriptor is closed: a number that the system has given to someone else is never used.
struct Account {
  enum Activity: Equatable {
    /// Waits for the first byte of a request.
    case idle(since: ContinuousClock.Instant)
    /// Reads or answers a request; a stopping server lets it finish.
    case busy
    /// Waits for the client to go away.
    case waiting
  }

  private struct Entry {
    var descriptor: Int32
    var activity: Activity
  }

  private var entries: [Int: Entry] = [:]
  private var nextID = 1
  private(set) var isStopping = false
  /// Whether someone waits for room.
  private var isCrowded = false
  /// The writing end of the pipe that wakes the accepting thread; nil once that thread is done.
  var waker: Int32?
  var waiting: [CheckedContinuation<Void, Never>] = []

  init(waker: Int32) { self.waker = waker }

  var count: Int { entries.count }

  mutating func add(_ descriptor: Int32) -> Int {
    defer { nextID += 1 }
    entries[nextID] = Entry(descriptor: descriptor, activity: .idle(since: .now))
    return nextID
  }

  /// False when the connection should end because the server is stopping.
  mutating func enter(_ activity: Activity, _ id: Int) -> Bool {
    entries[id]?.activity = activity
    if isCrowded, activity != .busy { wake() }
    return !isStopping || activity == .busy
  }

  mutating func leave(_ id: Int) {
    entries[id] = nil
    wake()
  }

  mutating func stop() {
    isStopping = true
    wake()
  }

  func shutDown(where isEnding: (Activity) -> Bool) {
    for entry in entries.values where isEnding(entry.activity) { launch_shut_down(entry.descriptor, 1) }
  }

  /// Whether there is room for one more than there are, of `limit` at most. If not, makes the connection that has been
  /// idle longest end; the waker tells when to ask again.
  mutating func makeRoom(for limit: Int) -> Bool {
    isCrowded = entries.count >= max(1, limit)
    if isCrowded { shutDownLongestIdle() }
    return !isCrowded
  }

  private func shutDownLongestIdle() {
    let idle = entries.values.compactMap { entry in
      if case .idle(let since) = entry.activity { (since: since, descriptor: entry.descriptor) } else { nil }
    }
    if let longest = idle.min(by: { $0.since < $1.since }) { launch_shut_down(longest.descriptor, 1) }
  }

  private func wake() {
    if let waker { launch_pipe_fill(waker) }
  }
}
