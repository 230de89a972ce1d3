import LaunchHTTP
import LaunchTrace
import Synchronization

/// Turns the deliveries of one call into events, and passes them on to the client when they are committed.
///
/// A delivery that cannot follow the ones before it ends the call with an error of the reason `protocol`, for the client
/// at once: written down as it is, no reader could make sense of it.
final class TappedExchange: TransportSink {
  /// What the client has not seen yet, and how long after the tap's start it arrived.
  struct Held {
    var delivery: Delivery
    var at: Duration
  }

  private struct State {
    var held: [Held] = []
    /// Something was appended since the last commit: the request, at first.
    var isCommitDue = true
    var stage = Stage.request
    var head: ResponseHead?
    var body: ArraySlice<UInt8> = []
    var wireBytes = 0
    /// What the wire carried, where that is not the body: a body turns out to be raw when part of it was decoded.
    var wire: ArraySlice<UInt8> = []
    /// Some content differed from its wire form, so an encoding was undone.
    var isDecoded = false
    /// Later content was the wire form again: it turned out that the encoding cannot be undone.
    var isBroken = false
    /// What the transport told that cannot have happened.
    var violation: TransportError?
  }

  /// How far the deliveries have come. They never go back, and only some come again.
  private enum Stage: Int {
    case request, connection, sent, informational, head, chunk, end
  }

  private let tap: Tap
  private let call: Int
  private let location: Location
  private let client: any TransportSink
  private let state = Mutex(State())

  init(tap: Tap, call: Int, location: Location, client: any TransportSink) {
    self.tap = tap
    self.call = call
    self.location = location
    self.client = client
  }

  func receive(_ delivery: Delivery) {
    let violation: TransportError? = state.withLock { state in
      guard let problem = problem(with: delivery, state) else {
        take(delivery, &state)
        return nil
      }
      return violate("the transport delivered \(problem)", &state)
    }
    guard let violation else { return }
    tap.fail(violation)
    flush()
  }

  func flush() {
    let (held, isCommitDue) = state.withLock { state in
      defer { (state.held, state.isCommitDue) = ([], false) }
      return (state.held, state.isCommitDue)
    }
    if isCommitDue { tap.commit(held) }
    let deliveries = held.span
    for index in deliveries.indices { client.receive(deliveries[index].delivery) }
    client.flush()
  }

  /// Ends the call when the transport has returned, and returns what the client is to be thrown.
  /// - Parameter thrown: What the transport threw; it may have delivered it or not.
  func close(_ thrown: TransportError?) -> TransportError? {
    let violation: TransportError? = state.withLock { state in
      if state.stage != .end {
        if let thrown {
          take(.failed(thrown), &state)
        } else {
          return violate("the transport returned without an end of the response", &state)
        }
      }
      return state.violation
    }
    if let violation { tap.fail(violation) }
    flush()
    return violation ?? thrown
  }

  private func take(_ delivery: Delivery, _ state: inout State) {
    // The error that ended the call is delivered and thrown.
    guard state.stage != .end else { return }
    let step = step(for: delivery, &state)
    state.stage = stage(of: delivery)
    state.isCommitDue = true
    // Head, content and end mostly come together.
    if state.held.isEmpty { state.held.reserveCapacity(4) }
    state.held.append(Held(delivery: delivery, at: tap.append(step, of: call)))
  }

  private func violate(_ message: String, _ state: inout State) -> TransportError {
    let phase: TransportError.Phase = state.head != nil ? .body : state.stage == .sent ? .response : .request
    let error = TransportError(.protocol, during: phase, message)
    state.violation = state.violation ?? error
    take(.failed(error), &state)
    return error
  }

  /// What is wrong with the delivery, or nil when it can follow the ones before it.
  private func problem(with delivery: Delivery, _ state: borrowing State) -> String? {
    let next = stage(of: delivery)
    if state.stage == .end {
      if case .failed = delivery { return nil }
      return "\(next) after the end of the response"
    }
    switch delivery {
    case .failed: return nil
    case .chunk, .end: return state.head == nil ? "\(next) before the head of the response" : nil
    case .informational where state.stage == .informational: return nil
    default: return next.rawValue > state.stage.rawValue ? nil : "\(next) after \(state.stage)"
    }
  }

  private func stage(of delivery: Delivery) -> Stage {
    switch delivery {
    case .connection: .connection
    case .sent: .sent
    case .informational: .informational
    case .head: .head
    case .chunk: .chunk
    case .end, .failed: .end
    }
  }

  private func step(for delivery: Delivery, _ state: inout State) -> Event.Step {
    switch delivery {
    case .connection(let connection): return .connection(connection)
    case .sent: return .sent
    case .informational(let head): return .informational(head)
    case .head(let head):
      state.head = head
      if let target = redirectTarget(of: head) { tap.expectRedirect(to: target, from: call) }
      return .response(head)
    case .chunk(let chunk):
      if !state.isDecoded, chunk.content != chunk.wire { (state.isDecoded, state.wire) = (true, state.body) }
      if state.isDecoded {
        state.wire += chunk.wire
        if !chunk.wire.isEmpty, chunk.content == chunk.wire { state.isBroken = true }
      }
      // Most bodies are one chunk, which need not be copied.
      if state.body.isEmpty { state.body = chunk.content } else { state.body += chunk.content }
      state.wireBytes += chunk.wire.count
      return .chunk(bytes: chunk.content.count)
    case .end(let ending): return .end(content(state, ending))
    case .failed(let error): return .error(error, content(state, guessedEnding(state)))
    }
  }

  private func content(_ state: borrowing State, _ ending: Ending) -> Content {
    let body = ending.isRaw && state.isDecoded ? state.wire : state.body
    return Content(
      Body(body), trailers: ending.trailers, encoding: ending.encoding,
      wireBytes: state.wireBytes == body.count ? nil : state.wireBytes, isRaw: ending.isRaw)
  }

  /// What the end would have said about the encoding of content that was cut off.
  private func guessedEnding(_ state: borrowing State) -> Ending {
    let coding = state.head?.fields["Content-Encoding"]?.lowercasedASCII
    guard let coding, coding != "identity", state.wireBytes > 0 else { return Ending() }
    return state.isDecoded && !state.isBroken ? Ending(encoding: coding) : Ending(isRaw: true)
  }

  private func redirectTarget(of head: ResponseHead) -> Location? {
    guard (300..<400).contains(head.status), let reference = head.fields["Location"] else { return nil }
    return try? location.resolving(reference)
  }
}
