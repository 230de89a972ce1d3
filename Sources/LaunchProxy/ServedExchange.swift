import LaunchDeck
import LaunchHTTP
import LaunchTrace

extension Exchange {
  /// The recorded answer in the content encoding that `request` asks for.
  func answer(to request: Request, encode: PieceEncoder) -> Answer {
    let encoding = recordedContent.flatMap { $0.isRaw ? nil : $0.encoding }
    return answer.negotiated(for: request, recorded: self.request, encoding: encoding, encode: encode)
  }

  /// What arrived of the answer's content; nil for a call without an end.
  var recordedContent: Content? {
    switch steps.last?.step {
    case .end(let content), .error(_, let content): content
    default: nil
    }
  }
}
