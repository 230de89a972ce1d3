/// Answers requests in process, with the timing, time-outs and cancellation of a live transport and no network.
///
/// ```swift
/// let transport = AnswerTransport { request in
///   Answer(head: ResponseHead(status: 200), body: Array(request.location.path.utf8), after: .milliseconds(80))
/// }
/// ```
///
/// Runs in real time, and in virtual time inside a simulation.
public struct AnswerTransport: Transport {
  private let respond: @Sendable (Request) -> Answer

  /// - Parameter respond: Called once for each request, when it is sent; what it changes is its own business to lock.
  public init(_ respond: @escaping @Sendable (Request) -> Answer) { self.respond = respond }

  /// Waits as long as the answer's connection took to set up, if it has one, then delivers `.sent` and the answer.
  /// - Throws: the error delivered: `cancelled` when the task is (if it was from the start, `respond` is not called),
  ///   `timeout` when the request's has passed, else as `Answer.deliver(into:from:deadline:)`.
  public func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    var start = ContinuousClock.now
    let deadline = request.timeout.map { start + $0 }
    let answer: Answer
    do throws(TransportError) {
      // A request that was cancelled before it left must not change a stand-in's state.
      try await sleep(until: start, deadline: nil, during: .connect)
      answer = respond(request)
      if let connection = answer.connection {
        start += connection.setUp
        try await sleep(until: start, deadline: deadline, during: .connect)
        sink.receive(.connection(connection))
      }
    } catch {
      throw sink.fail(error)
    }
    sink.receive(.sent)
    sink.flush()
    try await answer.deliver(into: sink, from: start, deadline: deadline)
  }
}

extension Connection {
  /// How long it took until the request could be sent.
  package var setUp: Duration { (dns ?? .zero) + (connect ?? .zero) + (tls ?? .zero) }
}

extension TransportSink {
  /// Delivers `error` as the last of an exchange, and returns it to be thrown.
  package func fail(_ error: TransportError) -> TransportError {
    receive(.failed(error))
    flush()
    return error
  }
}
