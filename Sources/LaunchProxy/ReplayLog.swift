import LaunchHTTP
import LaunchServer
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
/// An exchange that is over at once is kept as a few bytes, and becomes events when somebody asks for them.
final class ReplayLog: Sendable {
  private struct State {
    var trace: ServedTrace
    var last = Instant.zero
    var calls = 0
    /// Answers under way, in order of their calls' answers.
    var scheduled: [ScheduledAnswer] = []
    /// Where 3xx answers pointed, with the call that was answered, until a request goes there.
    var redirects: [Location: Int] = [:]
    var isFinished = false
  }

  private let sinks: [any EventSink]
  let start = Moment.now
  private let state: Mutex<State>

  /// Starts the trace with the event of the process start.
  /// - Parameter sinks: Each gets every event, in this order.
  init(_ renditions: Renditions, sinks: [any EventSink]) {
    self.sinks = sinks
    state = Mutex(State(trace: ServedTrace(renditions)))
    state.withLock { state in
      append(.launch(1), at: start, to: &state)
      commit()
    }
  }

  /// Appends a request and its answer, all of which is due at once.
  /// - Parameters:
  ///   - number: That of the recorded exchange.
  ///   - partCount: How many events its answer to `request` is.
  ///   - redirect: Its head, where that is a redirect.
  func append(
    _ request: Request, answeredBy number: Int, partCount: Int, redirect: ResponseHead?, at moment: Moment
  ) {
    state.withLock { state in
      guard begin(at: moment, &state) else { return }
      let origin = takeOrigin(of: request, &state)
      if let redirect { noteRedirect(redirect, of: state.calls, to: request.location, &state) }
      state.trace.append(request, from: origin, answeredBy: number, partCount: partCount, at: state.last)
      if sinks.isEmpty { return }
      for event in state.trace.lastEvents(ofCall: state.calls) { for sink in sinks { sink.append(event) } }
      commit()
    }
  }

  /// Appends a request, and the parts of its answer as they become due; those that are due already at once.
  /// - Returns: The number of its call; 0 when the trace is closed.
  @discardableResult
  func append(_ request: Request, _ answer: Answer, content: Body = [], at moment: Moment) -> Int {
    state.withLock { state in
      guard begin(at: moment, &state) else { return 0 }
      let call = state.calls
      append(.call(call, .request(request, from: takeOrigin(of: request, &state))), at: moment, to: &state)
      append(.call(call, .sent), at: moment, to: &state)
      state.scheduled.append(
        ScheduledAnswer(answer, content: content, of: call, to: request.location, from: moment))
      settle(&state, until: .now)
      commit()
      return call
    }
  }

  /// Ends the answer of `call`, if it is under way: its client left at `moment`.
  func cancel(_ call: Int, at moment: Moment) {
    state.withLock { state in
      settle(&state, until: moment)
      guard let index = state.scheduled.firstIndex(where: { $0.call == call }) else { return }
      let step = state.scheduled.remove(at: index).cancelled
      append(.call(call, step), at: moment, to: &state)
      commit()
    }
  }

  /// Appends the marks, all at one instant, and returns it; nil when the trace is closed.
  func mark(_ marks: [Mark]) -> Instant? {
    state.withLock { state in
      guard !state.isFinished else { return nil }
      let moment = Moment.now
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
      let moment = Moment.now
      settle(&state, until: moment)
      append(.closed(Closing(events: state.trace.eventCount)), at: moment, to: &state)
      commit()
      state.isFinished = true
    }
  }

  /// Everything that has happened so far.
  var events: ServedTrace {
    state.withLock { state in
      settle(&state, until: .now)
      commit()
      return state.trace
    }
  }

  /// The same, with all events in memory.
  func trace(name: String) -> Trace { Trace(name: name, events: events.events) }

  /// Counts one more call; false when the trace is closed.
  private func begin(at moment: Moment, _ state: inout State) -> Bool {
    guard !state.isFinished else { return false }
    settle(&state, until: moment)
    state.calls += 1
    state.last = max(state.last, instant(of: moment))
    return true
  }

  /// The call whose redirect `request` follows.
  private func takeOrigin(of request: Request, _ state: inout State) -> Int? {
    state.redirects.isEmpty ? nil : state.redirects.removeValue(forKey: request.location)
  }

  private func noteRedirect(_ head: ResponseHead, of call: Int, to location: Location, _ state: inout State) {
    if let target = location.redirectTarget(of: head) { state.redirects[target] = call }
  }

  /// Appends what has become due, the earliest first.
  private func settle(_ state: inout State, until now: Moment) {
    while let index = state.scheduled.indices.min(by: { state.scheduled[$0].due < state.scheduled[$1].due }),
      state.scheduled[index].due <= now
    {
      let due = state.scheduled[index].due
      let (call, location) = (state.scheduled[index].call, state.scheduled[index].location)
      let step = state.scheduled[index].next()
      if case .response(let head) = step { noteRedirect(head, of: call, to: location, &state) }
      append(.call(call, step), at: due, to: &state)
      if state.scheduled[index].isOver { state.scheduled.remove(at: index) }
    }
  }

  private func append(_ kind: Event.Kind, at moment: Moment, to state: inout State) {
    guard !state.isFinished else { return }
    state.last = max(state.last, instant(of: moment))
    let event = Event(at: state.last, kind)
    state.trace.append(event)
    for sink in sinks { sink.append(event) }
  }

  private func instant(of moment: Moment) -> Instant { .zero + (moment - start) }

  private func commit() {
    for sink in sinks { sink.commit() }
  }
}
