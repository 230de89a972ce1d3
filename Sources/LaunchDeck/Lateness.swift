/// How late a paced replay made its deliveries.
///
/// ```swift
/// let replay = deck.replay(pace: .real(speed: 10)) { launch in launch.mark("splash launch") }
/// print(replay.lateness)  // p50 0.041 ms, p99 0.310 ms, max 1.204 ms over 214 deliveries
/// ```
public struct Lateness: Hashable, Sendable {
  /// One for each delivery, in order.
  public var samples: [Duration]

  public init(_ samples: [Duration]) { self.samples = samples }

  /// The median, by nearest rank; nil without samples.
  public var p50: Duration? { percentile(50) }
  /// What 99 of 100 deliveries do not exceed, by nearest rank; nil without samples.
  public var p99: Duration? { percentile(99) }
  /// The latest delivery; nil without samples.
  public var max: Duration? { samples.max() }

  /// The nearest rank: the smallest sample that at least so many per cent of all samples do not exceed; nil without any.
  /// - Parameter percent: From 1 to 100.
  public func percentile(_ percent: Int) -> Duration? {
    precondition((1...100).contains(percent), "a percentile is from 1 to 100, not \(percent)")
    guard !samples.isEmpty else { return nil }
    let rank = (percent * samples.count + 99) / 100
    return samples.sorted()[rank - 1]
  }
}

extension Lateness: CustomStringConvertible {
  /// `p50 0.041 ms, p99 0.310 ms, max 1.204 ms over 214 deliveries`
  public var description: String {
    guard let p50, let p99, let max else { return "not measured" }
    return "p50 \(milliseconds(p50)), p99 \(milliseconds(p99)), max \(milliseconds(max)) over "
      + count(samples.count, "delivery", "deliveries")
  }

  private func milliseconds(_ duration: Duration) -> String {
    let microseconds = Int64(duration / .microseconds(1))
    let fraction = String(microseconds % 1000)
    return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) ms"
  }
}
