public import LaunchHTTP
public import LaunchTrace
import Synchronization

/// Answers what a recording can answer, with the recorded timing, and sends only the rest over a live transport.
///
/// ```swift
/// let fill = FillTransport(try Cassette(path: path).trace, live: CurlTransport(routes: routes))
/// try await Recorder(path: path, by: "my app", replaces: true).record(over: fill) { tap in try await launch(tap) }
/// for exchange in fill.unused { print("no longer asked for:", exchange.request.location) }
/// ```
///
/// Recorded over it, a launch gives a cassette of this very run: the old exchanges that were used and the new ones, in
/// the order in which the app asked. Old exchanges that it did not ask for are not in it, because a cassette is what
/// happened in one launch, and contracts count its calls; `unused` tells which.
///
/// An exchange that was cut off in the recording counts as missing; a failed one is a recording like any other. A live
/// request that carries what an old answer gave out (a user's id, say) reaches a server that may not know it.
public final class FillTransport: Transport {
  /// Where a connection was numbered.
  private struct Origin: Hashable {
    var isLive: Bool
    var id: Int
  }

  private let replay: ReplayTransport
  private let live: any Transport
  private let numbers = Mutex<[Origin: Int]>([:])

  /// A transport with every exchange of `recorded` unused.
  public init(_ recorded: Trace, matching: Matching = Matching(), live: any Transport) {
    replay = ReplayTransport(recorded.withoutCutCalls, matching: matching)
    self.live = live
  }

  /// The recorded exchanges that no request has asked for, in recorded order.
  public var unused: [Exchange] { replay.unused }

  /// The requests that went over the live transport, in order.
  public var missing: [Request] { replay.misses.map(\.request) }

  /// Answers from the recording, or else over the live transport.
  ///
  /// Connections are numbered from 1 in the order they are first seen, recorded and live ones together.
  /// - Throws: The recorded error at its recorded moment, or what the live transport throws.
  public func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    do throws(TransportError) {
      try await replay.send(request, into: Passage(to: sink) { self.number(of: $0, isLive: false) })
    } catch {
      guard error.reason == .unmatched else { throw error }
      try await live.send(request, into: Passage(to: sink) { self.number(of: $0, isLive: true) })
    }
  }

  private func number(of id: Int, isLive: Bool) -> Int {
    numbers.withLock { numbers in
      let origin = Origin(isLive: isLive, id: id)
      if let number = numbers[origin] { return number }
      numbers[origin] = numbers.count + 1
      return numbers.count
    }
  }
}

/// Passes on what a client of both transports is to see of one.
private final class Passage: TransportSink {
  private let client: any TransportSink
  private let number: @Sendable (Int) -> Int

  init(to client: any TransportSink, number: @escaping @Sendable (Int) -> Int) {
    self.client = client
    self.number = number
  }

  func receive(_ delivery: Delivery) {
    switch delivery {
    case .connection(var connection):
      connection.id = number(connection.id)
      client.receive(.connection(connection))
    // The first and only thing a replay says of a request it cannot answer; the live transport does.
    case .failed(let error) where error.reason == .unmatched: break
    default: client.receive(delivery)
    }
  }

  func flush() { client.flush() }
}

extension Trace {
  /// The trace without the calls that have no end: their answers cannot be had from it.
  fileprivate var withoutCutCalls: Trace {
    let whole = Set(exchanges.filter { $0.end != nil }.map(\.call))
    return Trace(
      name: name,
      events: events.filter { if case .call(let call, _) = $0.kind { whole.contains(call) } else { true } })
  }
}
