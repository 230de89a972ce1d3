import Synchronization

/// Gathers the deliveries of one exchange into a response.
///
/// ```swift
/// let collector = ResponseCollector()
/// try await transport.send(request, into: collector)
/// let response = try collector.response()
/// ```
public final class ResponseCollector: TransportSink {
  private struct State {
    var head: ResponseHead?
    var chunks: [Chunk] = []
    var ending: Ending?
    var error: TransportError?
  }

  private let state = Mutex(State())

  public init() {}

  public func receive(_ delivery: Delivery) {
    state.withLock { state in
      switch delivery {
      case .head(let head): state.head = head
      case .chunk(let chunk): state.chunks.append(chunk)
      case .end(let ending): state.ending = ending
      case .failed(let error): state.error = error
      case .connection, .sent, .informational: break
      }
    }
  }

  /// The response gathered so far. Its body is the wire form when the ending says that the content encoding could not
  /// be undone, which may turn out in the middle.
  /// - Throws: the error delivered, or `truncated` when the transport returned without an end.
  public func response() throws(TransportError) -> Response {
    let state = state.withLock { $0 }
    if let error = state.error { throw error }
    guard let head = state.head, let ending = state.ending else {
      throw TransportError(.truncated, during: .response, "the transport returned before the response was complete")
    }
    let body = state.chunks.flatMap { ending.isRaw ? $0.wire : $0.content }
    return Response(head: head, body: body, trailers: ending.trailers)
  }
}
