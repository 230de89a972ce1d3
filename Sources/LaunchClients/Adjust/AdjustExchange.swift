import LaunchHTTP

/// Sends packages, each to one host after the other until one answers (vendors.md 1.1).
@MainActor
final class AdjustExchange {
  enum Outcome {
    /// The package with its errors of other hosts.
    case answered(AdjustAnswer, AdjustPackage)
    /// No host has an answer; the package with its errors.
    case unanswered(AdjustPackage)
    /// Nobody ever will have one.
    case missed
  }

  private let run: AdjustRun
  private var hosts = AdjustHosts()

  init(_ run: AdjustRun) { self.run = run }

  /// Sends `package`; a host that cannot be reached, answers 429 or no JSON makes way for the next at once.
  /// - Parameter fields: What the queue adds.
  /// - Throws: `CancellationError` when the task is cancelled, or the user has opted out meanwhile.
  func send(
    _ package: AdjustPackage, _ fields: FormPairs = [:]
  ) async throws -> Outcome {
    var package = package
    repeat {
      let request = run.requests.request(
        for: package, to: hosts.host(for: run.phone.trackingStatus), status: run.phone.trackingStatus,
        at: run.phone.now, fields: fields, controlParameters: run.stored.controlParameters)
      let answer: AdjustAnswer?
      var failure: TransportError?
      do throws(TransportError) {
        answer = AdjustAnswer(try await run.transport.response(to: request))
      } catch {
        (answer, failure) = (nil, error)
      }
      guard !Task.isCancelled, !run.stored.isOptedOut else { throw CancellationError() }
      if let answer {
        hosts.keep()
        return .answered(answer, package)
      }
      if failure?.isMiss == true { return .missed }
      package.addError(failure?.systemCode)
    } while hosts.moveOn()
    return .unanswered(package)
  }
}
