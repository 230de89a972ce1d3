import LaunchExplore
import Synchronization

/// How far an exploration is, on the last line of a terminal; nothing anywhere else.
final class ProgressLine: Sendable {
  private let start = ContinuousClock.now
  private let isShown = Console.hasProgress
  private let lastShown = Mutex<ContinuousClock.Instant?>(nil)

  func show(_ progress: Exploration.Progress) {
    show(schedules: progress.schedules, done: progress.units.done, of: progress.units.all)
  }

  func show(schedules: Int, done: Int, of all: Int) {
    guard isShown, isDue() else { return }
    let elapsed = (ContinuousClock.now - start) / .seconds(1)
    let rate = elapsed > 0 ? Int(Double(schedules) / elapsed) : 0
    let left = done > 0 ? " \(Int(elapsed * Double(all - done) / Double(done)) + 1) s left" : ""
    let width = 20
    let filled = all > 0 ? width * done / all : 0
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    Console.showProgress("[\(bar)] \(schedules) schedules, \(rate)/s\(left)")
  }

  func clear() { if isShown { Console.showProgress("") } }

  /// Ten times a second is often enough.
  private func isDue() -> Bool {
    lastShown.withLock { last in
      if let last, ContinuousClock.now - last < .milliseconds(100) { return false }
      last = .now
      return true
    }
  }
}
