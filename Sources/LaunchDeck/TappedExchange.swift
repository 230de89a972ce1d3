import LaunchHTTP
import LaunchTrace
import Synchronization

/// Turns the deliveries of one call into events, and passes them on to the client when they are committed.
final class TappedExchange: TransportSink {
  private struct State {
    /// What the client has not seen yet.
    var held: [Delivery] = []
    var head: ResponseHead?
    var body: [UInt8] = []
    var wireBytes = 0
    /// Some content differed from its wire form, so an encoding was undone.
    var isDecoded = false
    var isFinished = false
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
    state.withLock { state in
      // A transport throws the error it delivered, and the tap hands the thrown one over in case it did not.
      guard !state.isFinished else { return }
      tap.append(step(for: delivery, &state), of: call)
      state.held.append(delivery)
    }
  }

  func flush() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    if !held.isEmpty { tap.commit() }
    for delivery in held { client.receive(delivery) }
    client.flush()
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
      state.body += chunk.content
      state.wireBytes += chunk.wire.count
      if chunk.content != chunk.wire { state.isDecoded = true }
      return .chunk(bytes: chunk.content.count)
    case .end(let ending):
      state.isFinished = true
      return .end(content(state, ending))
    case .failed(let error):
      state.isFinished = true
      return .error(error, content(state, guessedEnding(state)))
    }
  }

  private func content(_ state: borrowing State, _ ending: Ending) -> Content {
    Content(
      state.body, trailers: ending.trailers, encoding: ending.encoding,
      wireBytes: state.wireBytes == state.body.count ? nil : state.wireBytes, isRaw: ending.isRaw)
  }

  /// What the end would have said about the encoding of content that was cut off.
  private func guessedEnding(_ state: borrowing State) -> Ending {
    let coding = state.head?.fields["Content-Encoding"]?.lowercasedASCII
    guard let coding, coding != "identity", state.wireBytes > 0 else { return Ending() }
    return state.isDecoded ? Ending(encoding: coding) : Ending(isRaw: true)
  }

  private func redirectTarget(of head: ResponseHead) -> Location? {
    guard (300..<400).contains(head.status), let reference = head.fields["Location"] else { return nil }
    return try? location.resolving(reference)
  }
}
