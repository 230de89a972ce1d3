import LaunchTrace

/// How often which delay was met, in whole microseconds: exact, and small however long a recording lasts.
struct Delays {
  /// By microseconds, of delays as most are; empty before the first, which a simulation never has.
  private var shortCounts: [Int] = []
  private var longCounts: [Int64: Int] = [:]

  /// Counts a delay, rounded up to whole microseconds.
  mutating func add(_ delay: Duration) {
    let delay = max(0, (delay + .nanoseconds(999)).wholeMicroseconds)
    if shortCounts.isEmpty { shortCounts = Array(repeating: 0, count: 1024) }
    if delay < shortCounts.count {
      shortCounts[Int(delay)] += 1
    } else {
      longCounts[delay, default: 0] += 1
    }
  }

  /// What the delays come to; nil without any.
  var overhead: Overhead? {
    let short = shortCounts.enumerated().filter { $0.element > 0 }.map { (key: Int64($0.offset), value: $0.element) }
    let sorted = short + longCounts.sorted { $0.key < $1.key }
    guard let max = sorted.last?.key else { return nil }
    let count = sorted.reduce(0) { $0 + $1.value }
    /// The nearest rank, as `Lateness` takes it.
    func percentile(_ percent: Int) -> Duration {
      var rest = (percent * count + 99) / 100
      for (delay, times) in sorted {
        rest -= times
        if rest <= 0 { return .microseconds(delay) }
      }
      return .microseconds(max)
    }
    return Overhead(deliveries: count, p50: percentile(50), p99: percentile(99), max: .microseconds(max))
  }
}
