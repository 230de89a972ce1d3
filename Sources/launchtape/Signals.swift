import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// SIGINT, SIGTERM and SIGHUP as something to await.
enum Signals {
  /// What ends the process unless somebody awaits it. A command that is to outlive its terminal (`nohup`) was started
  /// without SIGHUP, and goes on without it.
  static let ending = isIgnored(SIGHUP) ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]

  private static func isIgnored(_ number: Int32) -> Bool {
    // Only setting a reaction tells the one before.
    let earlier = signal(number, SIG_IGN)
    return unsafe unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// From now on these signals no longer end the process; each one that arrives is an element. When the stream is let
  /// go, they end the process again.
  static func interruptions() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      let sources = ending.map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { continuation.yield(number) }
        source.activate()
        return source
      }
      let hold = SignalSources(sources)
      continuation.onTermination = { _ in
        hold.cancel()
        for number in ending { signal(number, SIG_DFL) }
      }
    }
  }
}

private struct SignalSources: Sendable {
  // Dispatch sources may be cancelled from any thread; Foundation on Linux does not say so in their type.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  init(_ sources: [any DispatchSourceSignal]) { unsafe self.sources = sources }

  func cancel() {
    for source in unsafe sources { source.cancel() }
  }
}
