import LaunchHTTP
import Synchronization

/// Hears the answer to a click, and says so at once, where it arrives.
///
/// The status alone tells what becomes of the click, so nothing else is waited for: the sooner the click is off the disk,
/// the smaller the chance that a death of the process in between makes the next one send it again.
final class ClickAnswer: TransportSink {
  private let received = Mutex<Int?>(nil)
  private let missed = Mutex(false)
  private let onStatus: @Sendable (Int) -> Void

  /// - Parameter onStatus: Called before anybody else learns of the answer, on any thread.
  init(onStatus: @escaping @Sendable (Int) -> Void) { self.onStatus = onStatus }

  /// Nil without an answer.
  var status: Int? { received.withLock { $0 } }

  /// Whether a replay has no answer for the click.
  var isMiss: Bool { missed.withLock { $0 } }

  func receive(_ delivery: Delivery) {
    switch delivery {
    case .head(let head):
      onStatus(head.status)
      received.withLock { $0 = head.status }
    case .failed(let error): missed.withLock { $0 = error.isMiss }
    case .connection, .sent, .informational, .chunk, .end: break
    }
  }

  /// Whether the click stays: no answer, 408, 429 and 5xx are tried again, anything else settles it (vendors.md 4.4).
  static func isRetried(_ status: Int?) -> Bool {
    guard let status else { return true }
    return status == 408 || status == 429 || (500...599).contains(status)
  }
}
