/// The clicks that are still to be delivered, oldest first, and the messages whose clicks are known (vendors.md 4.4).
///
/// It has no clock and does nothing: it says what to send when, in times since the start of the process.
///
/// ```swift
/// var queue = ClickQueue()
/// queue.add("m1", by: "u1", isForeground: true, at: .zero)
/// queue.next(at: .zero) { _ in true }   // .send(click)
/// ```
package struct ClickQueue: Hashable, Sendable {
  /// At most so many wait; the newest are kept.
  package static let limit = 200
  /// So many message ids are remembered.
  package static let seenLimit = 100
  /// So often a click is sent at most.
  package static let attemptLimit = 50
  /// An older click is given up.
  package static let longestAge = Duration.seconds(7 * 86_400)
  /// `min(1 s * 2^(n-1), 30 s)`, 20 % more or less.
  package static let backoff = Backoff(first: .seconds(1), limit: .seconds(30), spread: 0.8...1.2)
  static let longestWait = Duration.seconds(36)

  package enum Step: Hashable, Sendable {
    case send(PendingClick)
    case wait(until: Duration)
  }

  package private(set) var clicks: [PendingClick]
  /// Message ids, the newest last.
  package private(set) var seen: [String]
  private var lastNumber: Int

  /// - Parameter clicks: What an earlier process has left, in the order of the taps. It may have died before it remembered
  ///   the message of the last one.
  package init(clicks: [PendingClick] = [], seen: [String] = []) {
    self.clicks = clicks
    let last = clicks.last.flatMap { seen.contains($0.messageID) ? nil : $0.messageID }
    self.seen = (seen + [last].compactMap(\.self)).suffix(Self.seenLimit)
    lastNumber = clicks.map(\.number).max() ?? 0
  }

  /// The new click and those that have to make room for it; nil when the message's click is known already.
  package mutating func add(
    _ messageID: String, by userID: String?, isForeground: Bool?, at now: Duration
  ) -> (click: PendingClick, dropped: [PendingClick])? {
    guard !seen.contains(messageID), !clicks.contains(where: { $0.messageID == messageID }) else { return nil }
    lastNumber += 1
    let click = PendingClick(
      number: lastNumber, messageID: messageID, userID: userID, isForeground: isForeground, recorded: now)
    clicks.append(click)
    seen = (seen + [messageID]).suffix(Self.seenLimit)
    let dropped = clicks.prefix(max(0, clicks.count - Self.limit))
    clicks.removeFirst(dropped.count)
    return (click, Array(dropped))
  }

  /// Gives the clicks of nobody to `userID`, and returns them.
  package mutating func assign(to userID: String) -> [PendingClick] {
    let indices = clicks.indices.filter { clicks[$0].userID == nil }
    for index in indices { clicks[index].userID = userID }
    return indices.map { clicks[$0] }
  }

  /// Removes and returns what is too old, or was sent often enough.
  package mutating func dropStale(at now: Duration) -> [PendingClick] {
    let isStale = { (click: PendingClick) in
      now - click.recorded > Self.longestAge || click.attempts >= Self.attemptLimit
    }
    defer { clicks.removeAll(where: isStale) }
    return clicks.filter(isStale)
  }

  /// The oldest click that may be sent now, or when the first one may be; nil when none is ready. One that has to wait
  /// holds back no younger one.
  package func next(at now: Duration, where isReady: (PendingClick) -> Bool) -> Step? {
    let ready = clicks.filter(isReady)
    if let click = ready.first(where: { $0.due <= now }) { return .send(click) }
    return ready.map(\.due).min().map(Step.wait)
  }

  /// Counts one more attempt, and returns the click as it has to be on disk before it is sent: a process that dies in the
  /// attempt leaves one that waits as if it had failed.
  package mutating func begin(_ number: Int, at now: Duration) -> PendingClick? {
    guard let index = index(of: number) else { return nil }
    clicks[index].attempts += 1
    clicks[index].due = now + Self.backoff.wait(beforeRetry: clicks[index].attempts)
    return clicks[index]
  }

  /// Puts the next attempt off; nil when the click is not in the queue any more.
  package mutating func delay(_ number: Int, until due: Duration) -> PendingClick? {
    guard let index = index(of: number) else { return nil }
    clicks[index].due = due
    return clicks[index]
  }

  package mutating func remove(_ number: Int) { clicks.removeAll { $0.number == number } }

  private func index(of number: Int) -> Int? { clicks.firstIndex { $0.number == number } }
}
