import CPlatform

/// What the thread of a server runs: it accepts connections, and gives each its turns.
struct ServingLoop {
  /// Stand for the pipe that wakes the thread and for the listener, among the numbers of the connections.
  static let alarmID: UInt64 = 0
  static let listenerID: UInt64 = 1

  /// How often to look whether a client has what was sent before a reset.
  private static let resetInterval: Int64 = 100_000

  private let mailbox: Mailbox<Serving.Letter>
  private let watch: Int32
  private let limits: LaunchServer.Limits
  private let pacing: Pacing
  private let converse: @Sendable (Moment) -> Conversation

  /// Nil once the server stops.
  private var callers: Callers?
  private var graceEnd = Moment.never
  private var connections: [UInt64: Connection] = [:]
  private var nextID = ServingLoop.listenerID + 1
  /// Whose turn ended before they had nothing to do.
  private var unfinished: [UInt64] = []
  /// Whose clients have to take what was sent before a reset.
  private var resetting: [UInt64] = []
  /// No connection has a deadline before this moment.
  private var nextDeadline = Moment.never
  private var now = Moment.now

  private var signs = [launch_sign](repeating: launch_sign(), count: 64)
  /// What any connection receives goes through here.
  private var input = [UInt8](repeating: 0, count: 16 * 1024)

  init(
    _ mailbox: Mailbox<Serving.Letter>, listener: Int32, watch: Int32, limits: LaunchServer.Limits, pacing: Pacing,
    converse: @escaping @Sendable (Moment) -> Conversation
  ) {
    self.mailbox = mailbox
    callers = Callers(listener)
    self.watch = watch
    self.limits = limits
    self.pacing = pacing
    self.converse = converse
  }

  /// Returns when the server has stopped and its last connection is closed.
  mutating func run() {
    while callers != nil || !connections.isEmpty {
      let count = wait()
      now = .now
      let letters = mailbox.takeLetters()
      let postponed = takePostponed()
      for index in 0..<count { take(signs[index]) }
      for letter in letters { take(letter) }
      for id in postponed { turn(id) }
      if callers?.areWaiting(at: now) == true { accept() }
      if now >= nextDeadline { endOverdue() }
      if now >= graceEnd { endAll() }
    }
  }

  /// Waits until there is something to do. Returns how many signs there are.
  private mutating func wait() -> Int {
    guard unfinished.isEmpty, mailbox.willSleep(until: .never) else { return look(for: 0) }
    defer { mailbox.didWake() }
    var wake = min(nextDeadline, graceEnd, callers?.due ?? .never)
    if !resetting.isEmpty { wake = min(wake, now.advanced(by: Self.resetInterval)) }
    return look(for: wake == .never ? -1 : wake.wait(from: now))
  }

  private mutating func look(for nanoseconds: Int64) -> Int {
    Int(unsafe launch_watch_wait(watch, nanoseconds, &signs, Int32(signs.count)))
  }

  private mutating func take(_ sign: launch_sign) {
    switch sign.id {
    case Self.alarmID: launch_pipe_drain(mailbox.alarm)
    case Self.listenerID: callers?.come()
    default:
      connections[sign.id]?.take(sign)
      turn(sign.id)
    }
  }

  private mutating func take(_ letter: Serving.Letter) {
    switch letter {
    case .paced(let id, let outcome):
      connections[id]?.conversation.paced(outcome, at: now)
      turn(id)
    case .stop: stop()
    }
  }

  private mutating func takePostponed() -> [UInt64] {
    if unfinished.isEmpty, resetting.isEmpty { return [] }
    defer { (unfinished, resetting) = ([], []) }
    return unfinished + resetting
  }

  /// Lets a connection do what it can do without waiting.
  private mutating func turn(_ id: UInt64) {
    guard let connection = connections[id] else { return }
    let pause = connection.turn(at: now, &input)
    if callers == nil, !connection.conversation.isInRequest { return end(id) }
    switch pause {
    case .waiting: break
    case .unfinished:
      if !unfinished.contains(id) { unfinished.append(id) }
    case .resetting:
      if !resetting.contains(id) { resetting.append(id) }
    case .pacing(let job):
      pacing.write(job, to: connection.descriptor) { [mailbox] in mailbox.post(.paced(id: id, $0)) }
    case .over: return end(id)
    }
    nextDeadline = min(nextDeadline, connection.conversation.deadline)
  }

  /// Closes a connection, however far it is.
  private mutating func end(_ id: UInt64) {
    connections.removeValue(forKey: id)?.conversation.broke(at: now)
  }
}

extension ServingLoop {
  private mutating func accept() {
    // More than a few at once would keep the others waiting.
    for _ in 0..<16 {
      guard connections.count < max(1, limits.connections) || makeRoom() else { return }
      var isExhausted = false
      guard let descriptor = callers?.accept(at: now, isExhausted: &isExhausted) else {
        if isExhausted { _ = endLongestIdle() }
        return
      }
      let connection = Connection(descriptor, converse(now))
      guard launch_watch_connection(watch, descriptor, nextID) == 0 else { continue }
      connections[nextID] = connection
      nextDeadline = min(nextDeadline, connection.conversation.deadline)
      nextID += 1
    }
  }

  /// Makes room for one more connection, when there is someone who wants it.
  private mutating func makeRoom() -> Bool {
    guard callers?.check() == true else { return false }
    if endLongestIdle() { return true }
    callers?.waitForRoom()
    return false
  }

  /// Closes the connection that has been of no use longest; false when each is in use, or has sent what waits for its
  /// turn.
  private mutating func endLongestIdle() -> Bool {
    let idle = connections.compactMap { id, connection in
      connection.conversation.idleSince.map { (since: $0, id: id, descriptor: connection.descriptor) }
    }
    let longest = idle.sorted { $0.since < $1.since }.first { launch_has_input($0.descriptor) == 0 }
    guard let longest else { return false }
    end(longest.id)
    return true
  }

  private mutating func endOverdue() {
    nextDeadline = .never
    // Who has not had its turn yet may have sent in time what is asked for.
    for (id, connection) in connections where !unfinished.contains(id) {
      if connection.conversation.deadline <= now {
        connection.conversation.timedOut(at: now)
        turn(id)
      } else {
        nextDeadline = min(nextDeadline, connection.conversation.deadline)
      }
    }
  }

  private mutating func stop() {
    guard let callers else { return }
    launch_close(callers.listener)
    self.callers = nil
    graceEnd = now + limits.grace
    for (id, connection) in connections where !connection.conversation.isInRequest { end(id) }
  }

  /// Ends what the grace was not enough for. The pacing thread sees that its part is over, and says so.
  private mutating func endAll() {
    graceEnd = .never
    for (id, connection) in connections {
      if connection.conversation.isPaced { launch_shut_down(connection.descriptor, 1) } else { end(id) }
    }
  }
}
