import LaunchHTTP
import LaunchTrace

/// A client with one connection that asks for one exchange after the other, on a thread of its own, and looks at its clock
/// whenever there is something to read.
struct Asking {
  private let outcome: Outcome<[Duration]>

  /// Connects, and begins to ask.
  /// - Parameter address: `127.0.0.1:9001`
  init(_ exchanges: [Exchange], address: String) throws {
    let socket = try LoopbackSocket(address: address)
    outcome = onThread {
      defer { socket.close() }
      return try exchanges.flatMap { try arrivals(of: $0, over: socket) }
    }
  }

  /// How late each moment of each answer arrived. Waits for the last one.
  func lateness() throws -> [Duration] { try outcome.wait() }
}

/// How late each moment of the answer arrived.
private func arrivals(of exchange: Exchange, over socket: LoopbackSocket) throws -> [Duration] {
  var moments = exchange.moments[...]
  var lateness: [Duration] = []
  var parser = ResponseParser()
  parser.expect(answerTo: exchange.request.method)
  try socket.send(exchange.request.wire)
  let start = ContinuousClock.now
  while true {
    let bytes = try socket.receive()
    let passed = ContinuousClock.now - start
    // A large answer is read in several goes; only the first of a moment tells.
    while let due = moments.first, passed > due - .milliseconds(1) {
      lateness.append(passed - due)
      moments.removeFirst()
    }
    if bytes.isEmpty { throw SocketError(message: "the server closed the connection") }
    parser.append(bytes)
    while let piece = try parser.next() {
      if case .end = piece { return lateness }
    }
  }
}

extension Request {
  fileprivate var wire: [UInt8] {
    let head =
      "\(method) \(location.path) HTTP/1.1\r\nHost: \(location.authority)\r\nAccept-Encoding: gzip\r\n"
      + "Content-Length: \(body.count)\r\n\r\n"
    return Array(head.utf8) + body.bytes
  }
}

extension Exchange {
  /// When something of the answer is due, since the request had left; each moment once.
  fileprivate var moments: [Duration] {
    var moments: [Duration] = []
    for step in steps {
      switch step.step {
      case .response, .chunk, .end:
        let due = step.at - (sent ?? requested)
        if moments.last != due { moments.append(due) }
      default: break
      }
    }
    return moments
  }
}
