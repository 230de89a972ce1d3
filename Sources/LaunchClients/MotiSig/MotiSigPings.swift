import LaunchHTTP

/// Tells the server that the app is in use: at once when it comes to the front, then at a fixed interval, and when it leaves
/// (vendors.md 4.3).
@MainActor
final class MotiSigPings {
  private let core: MotiSigCore
  private let interval: Duration
  private var ticks: Task<Void, any Error>?
  private var isWaiting = false

  /// - Parameter interval: Brought into the range of 1 to 86,400 s.
  init(core: MotiSigCore, interval: Duration) {
    self.core = core
    self.interval = min(max(interval, .seconds(1)), .seconds(86_400))
  }

  /// Counts from now. A second call while it runs does nothing.
  func start() {
    guard ticks == nil else { return }
    ping()
    var next = ContinuousClock.now + interval
    ticks = Task { [weak self] in
      while let interval = self?.interval {
        try await Task.sleep(until: next, tolerance: .zero, clock: .continuous)
        next += interval
        self?.ping()
      }
    }
  }

  func stop() {
    ticks?.cancel()
    ticks = nil
  }

  /// One behind all other calls; nothing while the one before still waits, or without a user.
  func ping() {
    guard !isWaiting, let userID = core.state.userID else { return }
    isWaiting = true
    core.mutations.add { await self.ping(userID) }
  }

  /// The only call that is made twice: without an answer, once more (vendors.md 4.4).
  private func ping(_ userID: String) async {
    defer { isWaiting = false }
    guard core.mode == .faithful || core.state.isRegistered(userID) else { return }
    let request = core.requests.ping(userID)
    do throws(TransportError) {
      _ = try await core.transport.response(to: request)
      return
    } catch {
      if error.isMiss { return }
    }
    do { try await Task.sleep(for: MotiSigClient.pingRetryDelay) } catch { return }
    _ = await core.response(to: request)
  }
}
