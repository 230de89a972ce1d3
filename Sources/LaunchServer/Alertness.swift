/// How long before a deadline a thread has to stop sleeping. Pure: moments go in, a time comes out.
///
/// Waking up takes 25 to 50 microseconds on one quiet machine, 150 on another whose idle processor sleeps deeply, so the
/// thread learns it from its own wake-ups.
struct Alertness {
  private static let least: Int64 = 100_000
  /// So that little of a processor is spent on spinning, whatever else delays the thread.
  private static let most: Int64 = 400_000

  /// How many nanoseconds before its deadline the thread has to be awake: twice the latest of its recent wake-ups.
  private(set) var spin = 2 * Alertness.least

  /// Takes note of the end of a sleep that should have ended at `due`; one that something else ended earlier tells
  /// nothing.
  mutating func woke(at now: Moment, due: Moment) {
    guard now >= due else { return }
    // Forgotten by and by: after 50 wake-ups a fifth of it is left.
    let faded = spin - spin / 32
    spin = min(max(faded, 2 * min(now.wait(from: due), Self.most), Self.least), Self.most)
  }
}
