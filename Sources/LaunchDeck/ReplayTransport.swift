public import LaunchHTTP
import LaunchSimulation
public import LaunchTrace
import Synchronization

/// Answers requests from a recording, with the recorded timing and no network.
///
/// ```swift
/// let transport = ReplayTransport(cassette.trace)
/// let response = try await transport.response(to: request)
/// ```
///
/// What was recorded so long after the request had left arrives so long after the request. Deadlines are absolute, so
/// nothing adds up. Where the recording opened a connection, the replay takes as long for it. Recorded errors come back
/// as the same errors at the same moment. The request's time-out and cancellation act as on a live transport.
///
/// A request without a recorded answer fails with the reason `unmatched`; nothing is ever sent anywhere. Runs in real
/// time, and in virtual time inside a simulation.
public final class ReplayTransport: Transport {
  private let player: Mutex<Player>
  private let samples = Mutex<[Duration]>([])

  /// A replay of the trace's exchanges, none of them used yet. Costs a comparison key for each.
  public init(_ trace: Trace) { player = Mutex(Player(trace)) }

  /// The requests that had no answer, in order.
  public var misses: [Miss] { player.withLock { $0.misses } }

  /// The recorded exchanges that no request has asked for, in recorded order.
  public var unused: [Exchange] { player.withLock { $0.unused } }

  /// How late the deliveries of a paced simulation were; empty for every other run.
  public var lateness: Lateness { Lateness(samples.withLock { $0 }) }

  /// Answers with the next unused exchange that matches `request`, on its recorded schedule.
  /// - Throws: the error delivered: `unmatched` when no such exchange is left, with the `Miss` as its message; the
  ///   recorded error at its recorded moment; `timeout` when the request's has passed; `cancelled` when the task is. An
  ///   exchange that was cut ends in one of the last two. A request cancelled before it left uses none.
  public func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    let start = ContinuousClock.now
    let deadline = request.timeout.map { start + $0 }
    let sink = MeasuringSink(sink) { lateness in self.samples.withLock { $0.append(lateness) } }
    let exchange: Exchange
    do throws(TransportError) {
      exchange = try match(request)
      try await open(exchange, into: sink, from: start, deadline: deadline)
    } catch {
      throw sink.fail(error)
    }
    try await exchange.answer.deliver(into: sink, from: start + exchange.setUp, deadline: deadline)
  }

  private func match(_ request: Request) throws(TransportError) -> Exchange {
    // A request that was cancelled before it left must not use up an answer.
    guard !Task.isCancelled else { throw TransportError(.cancelled, during: .request, "the task was cancelled") }
    // The lock is the atomic step: no other request can take the exchange between finding and using it.
    let result = player.withLock { player in
      Result { () throws(Miss) in try player.answer(request) }
    }
    switch result {
    case .success(let exchange): return exchange
    case .failure(let miss): throw TransportError(.unmatched, during: .request, miss.description)
    }
  }

  /// Delivers what was recorded until the request had left.
  private func open(
    _ exchange: Exchange, into sink: MeasuringSink, from start: ContinuousClock.Instant,
    deadline: ContinuousClock.Instant?
  ) async throws(TransportError) {
    if let (connection, ready) = exchange.connection {
      let delay = connection.isReused ? .zero : max(.zero, ready - exchange.requested)
      try await sleep(until: start + delay, deadline: deadline, during: .connect)
      sink.receive(.connection(connection))
    }
    if exchange.sent != nil {
      try await sleep(until: start + exchange.setUp, deadline: deadline, during: .request)
      sink.receive(.sent)
    }
    sink.flush()
  }
}

/// Passes deliveries on and tells how late each was.
private final class MeasuringSink: TransportSink {
  private let client: any TransportSink
  private let record: @Sendable (Duration) -> Void

  init(_ client: any TransportSink, record: @escaping @Sendable (Duration) -> Void) {
    self.client = client
    self.record = record
  }

  func receive(_ delivery: Delivery) {
    if let lateness = Simulation.current?.lateness { record(lateness) }
    client.receive(delivery)
  }

  func flush() { client.flush() }
}
