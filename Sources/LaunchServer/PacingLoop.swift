import CPlatform

/// What the pacing thread runs: it asks the pacer what to do, and does it.
struct PacingLoop {
  private struct Client {
    var arrival: Pacing.Client
    var isParked = false
    /// When it had ended its sending direction; nil before. Whether it left or only sends no more, writes will tell.
    var ended: Moment?
  }

  /// Stands for the pipe that wakes the thread, among the numbers of the jobs.
  static let alarmID: UInt64 = 0

  /// After how many steps in a row it looks for broken and slow connections.
  private static let stepsPerLook = 16

  private let pacing: Pacing
  private let watch: Int32
  private let mailbox: Mailbox<Pacing.Letter>
  private var pacer: Pacer
  private var clients: [Int: Client] = [:]
  private var nextID = 1
  private var alertness = Alertness()

  init(_ pacing: Pacing, watch: Int32, patience: Duration) {
    self.pacing = pacing
    self.watch = watch
    mailbox = pacing.mailbox
    pacer = Pacer(patience: patience)
  }

  /// Returns when no server needs it any more.
  mutating func run() {
    var steps = 0
    while true {
      for letter in mailbox.takeLetters() {
        switch letter {
        case .client(let client): add(client)
        case .over: return
        }
      }
      let now = Moment.now
      switch pacer.next(at: now) {
      case .write(let id, let bytes, let isFollowed): write(bytes, isFollowed, id)
      case .end(let id, let isWritten): end(id, isWritten: isWritten)
      case .wait(let deadline):
        wait(until: deadline, from: now)
        steps = 0
      }
      steps += 1
      if steps.isMultiple(of: Self.stepsPerLook) { look(for: 0) }
    }
  }

  private mutating func add(_ arrival: Pacing.Client) {
    clients[nextID] = Client(arrival: arrival)
    pacer.add(arrival.job, id: nextID)
    launch_watch_add(watch, arrival.descriptor, UInt64(nextID))
    nextID += 1
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>, _ isFollowed: Bool, _ id: Int) {
    guard let client = clients[id] else { preconditionFailure("a job has a client") }
    switch transmit(bytes, to: client.arrival.descriptor, isFollowed: isFollowed) {
    case .sent(let count):
      if let sample = pacer.wrote(count, of: id, at: .now) { pacing.note(sample) }
    case .full:
      if pacer.parked(id, at: .now) { pacing.noteSlowClient() }
      clients[id]?.isParked = true
      watch(id)
    case .broken:
      pacer.remove(id)
      end(id, isWritten: false)
    }
  }

  private mutating func end(_ id: Int, isWritten: Bool) {
    guard let client = clients.removeValue(forKey: id) else { return }
    let descriptor = client.arrival.descriptor
    launch_watch_remove(watch, descriptor)
    let hasLeft = !isWritten || client.ended != nil && launch_is_broken(descriptor) != 0
    client.arrival.done(hasLeft ? .gone(client.ended ?? .now) : .written)
  }

  private mutating func wait(until deadline: Moment, from now: Moment) {
    let rest = deadline.wait(from: now)
    if rest <= alertness.spin { return meet(deadline) }
    guard mailbox.willSleep(until: deadline) else { return }
    let sleep = deadline == .never ? -1 : rest - alertness.spin
    look(for: sleep)
    mailbox.didWake()
    if sleep >= 0 { alertness.woke(at: .now, due: now.advanced(by: sleep)) }
  }

  /// Spins until the deadline, with everything at hand that is due then: looking for it takes tens of microseconds after
  /// a sleep, when none of it is in the processor's caches. A letter may be due earlier, so it goes first.
  private mutating func meet(_ deadline: Moment) {
    let upcoming = pacer.upcoming
    while Moment.now < deadline {
      if !mailbox.isEmpty { return }
    }
    if let upcoming { write(upcoming.bytes, upcoming.isFollowed, upcoming.id) }
  }

  /// Waits for signs of the connections, at most so many nanoseconds.
  private mutating func look(for nanoseconds: Int64) {
    var signs = [launch_sign](repeating: launch_sign(), count: 16)
    let count = unsafe launch_watch_wait(watch, nanoseconds, &signs, Int32(signs.count))
    for sign in signs.prefix(Int(count)) {
      if sign.id == Self.alarmID {
        launch_pipe_drain(mailbox.alarm)
      } else if let id = Int(exactly: sign.id), clients[id] != nil {
        take(sign, of: id)
      }
    }
  }

  private mutating func take(_ sign: launch_sign, of id: Int) {
    if sign.isBroken != 0 {
      pacer.remove(id)
      return end(id, isWritten: false)
    }
    if sign.isEnded != 0 { clients[id]?.ended = .now }
    // Where there was only an end to tell, a parked client is parked again at once.
    if pacer.unpark(id) { clients[id]?.isParked = false }
    watch(id)
  }

  /// Watches for what the client can still do.
  private func watch(_ id: Int) {
    guard let client = clients[id] else { return }
    launch_watch_change(
      watch, client.arrival.descriptor, UInt64(id), client.isParked ? 1 : 0, client.ended == nil ? 1 : 0)
  }
}
