import LaunchDeck
import LaunchHTTP
import LaunchTrace

/// A request and its whole answer, as one entry of a trace.
struct ServedExchange {
  let call: Int
  let at: Instant
  /// The call whose redirect the request follows.
  let from: Int?
  let request: SharedRequest
  let rendition: Rendition

  /// The request, `sent`, and what the rendition is.
  var eventCount: Int { 2 + rendition.partCount }

  var events: [Event] {
    let steps: [Event.Step] = [.request(request.request, from: from), .sent] + rendition.steps
    return steps.map { Event(at: at, .call(call, $0)) }
  }
}

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
