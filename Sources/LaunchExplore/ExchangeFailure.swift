import LaunchHTTP

/// The ways in which an exchange may fail on purpose.
///
/// ```swift
/// ExchangeFailure.allCases.map(\.description)  // "finds nobody listening", …
/// ```
public enum ExchangeFailure: Int, Sendable, CaseIterable {
  case refused, reset, timedOut, truncated, unavailable

  /// What the client sees in the place of `answer`.
  func parts(of answer: Answer) -> [Answer.Part] {
    func fault(_ reason: TransportError.Reason, _ phase: TransportError.Phase, _ message: String) -> [Answer.Part] {
      [.fault(.error(TransportError(reason, during: phase, message)))]
    }
    return switch self {
    case .refused: fault(.refused, .connect, "an exploration lets this exchange fail: nobody listens")
    case .reset: fault(.reset, .response, "an exploration lets this exchange fail: the connection was reset")
    case .timedOut: fault(.timeout, .response, "an exploration lets this exchange fail: no answer came in time")
    case .truncated:
      answer.parts.map(\.part).filter { if case .head = $0 { true } else { false } }
        + fault(.truncated, .body, "an exploration lets this exchange fail: the connection was closed too early")
    case .unavailable: [.head(ResponseHead(status: 503)), .end(Ending())]
    }
  }
}

extension ExchangeFailure: CustomStringConvertible {
  /// As it stands behind the name of a call.
  public var description: String {
    switch self {
    case .refused: "finds nobody listening"
    case .reset: "is reset before the answer"
    case .timedOut: "times out"
    case .truncated: "is cut off behind the head"
    case .unavailable: "is answered 503"
    }
  }
}
