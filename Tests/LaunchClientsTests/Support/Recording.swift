import LaunchHTTP
import LaunchTrace
import Synchronization

/// A transport and mark sink that notes what passes, on the continuous clock: what a tap does, for this target's tests.
final class Recording: Transport, MarkSink {
  private struct State {
    var events: [Event] = []
    var calls = 0
  }

  private let upstream: any Transport
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ upstream: any Transport) { self.upstream = upstream }

  var events: [Event] { state.withLock { $0.events } }

  func mark(_ mark: Mark) { append(.mark(mark)) }

  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    let call = state.withLock { state in
      state.calls += 1
      return state.calls
    }
    append(.call(call, .request(request)))
    try await upstream.send(request, into: Probe(call: call, recording: self, sink: sink))
  }

  fileprivate func append(_ kind: Event.Kind) {
    state.withLock { $0.events.append(Event(at: .zero + (ContinuousClock.now - start), kind)) }
  }
}

/// Notes the outcome of one call on its way to the client.
private final class Probe: TransportSink {
  private let call: Int
  private let recording: Recording
  private let sink: any TransportSink
  private let content = Mutex<[UInt8]>([])

  init(call: Int, recording: Recording, sink: any TransportSink) {
    self.call = call
    self.recording = recording
    self.sink = sink
  }

  func receive(_ delivery: Delivery) {
    switch delivery {
    case .sent: recording.append(.call(call, .sent))
    case .head(let head): recording.append(.call(call, .response(head)))
    case .chunk(let chunk): content.withLock { $0 += chunk.content }
    case .end: recording.append(.call(call, .end(Content(content.withLock { $0 }))))
    case .failed(let error): recording.append(.call(call, .error(error, Content(content.withLock { $0 }))))
    case .connection, .informational: break
    }
    sink.receive(delivery)
  }

  func flush() { sink.flush() }
}
