import LaunchHTTP

/// Ends a launch as soon as a host that it sends credentials to cannot prove who it is: an app goes on without such a
/// vendor, and what it does then is not worth a recording.
final class TrustWatch: Transport {
  private let next: any Transport
  private let hosts: Set<String>
  private let failures: AsyncStream<DistrustError>
  private let signal: AsyncStream<DistrustError>.Continuation

  init(_ next: any Transport, hosts: Set<String>) {
    self.next = next
    self.hosts = hosts
    (failures, signal) = AsyncStream.makeStream()
  }

  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    do throws(TransportError) {
      try await next.send(request, into: sink)
    } catch {
      if error.reason == .tls, hosts.contains(request.location.host) {
        signal.yield(DistrustError(host: request.location.host, reason: error.message))
      }
      throw error
    }
  }

  /// Runs `launch`, and cancels it when the first host fails.
  /// - Throws: `DistrustError` then, else what the launch throws.
  func guarding(_ launch: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await launch() }
      group.addTask { [failures] in
        for await failure in failures { throw failure }
        // Nothing but a cancellation ends the wait without a failure.
        throw CancellationError()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// A host that could not prove who it is.
struct DistrustError: Error, CustomStringConvertible {
  var host: String
  /// In the words of the TLS library.
  var reason: String

  var description: String { "there is no trusted connection to \(host): \(reason)" }
}
