/// Says when to ping: at once when the app comes to the front, and then at a fixed interval until it leaves (vendors.md 4.3).
@MainActor
final class MotiSigPings {
  private let interval: Duration
  private var ticks: Task<Void, any Error>?

  /// - Parameter interval: Brought into the range of 1 to 86,400 s.
  init(interval: Duration) { self.interval = min(max(interval, .seconds(1)), .seconds(86_400)) }

  /// Counts from now. A second call while it runs does nothing.
  func start(_ ping: @escaping @MainActor () -> Void) {
    guard ticks == nil else { return }
    ping()
    var next = ContinuousClock.now + interval
    ticks = Task {
      while true {
        try await Task.sleep(until: next, tolerance: .zero, clock: .continuous)
        next += interval
        ping()
      }
    }
  }

  func stop() {
    ticks?.cancel()
    ticks = nil
  }
}
