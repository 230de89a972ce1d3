import Synchronization

/// Lines in the order in which they were noted, from any thread.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func note(_ line: String) {
    lines.withLock { $0.append(line) }
  }

  var all: [String] { lines.withLock { $0 } }
}
