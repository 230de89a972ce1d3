import CPlatform

/// What the pacing thread runs: it asks the pacer what to do, and does it.
struct PacingLoop {
  /// Stands for the pipe that wakes the thread, among the numbers of the jobs.
  static let alarmID: UInt64 = 0

  /// How long before a deadline the thread stops sleeping: waking up takes 25 to 50 microseconds on a quiet machine, and up
  /// to 90 were measured on a busy one.
  private static let spin: Int64 = 100_000
  /// After how many steps in a row it looks for broken and slow connections.
  private static let stepsPerLook = 16

  private let pacing: Pacing
  private let watch: Int32
  private let alarm: Int32
  private var pacer: Pacer
  private var clients: [Int: Pacing.Arrival] = [:]
  private var nextID = 1

  init(_ pacing: Pacing, watch: Int32, alarm: Int32, patience: Duration) {
    self.pacing = pacing
    self.watch = watch
    self.alarm = alarm
    pacer = Pacer(patience: patience)
  }

  /// Returns when the server has stopped.
  mutating func run() {
    var steps = 0
    while true {
      if pacing.hasArrivals {
        guard let arrivals = pacing.takeArrivals() else { return }
        for arrival in arrivals { add(arrival) }
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

  private mutating func add(_ arrival: Pacing.Arrival) {
    clients[nextID] = arrival
    pacer.add(arrival.job, id: nextID)
    launch_watch_add(watch, arrival.descriptor, UInt64(nextID))
    nextID += 1
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>, _ isFollowed: Bool, _ id: Int) {
    guard let client = clients[id] else { preconditionFailure("a job has a client") }
    switch send(bytes, to: client.descriptor, isFollowed: isFollowed, isPatient: false) {
    case .sent(let count):
      if let lateness = pacer.wrote(count, of: id, at: .now) { pacing.note(lateness: lateness) }
    case .full:
      if pacer.parked(id, at: .now) { pacing.noteSlowClient() }
      launch_watch_output(watch, client.descriptor, UInt64(id), 1)
    case .broken:
      pacer.remove(id)
      end(id, isWritten: false)
    }
  }

  private mutating func end(_ id: Int, isWritten: Bool) {
    guard let client = clients.removeValue(forKey: id) else { return }
    launch_watch_remove(watch, client.descriptor)
    client.latch.release(isWritten: isWritten)
  }

  private mutating func wait(until deadline: Moment, from now: Moment) {
    let rest = deadline.wait(from: now)
    guard rest > Self.spin else {
      while Moment.now < deadline, !pacing.hasArrivals {}
      return
    }
    guard pacing.willSleep(until: deadline) else { return }
    look(for: deadline == .never ? -1 : rest - Self.spin)
    pacing.didWake()
  }

  /// Waits for signs of the connections, at most so many nanoseconds.
  private mutating func look(for nanoseconds: Int64) {
    var signs = [launch_sign](repeating: launch_sign(), count: 16)
    let count = unsafe launch_watch_wait(watch, nanoseconds, &signs, Int32(signs.count))
    for sign in signs.prefix(Int(count)) {
      if sign.id == Self.alarmID {
        launch_pipe_drain(alarm)
      } else if let id = Int(exactly: sign.id), let client = clients[id] {
        take(sign, of: id, client)
      }
    }
  }

  private mutating func take(_ sign: launch_sign, of id: Int, _ client: Pacing.Arrival) {
    if sign.isBroken != 0 {
      pacer.remove(id)
      end(id, isWritten: false)
    } else if pacer.unpark(id) {
      launch_watch_output(watch, client.descriptor, UInt64(id), 0)
    }
  }
}
