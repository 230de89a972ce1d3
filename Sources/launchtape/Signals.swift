import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// SIGINT and SIGTERM as something to await.
enum Signals {
  /// From now on the two signals no longer end the process; each one that arrives is an element. When the stream is let
  /// go, they end the process again.
  static func interruptions() -> AsyncStream<Int32> {
    AsyncStream { continuation in
      let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { continuation.yield(number) }
        source.activate()
        return source
      }
      let hold = SignalSources(sources)
      continuation.onTermination = { _ in
        hold.cancel()
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
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
