public import LaunchTrace
import Synchronization

/// Redacts events on their way to another sink.
///
/// ```swift
/// let sink = RedactingSink(Redactor(rules: .builtIn), next: writer)
/// let tap = Tap(transport, sinks: [sink])
/// ```
public final class RedactingSink: EventSink {
  private let next: any EventSink
  private let state: Mutex<Redactor>

  public init(_ redactor: Redactor, next: any EventSink) {
    self.next = next
    state = Mutex(redactor)
  }

  /// The redactor with what it has learnt until now.
  public var redactor: Redactor { state.withLock { $0 } }

  public func append(_ event: Event) {
    // Tap's lock keeps appends in order; this one only guards readers of `redactor`.
    if let redacted = state.withLock({ $0.redacted(event) }) { next.append(redacted) } else { next.append(event) }
  }

  public func commit() { next.commit() }
}
