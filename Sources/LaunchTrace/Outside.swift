/// Decides when and how something happens that the app waits for and has no say in: the user answers a prompt, the system
/// hands out a token.
///
/// ```swift
/// let answer = try await outside.outcome(of: "the answer to the tracking prompt", after: .seconds(7), among: 2)
/// ```
///
/// On its own, everything takes the time it is said to take. An exploration lets it come earlier, later and otherwise.
public protocol Outside: Sendable {
  /// Waits for `occasion`, and returns which of its outcomes came about: 0, the usual one, to `count - 1`.
  /// - Parameters:
  ///   - occasion: What it is called in reports; a noun, as it stands behind "before".
  ///   - delay: How long it usually takes; nil when it usually never comes.
  /// - Throws: `CancellationError` when the task is cancelled.
  func outcome(of occasion: String, after delay: Duration?, among count: Int) async throws -> Int
}

/// The usual course of things.
package struct UsualOutside: Outside {
  package init() {}

  package func outcome(of occasion: String, after delay: Duration?, among count: Int) async throws -> Int {
    if delay == .zero {
      // Not a sleep: nothing comes before it.
      try Task.checkCancellation()
    } else if let delay {
      try await Task.sleep(for: delay)
    } else {
      // Not a long sleep: a simulation has to see that nothing will happen any more.
      let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
      for await _ in stream {}
      withExtendedLifetime(continuation) {}
      try Task.checkCancellation()
    }
    return 0
  }
}
