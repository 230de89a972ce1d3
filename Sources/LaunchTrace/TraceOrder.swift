/// What the order of a trace's events was taken from, and so what it is worth.
public enum TraceOrder: Hashable, Sendable {
  /// The recorder's own lock: what stands first happened first.
  case recorded
  /// Times of one or more clocks, such as those of a log: what lies close together has no known order.
  case time(TimeOrder)
}

/// How far times order events.
///
/// ```swift
/// let order = TimeOrder(resolution: .milliseconds(5), branches: [["splash launch"], ["start ATT", "ATT answered"]])
/// ```
public struct TimeOrder: Hashable, Sendable {
  /// Events at equal times, or closer than this, are unordered.
  public var resolution: Duration
  /// Names of marks by the branch they are made in, where branches run at the same time. Then only marks of two different
  /// branches are unordered: everything else is in the order in which it was written. Empty when all events are alike.
  public var branches: [[String]]

  public init(resolution: Duration, branches: [[String]] = []) {
    self.resolution = resolution
    self.branches = branches
  }
}
