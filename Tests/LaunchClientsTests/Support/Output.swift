import Synchronization

/// Collects the lines of a log.
final class Output: Sendable {
  private let content = Mutex<[String]>([])

  var lines: [String] { content.withLock { $0 } }

  func append(_ line: String) { content.withLock { $0.append(line) } }
}
