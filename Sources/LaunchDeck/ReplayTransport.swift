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
/// nothing adds up. Where no connection to the origin is idle, one is opened, which takes as long as in the recording. Recorded
/// errors come back as the same errors at the same moment. The request's time-out and cancellation act as on a live
/// transport.
///
/// A request without a recorded answer fails with the reason `unmatched`; nothing is ever sent anywhere. Runs in real
/// time, and in virtual time inside a simulation.
public final class ReplayTransport: Transport {
  private let catalog: Catalog
  private let player: Mutex<Player>
  private let connections: Mutex<Connections>
  private let samples = Mutex<[Lateness.Sample]>([])

  /// A replay of the trace's exchanges, none of them used yet. Walks each recorded request once.
  public convenience init(_ trace: Trace, matching: Matching = Matching()) {
    self.init(Player(trace, matching: matching))
  }

  /// A replay that goes on where the player stands.
  package init(_ player: Player) {
    catalog = player.catalog
    connections = Mutex(Connections(player.catalog.openings))
    self.player = Mutex(player)
  }

  /// The requests that had no answer, in order.
  public var misses: [Miss] { player.withLock { $0.misses } }

  /// The recorded exchanges that no request has asked for, in recorded order.
  public var unused: [Exchange] { player.withLock { $0.unused } }

  /// The exchanges that were asked for and have no end in the recording, so that they never answer; in recorded order.
  public var cutOff: [Exchange] { player.withLock { $0.cutOff } }

  /// How late the deliveries of a paced simulation were; empty for every other run.
  public var lateness: Lateness { Lateness(samples.withLock { $0 }) }

  /// Answers with the next unused exchange that matches `request`, on its recorded schedule.
  /// - Throws: the error delivered: `unmatched` when no such exchange is left, with the `Miss` as its message; the
  ///   recorded error at its recorded moment; `timeout` when the request's has passed; `cancelled` when the task is. An
  ///   exchange that was cut ends in one of the last two. A request cancelled before it left uses none.
  public func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    let start = ContinuousClock.now
    let deadline = request.timeout.map { start + $0 }
    let number: Int
    do throws(TransportError) {
      number = try match(request)
    } catch {
      throw sink.fail(error)
    }
    let exchange = player.withLock { $0.answer(of: number) }
    let sink = measuring(sink, exchange)
    let use = connections.withLock { $0.take(for: exchange) }
    do throws(TransportError) {
      try await open(use, exchange, into: sink, from: start, deadline: deadline)
    } catch {
      throw sink.fail(error)
    }
    let sent = start + (use?.sent ?? .zero)
    let answer = try await told(exchange, number, from: sent, into: sink, deadline: deadline)
    try await answer.deliver(into: sink, from: sent, deadline: deadline)
    if let use { connections.withLock { $0.giveBack(use, after: exchange) } }
  }

  /// The answer in the client's own values. Requests that leave while it is awaited may still tell some: what an answer
  /// names only becomes clear when it begins.
  private func told(
    _ exchange: Exchange, _ number: Int, from sent: ContinuousClock.Instant, into sink: any TransportSink,
    deadline: ContinuousClock.Instant?
  ) async throws(TransportError) -> Answer {
    let answer = exchange.answer
    guard !catalog.pseudonyms.isEmpty, let first = answer.parts.first else { return answer }
    do throws(TransportError) {
      try await sleep(until: sent + first.offset, deadline: deadline, during: .response)
    } catch {
      throw sink.fail(error)
    }
    return player.withLock { $0.answer(of: number) }.answer
  }

  private func match(_ request: Request) throws(TransportError) -> Int {
    // A request that was cancelled before it left must not use up an answer.
    guard !Task.isCancelled else { throw TransportError(.cancelled, during: .request, "the task was cancelled") }
    let sought = catalog.seek(request)
    // The lock is the atomic step: no other request can take the exchange between finding and using it.
    let result = player.withLock { player in
      Result { () throws(Miss) in try player.take(request, sought) }
    }
    switch result {
    case .success(let number): return number
    case .failure(let miss): throw TransportError(.unmatched, during: .request, miss.description)
    }
  }

  /// Delivers what happens until the request has left.
  private func open(
    _ use: Connections.Use?, _ exchange: Exchange, into sink: any TransportSink, from start: ContinuousClock.Instant,
    deadline: ContinuousClock.Instant?
  ) async throws(TransportError) {
    if let use {
      if use.ready > .zero { try await sleep(until: start + use.ready, deadline: deadline, during: .connect) }
      if !use.connection.isReused { connections.withLock { $0.open(use) } }
      sink.receive(.connection(use.connection))
    }
    if exchange.sent != nil {
      if let use, use.sent > .zero { try await sleep(until: start + use.sent, deadline: deadline, during: .request) }
      sink.receive(.sent)
    }
    sink.flush()
  }

  private func measuring(_ sink: any TransportSink, _ exchange: Exchange) -> any TransportSink {
    guard Simulation.current?.lateness != nil else { return sink }
    return MeasuringSink(sink, call: exchange.call) { sample in self.samples.withLock { $0.append(sample) } }
  }
}

/// Passes deliveries on and tells how late each was.
private final class MeasuringSink: TransportSink {
  private let client: any TransportSink
  private let call: Int
  private let record: @Sendable (Lateness.Sample) -> Void

  init(_ client: any TransportSink, call: Int, record: @escaping @Sendable (Lateness.Sample) -> Void) {
    self.client = client
    self.call = call
    self.record = record
  }

  func receive(_ delivery: Delivery) {
    if let simulation = Simulation.current, let lateness = simulation.lateness {
      record(Lateness.Sample(call: call, delivery.step, due: .zero + simulation.now, lateness: lateness))
    }
    client.receive(delivery)
  }

  func flush() { client.flush() }
}

extension Delivery {
  fileprivate var step: Lateness.Step {
    switch self {
    case .connection: .connection
    case .sent: .sent
    case .informational: .informational
    case .head: .response
    case .chunk: .chunk
    case .end: .end
    case .failed: .error
    }
  }
}
