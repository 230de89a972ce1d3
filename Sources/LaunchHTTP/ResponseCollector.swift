import Synchronization

/// Gathers the deliveries of one exchange into a response.
public final class ResponseCollector: TransportSink {
  private struct State {
    var head: ResponseHead?
    var body: [UInt8] = []
    var trailers: Fields?
    var error: TransportError?
  }

  private let state = Mutex(State())

  public init() {}

  public func receive(_ delivery: Delivery) {
    state.withLock { state in
      switch delivery {
      case .head(let head): state.head = head
      case .chunk(let chunk): state.body += chunk.content
      case .end(let ending): state.trailers = ending.trailers
      case .failed(let error): state.error = error
      case .connection, .sent, .informational: break
      }
    }
  }

  /// The response gathered so far.
  /// - Throws: the error delivered, or `truncated` when the transport returned without an end.
  public func response() throws(TransportError) -> Response {
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    guard let head = state.head, let trailers = state.trailers else {
      throw TransportError(.truncated, during: .response, "the transport returned before the response was complete")
    }
    return Response(head: head, body: state.body, trailers: trailers)
  }
}
