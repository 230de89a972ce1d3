import LaunchHTTP

/// Sends packages, each to one host after the other until one answers (vendors.md 1.1).
@MainActor
final class AdjustExchange {
  private let run: AdjustRun
  private var hosts = AdjustHosts()

  init(_ run: AdjustRun) { self.run = run }

  /// Sends `package`; a host that cannot be reached, answers 429 or no JSON makes way for the next at once.
  /// - Parameter fields: What the queue adds.
  /// - Returns: The package with its errors, and the answer; nil when no host has one.
  /// - Throws: `CancellationError` when the task is cancelled, or the user has opted out meanwhile.
  func send(
    _ package: AdjustPackage, _ fields: FormPairs = [:]
  ) async throws -> (package: AdjustPackage, answer: AdjustAnswer?) {
    var package = package
    repeat {
      let request = run.requests.request(
        for: package, to: hosts.host(for: run.phone.trackingStatus), status: run.phone.trackingStatus,
        at: run.phone.now, fields: fields, controlParameters: run.stored.controlParameters)
      let answer: AdjustAnswer?
      var code: Int64?
      do throws(TransportError) {
        answer = AdjustAnswer(try await run.transport.response(to: request))
      } catch {
        (answer, code) = (nil, error.systemCode)
      }
      guard !Task.isCancelled, !run.stored.isOptedOut else { throw CancellationError() }
      if let answer {
        hosts.keep()
        return (package, answer)
      }
      package.addError(code)
    } while hosts.moveOn()
    return (package, nil)
  }
}
