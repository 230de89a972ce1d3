public import LaunchHTTP
import LaunchSimulation
public import LaunchTrace

/// How a replay went.
///
/// ```swift
/// let replay = deck.replay { launch in launch.mark("cold start") }
/// print(replay.unused.count, "exchanges were not asked for")
/// try replay.check()
/// ```
public struct Replay: Sendable {
  /// What the launch really did. Cut when it did not return in order.
  ///
  /// The replay of a server may have millions of events, and makes them whenever it is asked.
  public var trace: Trace { makeTrace() }
  private let makeTrace: @Sendable () -> Trace
  /// What the launch threw, or the `SimulationError` that ended it.
  public var failure: (any Error)?
  /// The requests that had no recorded answer, in order.
  public var misses: [Miss]
  /// The recorded exchanges that the launch did not ask for, in recorded order.
  public var unused: [Exchange]
  /// The recorded exchanges that the launch asked for and that have no end in the recording: they never answer.
  public var cutOff: [Exchange]
  /// When the recording was cut off, so that what came later can be missing; nil for a complete one.
  public var recordingCut: Instant?
  /// Empty unless the replay was paced.
  public var lateness: Lateness

  package init(
    trace makeTrace: @escaping @Sendable () -> Trace, failure: (any Error)? = nil, misses: [Miss], unused: [Exchange],
    cutOff: [Exchange],
    recordingCut: Instant?, lateness: Lateness
  ) {
    self.makeTrace = makeTrace
    self.failure = failure
    self.misses = misses
    self.unused = unused
    self.cutOff = cutOff
    self.recordingCut = recordingCut
    self.lateness = lateness
  }

  /// Fails where the replay did.
  /// - Parameter isStrict: Whether unused exchanges are a failure; an earlier one goes before them.
  /// - Throws: `ReplayError` when there were misses, when the launch failed after asking for what the recording has no end
  ///   of or while it waited for an answer, or in strict mode; else what the launch threw.
  public func check(isStrict: Bool = false) throws {
    let unanswered = failure is SimulationError ? unansweredRequests : []
    let isCutOff = failure != nil && !cutOff.isEmpty
    let isUnused = isStrict && failure == nil && !unused.isEmpty
    if !misses.isEmpty || !unanswered.isEmpty || isCutOff || isUnused {
      throw ReplayError(
        misses: misses, unanswered: unanswered, unused: isUnused ? unused : [], cutOff: isCutOff ? cutOff : [],
        recordingCut: recordingCut, failure: failure)
    }
    if let failure { throw failure }
  }

  private var unansweredRequests: [Request] {
    trace.exchanges.filter { $0.end == nil }.map(\.request)
  }
}

/// Why a replay failed that did not fail by the launch's own doing.
public struct ReplayError: Error {
  /// The requests that had no recorded answer, in order.
  public var misses: [Miss]
  /// The requests that the launch still waited for when it could not go on.
  public var unanswered: [Request]
  /// The recorded exchanges that were not asked for; empty unless the replay was strict.
  public var unused: [Exchange]
  /// The exchanges that were asked for and have no end in the recording.
  public var cutOff: [Exchange]
  /// When the recording was cut off; the replay then says nothing about the launch, for what is missing may have come
  /// later. Nil for a complete one.
  public var recordingCut: Instant?
  /// What it led to: the error of the launch, or of the simulation.
  public var failure: (any Error)?
}

extension ReplayError: CustomStringConvertible {
  /// How many requests of one kind are told, of those that a launch repeats for ever.
  private static let listed = 20

  /// The cause first, a line for each request, and the launch's own error last, because it mostly follows.
  public var description: String {
    let cutOffLines = cutOff.map {
      "call \($0.call) was cut off in the recording and never answers: \($0.request.summary)"
    }
    let lines =
      section(misses.map(\.description), "had no recorded answer")
      + section(unanswered.map(\.summary), "was still waited for", "were still waited for")
      + section(
        unused.map { "call \($0.call): \($0.request.summary)" }, of: "recorded exchange", "was not asked for",
        "were not asked for")
    let cut = recordingCut.map { instant in
      [
        "the recording was cut off at \(seconds(instant)), and what came later is missing: "
          + "this says nothing about the launch; record it again"
      ]
    }
    let end = failure.map { ["the launch then failed: \($0)"] } ?? []
    return (lines + cutOffLines + (cut ?? []) + end).joined(separator: "\n")
  }

  private func section(_ lines: [String], of noun: String = "request", _ one: String, _ many: String? = nil) -> [String]
  {
    if lines.isEmpty { return [] }
    let rest = lines.count - Self.listed
    return ["\(count(lines.count, noun)) \(lines.count == 1 ? one : many ?? one):"]
      + lines.prefix(Self.listed).map { "  \($0)" } + (rest > 0 ? ["  and \(rest) more"] : [])
  }
}

extension Request {
  /// Method and location without the query.
  var summary: String { "\(method) \(location.scheme)://\(location.authority)\(location.path)" }
}
