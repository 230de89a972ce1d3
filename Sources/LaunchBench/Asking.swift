import Foundation
import LaunchHTTP
import LaunchTrace
import Synchronization

/// A client with one connection that asks for one exchange after the other, on a thread of its own, and looks at its clock
/// whenever there is something to read.
final class Asking: Sendable {
  private let exchanges: [Exchange]
  private let socket: Int32
  private let outcome = Mutex<Result<[Duration], any Error>?>(nil)
  private let isOver = DispatchSemaphore(value: 0)

  /// Connects, and begins to ask.
  /// - Parameter address: `127.0.0.1:9001`
  init(_ exchanges: [Exchange], address: String) throws {
    self.exchanges = exchanges
    socket = try connected(to: address)
    Thread.detachNewThread { [self] in
      let result = Result { try exchanges.flatMap(ask) }
      close(socket)
      outcome.withLock { $0 = result }
      isOver.signal()
    }
  }

  /// How late each moment of each answer arrived. Waits for the last one.
  func lateness() throws -> [Duration] {
    isOver.wait()
    isOver.signal()
    return try outcome.withLock { try $0?.get() ?? [] }
  }

  private func ask(_ exchange: Exchange) throws -> [Duration] {
    var moments = exchange.moments[...]
    var lateness: [Duration] = []
    var parser = ResponseParser()
    parser.expect(answerTo: exchange.request.method)
    try send(exchange.request)
    let start = ContinuousClock.now
    while true {
      let bytes = try receive()
      let passed = ContinuousClock.now - start
      // A large answer is read in several goes; only the first of a moment tells.
      while let due = moments.first, passed > due - .milliseconds(1) {
        lateness.append(passed - due)
        moments.removeFirst()
      }
      if bytes.isEmpty { throw AskingError(message: "the server closed the connection") }
      parser.append(bytes)
      while let piece = try parser.next() {
        if case .end = piece { return lateness }
      }
    }
  }

  private func send(_ request: Request) throws {
    let head =
      "\(request.method) \(request.location.path) HTTP/1.1\r\nHost: \(request.location.authority)\r\n"
      + "Accept-Encoding: gzip\r\nContent-Length: \(request.body.count)\r\n\r\n"
    var rest = (Array(head.utf8) + request.body.bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { throw AskingError(message: "the server takes nothing") }
      rest = rest.dropFirst(count)
    }
  }

  private func receive() throws -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(socket, $0.baseAddress, $0.count) }
    guard count >= 0 else { throw AskingError(message: "the server reset the connection") }
    return bytes.prefix(count)
  }
}

private struct AskingError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
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

private func connected(to address: String) throws -> Int32 {
  let parts = address.split(separator: ":")
  guard parts.count == 2, let port = UInt16(parts[1]) else { throw AskingError(message: "\(address) is no address") }
  #if canImport(Darwin)
    let handle = socket(AF_INET, SOCK_STREAM, 0)
  #else
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #endif
  var place = sockaddr_in()
  place.sin_family = sa_family_t(AF_INET)
  place.sin_port = port.bigEndian
  unsafe place.sin_addr.s_addr = inet_addr(String(parts[0]))
  let code = unsafe withUnsafePointer(to: &place) { place in
    unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard handle >= 0, code == 0 else { throw AskingError(message: "cannot connect to \(address)") }
  return handle
}
