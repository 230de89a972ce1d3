import LaunchJSON
public import LaunchTrace

/// Asks for the permission to track, once the app is in a state in which the system would show the prompt.
///
/// ```swift
/// let gate = ATTGate(log: log, marks: tap, isActive: { phone.isActive }, request: phone.requestTracking)
/// let status = try await gate.pass()
/// ```
@MainActor
public struct ATTGate {
  private let log: WaitingTimeLog
  private let marks: (any MarkSink)?
  private let isActive: @MainActor () -> Bool
  private let request: @MainActor () async throws -> ATTStatus

  /// - Parameters:
  ///   - isActive: Whether the app is active now.
  ///   - request: The system's request: returns when the user has answered.
  public init(
    log: WaitingTimeLog, marks: (any MarkSink)? = nil, isActive: @escaping @MainActor () -> Bool,
    request: @escaping @MainActor () async throws -> ATTStatus
  ) {
    self.log = log
    self.marks = marks
    self.isActive = isActive
    self.request = request
  }

  /// Returns the answer; steps B1 to B4 of launch-flow.md section 2.
  ///
  /// After `LaunchNumbers.activeChecks` the request is made even if the app is still not active: it then reports
  /// `notDetermined`, and the launch goes on as with any answer (Q3).
  /// - Throws: `CancellationError` when the task is cancelled, and what `request` throws.
  public func pass() async throws -> ATTStatus {
    log.mark(.startATT)
    for _ in 0..<LaunchNumbers.activeChecks where !isActive() {
      try await Task.sleep(for: LaunchNumbers.activeCheckInterval)
    }
    marks?.mark("ATT requested")
    let status = try await request()
    log.mark(.attAnswered, ["status": .integer(Int64(status.rawValue))])
    return status
  }
}
