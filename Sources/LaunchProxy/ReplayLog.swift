import LaunchHTTP
import LaunchTrace
import Synchronization

/// The trace of what clients do to a served replay.
///
/// A request stands at the instant the server had read it whole, and so does its `sent`: what a client did before, the
/// server cannot see. The parts of an answer stand at the instants they are due, counted from the request's; they are
/// written then or later. So whatever a client does about a part comes behind it, and how late the bytes were is in the
/// lateness report.
///
/// They are appended when the next thing happens, in order of their instants. What is not due at the end is left out.
final class ReplayLog: Sendable {
  private struct State {
    var events: [Event] = []
    var last = Instant.zero
    var calls = 0
    /// Answers under way, in order of their calls' answers.
    var scheduled: [ScheduledAnswer] = []
    /// Where 3xx answers pointed, with the call that was answered, until a request goes there.
    var redirects: [Location: Int] = [:]
    var isFinished = false
  }

  private let sinks: [any EventSink]
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Starts the trace with the event of the process start.
  /// - Parameter sinks: Each gets every event, in this order.
  init(sinks: [any EventSink]) {
    self.sinks = sinks
    state.withLock { state in
      append(.launch(1), at: start, to: &state)
      commit()
    }
  }

  /// Appends a request that has arrived, and returns the number of its call.
  func begin(_ request: Request, at moment: ContinuousClock.Instant) -> Int {
    state.withLock { state in
      settle(&state, until: moment)
      state.calls += 1
      let origin = state.redirects.removeValue(forKey: request.location)
      append(.call(state.calls, .request(request, from: origin)), at: moment, to: &state)
      append(.call(state.calls, .sent), at: moment, to: &state)
      commit()
      return state.calls
    }
  }

  /// Appends the parts of an answer as they become due; those that are due already at once.
  func schedule(_ answer: ScheduledAnswer) {
    state.withLock { state in
      state.scheduled.append(answer)
      settle(&state, until: .now)
      commit()
    }
  }

  /// Appends the marks, all at one instant, and returns it; nil when the trace is closed.
  func mark(_ marks: [Mark]) -> Instant? {
    state.withLock { state in
      guard !state.isFinished else { return nil }
      let moment = ContinuousClock.now
      settle(&state, until: moment)
      for mark in marks { append(.mark(mark), at: moment, to: &state) }
      commit()
      return state.last
    }
  }

  /// Appends the closing event; what still happens leaves no event.
  func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      let moment = ContinuousClock.now
      settle(&state, until: moment)
      append(.closed(Closing(events: state.events.count)), at: moment, to: &state)
      commit()
      state.isFinished = true
    }
  }

  /// Everything that has happened so far.
  func trace(name: String) -> Trace {
    state.withLock { state in
      settle(&state, until: .now)
      commit()
      return Trace(name: name, events: state.events)
    }
  }

  /// Appends what has become due, the earliest first.
  private func settle(_ state: inout State, until now: ContinuousClock.Instant) {
    while let index = state.scheduled.indices.min(by: { state.scheduled[$0].due < state.scheduled[$1].due }),
      state.scheduled[index].due <= now
    {
      let due = state.scheduled[index].due
      let (call, location) = (state.scheduled[index].call, state.scheduled[index].location)
      if let step = state.scheduled[index].next() {
        if case .response(let head) = step, let target = location.redirectTarget(of: head) {
          state.redirects[target] = call
        }
        append(.call(call, step), at: due, to: &state)
      }
      if state.scheduled[index].isOver { state.scheduled.remove(at: index) }
    }
  }

  private func append(_ kind: Event.Kind, at moment: ContinuousClock.Instant, to state: inout State) {
    guard !state.isFinished else { return }
    state.last = max(state.last, .zero + (moment - start))
    let event = Event(at: state.last, kind)
    state.events.append(event)
    for sink in sinks { sink.append(event) }
  }

  private func commit() {
    for sink in sinks { sink.commit() }
  }
}
