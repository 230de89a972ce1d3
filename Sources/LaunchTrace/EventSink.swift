/// Takes stamped events, in recorded order: a cassette writer, a live monitor, a list in memory.
public protocol EventSink: AnyObject, Sendable {
  /// Takes the next event. Called under the tap's lock, so calls never overlap and times never decrease.
  func append(_ event: Event)
  /// Makes everything appended so far durable, before the app sees what it describes. Called under the same lock.
  func commit()
}

extension EventSink {
  /// Does nothing, for a sink that holds nothing back.
  public func commit() {}
}

/// Takes marks from the app and stamps them on the trace's clock.
public protocol MarkSink: Sendable {
  /// Takes `mark` as of now. May be called from any thread.
  func mark(_ mark: Mark)

  /// The process has died and starts again, as of now.
  func relaunch()
}

extension MarkSink {
  /// Nothing, for a sink that knows one process only.
  public func relaunch() {}

  /// Takes a mark without fields, as of now.
  public func mark(_ name: String) { mark(Mark(name)) }
}
