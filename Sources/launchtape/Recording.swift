import LaunchCassette
import LaunchClients
import LaunchCurl
import LaunchDeck

/// One launch recorded over libcurl, as `record` and `demo` do it.
enum Recording {
  /// Runs the flow and writes the cassette.
  /// - Throws: `Failure` when it was interrupted; what the recorder throws otherwise.
  static func record(
    _ flow: Flow, to path: String, replaces: Bool, over routes: RouteTable
  ) async throws -> Cassette {
    let transport = CurlTransport(routes: routes)
    defer { transport.close() }
    let recorder = Recorder(path: path, by: "launchtape \(Launchtape.version)", replaces: replaces)
    try await interruptible(path: path) {
      try await recorder.record(over: transport) { tap in try await flow.run(tap) }
    }
    return try Files.cassette(at: path)
  }

  /// Runs `body` and cancels it at Ctrl-C or SIGTERM.
  private static func interruptible(path: String, _ body: sending @escaping () async throws -> Void) async throws {
    let interruptions = Signals.interruptions()
    let recording = Task { try await body() }
    let watch = Task {
      var isInterrupted = false
      // Listens to the end: a second Ctrl-C must not kill the recording while it is being put in order.
      for await _ in interruptions {
        isInterrupted = true
        recording.cancel()
      }
      return isInterrupted
    }
    let result = await recording.result
    watch.cancel()
    if case .failure(let error) = result {
      guard await watch.value else { throw error }
      throw Failure(
        message: "interrupted; what was recorded until then is the cut cassette \(path).part",
        next: "look at it with: launchtape show \(path).part")
    }
  }
}
