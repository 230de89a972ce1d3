import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Synchronization

/// Answers from a recording, or else from a stand-in, when the director lets it.
///
/// An answer arrives whole, at the instant at which it ended in the recording or at another one that the director has
/// chosen. One that failed on purpose, or that nobody waited for any more, is there for the next request like it.
final class HeldTransport: Transport, Outside {
  private let director: Director
  private let player: Mutex<Player>
  private let fallback: Fallback?

  /// - Parameter fallback: Asked for what the recording has no answer to.
  init(_ director: Director, _ player: Player, fallback: Fallback?) {
    self.director = director
    self.player = Mutex(player)
    self.fallback = fallback
  }

  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    guard !Task.isCancelled else {
      throw sink.fail(TransportError(.cancelled, during: .request, "the task was cancelled"))
    }
    let source = try find(request, sink)
    sink.receive(.sent)
    sink.flush()
    var parts = source.parts
    let release = await director.arrival(
      "the answer to \(request.turnName)", after: source.delay, outcomes: 1 + ExchangeFailure.allCases.count,
      answering: request)
    switch release {
    case .outcome(0):
      // Requests that left meanwhile may have told what the answer names.
      if let number = source.number, player.withLock(\.givesBack) {
        parts = player.withLock { $0.answer(of: number) }.answer.parts.map(\.part)
      }
    case .outcome(let outcome):
      giveBack(source)
      parts = ExchangeFailure.allCases[outcome - 1].parts(of: Answer(parts: parts.map { .init(at: .zero, $0) }))
    case .timedOut:
      giveBack(source)
      parts = [.fault(.error(TransportError(.timeout, during: .response, "no complete response arrived in time")))]
    case .cancelled:
      giveBack(source)
      parts = [.fault(.error(TransportError(.cancelled, during: .response, "the task was cancelled")))]
    }
    try await Answer(parts: parts.map { Answer.TimedPart(at: .zero, $0) }).deliver(into: sink, from: .now)
  }

  func outcome(of occasion: String, after delay: Duration?, among count: Int) async throws -> Int {
    let release = await director.arrival(occasion, after: delay, outcomes: count)
    guard case .outcome(let outcome) = release else { throw CancellationError() }
    return outcome
  }

  private struct Source {
    var parts: [Answer.Part]
    /// Nil when the answer never ends.
    var delay: Duration?
    /// Of the recorded exchange.
    var number: Int?

    init(_ answer: Answer, setUp: Duration = .zero, _ number: Int? = nil) {
      parts = answer.parts.map(\.part)
      let isEndless = parts.contains { $0 == .fault(.hang) }
      delay = isEndless ? nil : setUp + (answer.parts.last?.offset ?? .zero)
      self.number = number
    }
  }

  private func find(_ request: Request, _ sink: any TransportSink) throws(TransportError) -> Source {
    let found = player.withLock { player in
      Result { () throws(Miss) in
        let number = try player.take(request, player.seek(request))
        let exchange = player.answer(of: number)
        return Source(exchange.answer, setUp: player.setUp(of: exchange), number)
      }
    }
    switch found {
    case .success(let source):
      fallback?.note(request, Answer(parts: source.parts.map { Answer.TimedPart(at: .zero, $0) }))
      return source
    case .failure(let miss):
      if let answer = fallback?.answer(request) { return Source(answer) }
      director.giveUp(on: request, why: miss.description)
      throw sink.fail(TransportError(.unmatched, during: .request, miss.description))
    }
  }

  private func giveBack(_ source: Source) {
    if let number = source.number { player.withLock { $0.giveBack(number) } }
  }
}
