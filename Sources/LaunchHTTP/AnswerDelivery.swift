extension Answer {
  /// Delivers the parts into `sink`, each at `start` plus its offset, and the end or the fault last.
  ///
  /// Deadlines are absolute on the continuous clock, so lateness of one part never adds to the next; a part whose time
  /// has passed is delivered at once. Parts due together are followed by one `flush()`; those behind an
  /// end or a fault are left out.
  /// - Parameters:
  ///   - start: The moment the request was complete.
  ///   - deadline: When the client gives up; nil never. A part due exactly then still arrives.
  /// - Throws: the error delivered, during `response` until the head and `body` after it. A fault gives `reset`,
  ///   `truncated` or its own error; `hang` waits for the deadline or the cancellation. `timeout` at the deadline,
  ///   `cancelled` when the task is, `truncated` when the parts stop without end and fault.
  public func deliver(
    into sink: any TransportSink, from start: ContinuousClock.Instant, deadline: ContinuousClock.Instant? = nil
  ) async throws(TransportError) {
    var phase = TransportError.Phase.response
    var offset: Duration?
    do throws(TransportError) {
      for index in parts.indices {
        if parts[index].offset != offset {
          if offset != nil { sink.flush() }
          offset = parts[index].offset
          try await reach(start + parts[index].offset, deadline: deadline, during: phase)
        }
        switch parts[index].part {
        case .informational(let head): sink.receive(.informational(head))
        case .head(let head):
          phase = .body
          sink.receive(.head(head))
        case .chunk(let chunk): sink.receive(.chunk(chunk))
        case .end(let ending):
          sink.receive(.end(ending))
          return sink.flush()
        case .fault(let fault):
          sink.flush()
          throw await error(of: fault, deadline: deadline, during: phase)
        }
      }
      if offset != nil { sink.flush() }
      throw TransportError(.truncated, during: phase, "the answer has no end")
    } catch {
      throw sink.fail(error)
    }
  }
}

/// What the client of an in-process answer sees as `fault`; a hang waits for the deadline or the cancellation first.
private func error(
  of fault: Answer.Fault, deadline: ContinuousClock.Instant?, during phase: TransportError.Phase
) async -> TransportError {
  switch fault {
  case .reset: return TransportError(.reset, during: phase, "the connection was reset")
  case .truncate: return TransportError(.truncated, during: phase, "the connection was closed too early")
  case .error(let error): return error
  case .hang:
    do throws(TransportError) {
      if let deadline {
        try await sleep(until: deadline, deadline: nil, during: phase)
      } else {
        await cancellation()
      }
    } catch {
      return error
    }
    return deadline == nil ? cancelled(during: phase) : timedOut(during: phase)
  }
}

/// Goes on at once when `moment` has come, which is the rule where nothing waits for the clock; else as `sleep` does.
@inline(__always)
private func reach(
  _ moment: ContinuousClock.Instant, deadline: ContinuousClock.Instant?, during phase: TransportError.Phase
) async throws(TransportError) {
  if moment > .now {
    try await sleep(until: moment, deadline: deadline, during: phase)
  } else {
    try check(moment, deadline: deadline, during: phase)
  }
}

/// Waits for `moment`, or fails at an earlier deadline or when the task is cancelled.
package func sleep(
  until moment: ContinuousClock.Instant, deadline: ContinuousClock.Instant?, during phase: TransportError.Phase
) async throws(TransportError) {
  let wake = min(moment, deadline ?? moment)
  do {
    if wake > .now { try await Task.sleep(until: wake, tolerance: .zero, clock: .continuous) }
  } catch {
    throw cancelled(during: phase)
  }
  try check(moment, deadline: deadline, during: phase)
}

/// Fails when the task is cancelled, or the deadline lies before `moment` and has come.
private func check(
  _ moment: ContinuousClock.Instant, deadline: ContinuousClock.Instant?, during phase: TransportError.Phase
) throws(TransportError) {
  guard !Task.isCancelled else { throw cancelled(during: phase) }
  if let deadline, deadline < moment { throw timedOut(during: phase) }
}

/// Returns when the task is cancelled. Not a long sleep: a simulation has to see that nothing will happen any more.
private func cancellation() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}

private func cancelled(during phase: TransportError.Phase) -> TransportError {
  TransportError(.cancelled, during: phase, "the task was cancelled")
}

private func timedOut(during phase: TransportError.Phase) -> TransportError {
  TransportError(.timeout, during: phase, "no complete response arrived in time")
}
