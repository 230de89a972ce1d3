import Foundation

/// Runs programs as clients of a server, away from the threads of Swift concurrency.
enum Client {
  struct Output: Sendable {
    var text: String
    var status: Int32
  }

  /// What `script` prints with `HOST`, `PORT` and `connect()` defined. Waits on a thread of its own.
  static func python(_ port: Int, _ script: String) async throws -> Output {
    try await run("python3", ["-c", prelude + "PORT = \(port)\n" + script])
  }

  static func curl(_ arguments: String...) async throws -> Output {
    try await run("curl", ["-s", "--noproxy", "*", "--max-time", "20"] + arguments)
  }

  private static func run(_ program: String, _ arguments: [String]) async throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    let reading = output.fileHandleForReading
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        do {
          try process.run()
          let text = String(decoding: try reading.readToEnd() ?? Data(), as: UTF8.self)
          process.waitUntilExit()
          continuation.resume(returning: Output(text: text, status: process.terminationStatus))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private static let prelude = """
    import http.client, socket, struct, sys, threading, time

    def connect():
        s = socket.create_connection(("127.0.0.1", PORT), timeout=20)
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return s

    def read_all(s):
        data = b""
        while True:
            part = s.recv(65536)
            if not part:
                return data.decode("latin-1")
            data += part

    def talk(data):
        s = connect()
        s.sendall(data)
        return read_all(s)

    """
}
