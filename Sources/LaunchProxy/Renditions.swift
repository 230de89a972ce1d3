import LaunchDeck
import LaunchHTTP
import LaunchServer
import LaunchTrace

/// The recorded exchanges as they are served at once, each in the content encoding that a request asks for.
///
/// Nothing is kept of them: they are made from the recording whenever somebody looks.
struct Renditions: Sendable {
  let exchanges: ExchangeList
  let encode: PieceEncoder

  /// The whole answer of an exchange, due at once.
  func answer(of number: Int, to request: Request) -> Answer {
    exchanges[number].answer(to: request, encode: encode).scheduled(at: .immediate)
  }

  /// What the request and the answer are in a trace.
  /// - Parameter origin: The call whose redirect the request follows.
  func steps(of number: Int, to request: Request, from origin: Int?) -> [Event.Step] {
    let opening: [Event.Step] = [.request(request, from: origin), .sent]
    if let plain = PlainAnswer(number, of: exchanges) { return opening + plain.steps }
    var scheduled = ScheduledAnswer(
      answer(of: number, to: request), content: exchanges[number].recordedContent?.body ?? [],
      of: exchanges.call(of: number), to: request.location, from: .never)
    var steps = opening
    while !scheduled.isOver { steps.append(scheduled.next()) }
    return steps
  }
}

extension Answer {
  /// How many events of a trace the parts become.
  var eventCount: Int { parts.firstIndex { $0.part.isLast }.map { $0 + 1 } ?? parts.count }

  /// - Parameter setUp: How long the client waits for its connection first.
  func scheduled(at speed: ReplaySpeed, after setUp: Duration = .zero) -> Answer {
    if speed == .recorded, setUp == .zero { return self }
    var answer = self
    for index in answer.parts.indices { answer.parts[index].offset = speed.scaled(setUp + answer.parts[index].offset) }
    return answer
  }
}

extension Answer.Part {
  fileprivate var isLast: Bool {
    switch self {
    case .end, .fault: true
    case .informational, .head, .chunk: false
    }
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
