/// How fast a served replay answers.
public enum ReplaySpeed: Hashable, Sendable {
  /// So many times as fast as recorded, from 0.01 to 100.
  case times(Double)
  /// Everything at once.
  case immediate

  /// With the recorded timing.
  public static let recorded = ReplaySpeed.times(1)

  /// When something is due that was recorded so long after its request.
  func scaled(_ offset: Duration) -> Duration {
    switch self {
    case .immediate: .zero
    case .times(1): offset
    case .times(let factor): offset / factor
    }
  }

  /// How long a time of the replay was in the recording.
  func recorded(_ duration: Duration) -> Duration {
    switch self {
    case .immediate, .times(1): duration
    case .times(let factor): duration * factor
    }
  }

  /// - Precondition: A factor lies between 0.01 and 100.
  func checked() -> ReplaySpeed {
    if case .times(let factor) = self {
      precondition((0.01...100).contains(factor), "the speed of a replay is from 0.01 to 100, not \(factor)")
    }
    return self
  }
}
