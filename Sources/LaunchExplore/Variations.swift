/// What an exploration lets come otherwise than in the recording, apart from the order of what arrives.
///
/// ```swift
/// var varies = Variations()
/// varies.faults = 1  // any one exchange of a launch fails, in each way
/// ```
public struct Variations: Hashable, Sendable {
  /// How many exchanges of one launch may fail that did not in the recording.
  public var faults: Int
  /// How many times the process may die and start again in one launch.
  public var deaths: Int
  /// Whether what happens outside may have other outcomes: the user denies tracking, say.
  public var outcomes: Bool
  /// Whether jobs that are ready at one time may run in any order.
  public var jobs: Bool

  public init(faults: Int = 0, deaths: Int = 0, outcomes: Bool = false, jobs: Bool = false) {
    self.faults = faults
    self.deaths = deaths
    self.outcomes = outcomes
    self.jobs = jobs
  }
}
