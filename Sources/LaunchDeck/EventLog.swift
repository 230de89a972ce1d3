public import LaunchTrace
import Synchronization

/// Keeps events in memory.
///
/// ```swift
/// let log = EventLog()
/// let tap = Tap(transport, sinks: [log])
/// tap.finish()
/// let trace = log.trace(name: "first-launch")
/// ```
public final class EventLog: EventSink {
  private let list = Mutex<[Event]>([])

  public init() {}

  public func append(_ event: Event) { list.withLock { $0.append(event) } }

  /// Everything appended so far.
  public var events: [Event] { list.withLock { $0 } }

  /// The events so far as a trace; closed only when the tap has finished.
  public func trace(name: String) -> Trace { Trace(name: name, events: events) }
}
