public import LaunchHTTP
import LaunchSimulation
public import LaunchTrace
import Synchronization

/// A transport around another one that turns everything it carries into events.
///
/// ```swift
/// let log = EventLog()
/// let tap = Tap(AnswerTransport { _ in Answer(head: ResponseHead(status: 204)) }, sinks: [log])
/// tap.mark("splash launch")
/// _ = try await tap.response(to: request)
/// tap.finish()
/// log.trace(name: "first-launch")
/// ```
///
/// Calls are numbered from 1 in order of the requests. An event is stamped and appended to every sink inside one lock,
/// so the order of the events is what really happened, and no time is before the one above it. Times are those of the
/// continuous clock since the tap was made: virtual inside a simulation.
///
/// A client sees a delivery only after the sinks committed the event that describes it, once for each group of
/// deliveries that arrived together. Its own request it knows already: that is committed with the first group, or when
/// the transport flushes before it waits. How long a commit held deliveries back is measured and stands on the closing
/// event; not in a simulation, where no time passes meanwhile.
///
/// A request to the location an earlier 3xx answer named is that redirect's next hop and refers back to it. Each
/// answer explains one hop, and the last of several answers that name one location explains it.
public final class Tap: Transport, MarkSink, Outside {
  private struct State {
    var last = Instant.zero
    var events = 0
    var launches = 1
    var calls = 0
    /// Where 3xx answers pointed, with the call that was answered, until a request goes there.
    var redirects: [Location: Int] = [:]
    var delays = Delays()
    var failure: TransportError?
    var isFinished = false
    /// Which of the taps of this trace is the living process's.
    var owner = 0
  }

  /// What the taps of one trace share.
  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let transport: any Transport
  private let sinks: [any EventSink]
  private let onFailure: @Sendable (TransportError) -> Void
  private let start: ContinuousClock.Instant
  private let isVirtual = Simulation.current != nil
  private let shared: Shared
  private let number: Int

  /// Starts the trace: the event of the process start is appended at once.
  /// - Parameters:
  ///   - sinks: Each gets every event, in this order.
  ///   - onFailure: Told of the first `failure`, once, when it happens.
  public init(
    _ transport: any Transport, sinks: [any EventSink],
    onFailure: @escaping @Sendable (TransportError) -> Void = { _ in }
  ) {
    self.transport = transport
    self.sinks = sinks
    self.onFailure = onFailure
    start = .now
    shared = Shared()
    number = 0
    shared.state.withLock { state in
      append(.launch(1), at: .zero, to: &state)
      commit(state)
    }
  }

  /// The tap of the next process in the trace of one that has died. Time goes on where the trace stands.
  package init(after dead: Tap, transport: any Transport) {
    self.transport = transport
    (sinks, onFailure, shared) = (dead.sinks, dead.onFailure, dead.shared)
    let (number, start) = shared.state.withLock { state in
      (state.owner, ContinuousClock.now - (state.last - .zero))
    }
    (self.number, self.start) = (number, start)
    relaunch()
  }

  /// The process is dead: what still happens in it leaves no event.
  package func die() { shared.state.withLock { $0.owner += 1 } }

  /// What the transport inside told first that cannot have happened, such as content without a head: the trace is not
  /// to be trusted.
  public var failure: TransportError? { shared.state.withLock { $0.failure } }

  /// Sends `request` over the transport inside, as one more call of the trace.
  ///
  /// The request's event is appended before the transport is asked, its time-out left out, and committed no later than
  /// anything that follows from it. The client sees each delivery, the end and the error included, after the event of it
  /// was committed.
  /// - Throws: What the transport inside throws, unchanged; `protocol` when it tells what cannot have happened, which is
  ///   the tap's `failure`, too. The call has then ended with that error.
  public func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    let exchange = TappedExchange(tap: self, call: begin(request), location: request.location, client: sink)
    var thrown: TransportError?
    do throws(TransportError) { try await transport.send(request, into: exchange) } catch { thrown = error }
    if let error = exchange.close(thrown) { throw error }
  }

  /// Appends and commits the mark.
  public func mark(_ mark: Mark) {
    shared.state.withLock { state in
      append(.mark(mark), to: &state)
      commit(state)
    }
  }

  /// Appends and commits the start of one more process. Calls of the process before stay open unless they were ended.
  public func relaunch() {
    shared.state.withLock { state in
      state.launches += 1
      append(.launch(state.launches), to: &state)
      commit(state)
    }
  }

  /// What happens outside, where the transport inside decides that; else everything takes its usual time.
  public func outcome(of occasion: String, after delay: Duration?, among count: Int) async throws -> Int {
    let outside = transport as? any Outside ?? UsualOutside()
    return try await outside.outcome(of: occasion, after: delay, among: count)
  }

  /// Appends and commits the closing event. What still happens later is passed on but leaves no event.
  public func finish() {
    shared.state.withLock { state in
      guard state.owner == number else { return }
      append(.closed(Closing(events: state.events, overhead: state.delays.overhead)), to: &state)
      commit(state)
      state.isFinished = true
    }
  }

  /// Appends a step of a call that has begun, and returns how long after the start it happened.
  func append(_ step: Event.Step, of call: Int) -> Duration {
    shared.state.withLock { state in
      let now = ContinuousClock.now - start
      append(.call(call, step), at: now, to: &state)
      return now
    }
  }

  /// Commits what was appended, and measures how long that held these deliveries back.
  func commit(_ held: [TappedExchange.Held]) {
    shared.state.withLock { state in
      commit(state)
      guard !isVirtual, !held.isEmpty else { return }
      let now = ContinuousClock.now - start
      for index in held.indices { state.delays.add(now - held[index].at) }
    }
  }

  /// Takes note of the first failure of the transport inside.
  func fail(_ error: TransportError) {
    let isFirst = shared.state.withLock { state in
      defer { state.failure = state.failure ?? error }
      return state.failure == nil
    }
    if isFirst { onFailure(error) }
  }

  /// Remembers that the answer to `call` sends the client to `location`.
  func expectRedirect(to location: Location, from call: Int) {
    shared.state.withLock { $0.redirects[location] = call }
  }

  private func begin(_ request: Request) -> Int {
    shared.state.withLock { state in
      state.calls += 1
      let origin = state.redirects.isEmpty ? nil : state.redirects.removeValue(forKey: request.location)
      append(.call(state.calls, .request(request.withoutTimeout, from: origin)), to: &state)
      return state.calls
    }
  }

  private func append(_ kind: Event.Kind, to state: inout State) {
    append(kind, at: ContinuousClock.now - start, to: &state)
  }

  /// - Parameter moment: How long after the start it happened.
  private func append(_ kind: Event.Kind, at moment: Duration, to state: inout State) {
    guard !state.isFinished, state.owner == number else { return }
    // What becomes of a task that is cancelled behind the end is no part of the launch.
    if isVirtual, Simulation.current?.isOver == true { return }
    state.last = max(state.last, .zero + moment)
    state.events += 1
    let event = Event(at: state.last, kind)
    for sink in sinks { sink.append(event) }
  }

  private func commit(_ state: borrowing State) {
    guard !state.isFinished, state.owner == number else { return }
    for sink in sinks { sink.commit() }
  }
}

extension Request {
  fileprivate var withoutTimeout: Request {
    var request = self
    request.timeout = nil
    return request
  }
}
