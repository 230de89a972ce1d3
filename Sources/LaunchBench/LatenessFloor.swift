import CPlatform

/// How punctual anything on this machine can be: a thread of the same class as the server's that does nothing but sleep,
/// and then send a few bytes to a client which waits for them. A virtual machine whose host has other guests now and then
/// wakes it milliseconds late, the more so the less it has to do itself.
struct LatenessFloor {
  /// How late it woke up.
  var woken: [Duration] = []
  /// The clock after sending, less the moment that was meant; for most of it the system is in that call.
  var written: [Duration] = []

  /// As far apart as the chunks of a stream, so that the processor sleeps in between.
  private static let interval: Int64 = 40_000_000
  /// Awake so long before: the most that the server takes.
  private static let spin: Int64 = 400_000

  static func measure(rounds: Int) throws -> LatenessFloor {
    let listener = launch_listen(0)
    defer { launch_close(listener) }
    let client = try LoopbackSocket(port: UInt16(launch_port(listener)))
    let connection = launch_accept(listener)
    let reading = onThread {
      defer { client.close() }
      while try !client.receive().isEmpty {}
    }
    let floor = onThread(isRealTime: true) {
      defer { launch_close(connection) }
      return try measure(rounds: rounds, to: connection)
    }
    let measured = try floor.wait()
    try reading.wait()
    return measured
  }

  private static func measure(rounds: Int, to connection: Int32) throws -> LatenessFloor {
    launch_sharpen_timers()
    let watch = launch_watch_open()
    defer { launch_close(watch) }
    var floor = LatenessFloor()
    var sign = launch_sign()
    let bytes = [UInt8](repeating: 0x2E, count: 500)
    var due = launch_now()
    for _ in 0..<rounds {
      due += interval
      _ = unsafe launch_watch_wait(watch, due - spin - launch_now(), &sign, 1)
      floor.woken.append(.nanoseconds(launch_now() - (due - spin)))
      while launch_now() < due {}
      let count = unsafe bytes.withUnsafeBytes { unsafe launch_send(connection, $0.baseAddress, $0.count, nil, 0, 0) }
      guard count == bytes.count else { throw SocketError(message: "the client takes nothing") }
      floor.written.append(.nanoseconds(launch_now() - due))
    }
    return floor
  }
}
