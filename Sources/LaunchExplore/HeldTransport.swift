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
  private let recorded: [HeldAnswer]
  private let fallback: Fallback?
  private let firstLent = Mutex<Request?>(nil)

  /// - Parameters:
  ///   - recorded: By number of the exchange, what the player answers with.
  ///   - fallback: Asked for what the recording has no answer to.
  init(_ director: Director, _ player: Player, _ recorded: [HeldAnswer], fallback: Fallback?) {
    self.director = director
    var player = player
    player.explainsMisses = fallback == nil
    self.player = Mutex(player)
    self.recorded = recorded
    self.fallback = fallback
  }

  /// The first request that the fallback has answered.
  var lent: Request? { firstLent.withLock(\.self) }

  func send(_ request: Request, into sink: any TransportSink) async throws(TransportError) {
    guard !Task.isCancelled else {
      throw sink.fail(TransportError(.cancelled, during: .request, "the task was cancelled"))
    }
    let held = try find(request, sink)
    sink.receive(.sent)
    sink.flush()
    var answer = held.answer
    let release = await director.arrival(
      "the answer to \(request.turnName)", after: held.delay, outcomes: 1 + ExchangeFailure.allCases.count,
      answering: request)
    switch release {
    case .outcome(0):
      // Requests that left meanwhile may have told what the answer names.
      if let number = held.number {
        answer = player.withLock { $0.givesBack ? HeldAnswer(number, of: $0).answer : answer }
      }
    case .outcome(let outcome):
      giveBack(held)
      answer = Answer(atOnce: ExchangeFailure.allCases[outcome - 1].parts(of: answer))
    case .timedOut:
      giveBack(held)
      answer = Answer(failing: TransportError(.timeout, during: .response, "no complete response arrived in time"))
    case .cancelled:
      giveBack(held)
      answer = Answer(failing: TransportError(.cancelled, during: .response, "the task was cancelled"))
    }
    try await answer.deliver(into: sink, from: .now)
  }

  func outcome(of occasion: String, after delay: Duration?, among count: Int) async throws -> Int {
    let release = await director.arrival(occasion, after: delay, outcomes: count)
    guard case .outcome(let outcome) = release else { throw CancellationError() }
    return outcome
  }

  private func find(_ request: Request, _ sink: any TransportSink) throws(TransportError) -> HeldAnswer {
    do throws(Miss) {
      let held = try player.withLock { player throws(Miss) in
        let number = try player.take(request, player.seek(request))
        return player.givesBack ? HeldAnswer(number, of: player) : recorded[number]
      }
      fallback?.note(request, held.answer)
      return held
    } catch {
      if let answer = fallback?.answer(request) {
        firstLent.withLock { $0 = $0 ?? request }
        return HeldAnswer(answer)
      }
      let why = (explained(request) ?? error).description
      director.giveUp(on: request, why: why)
      throw sink.fail(TransportError(.unmatched, during: .request, why))
    }
  }

  /// The miss of a request that has no answer in the recording, and none from the fallback.
  private func explained(_ request: Request) -> Miss? {
    player.withLock { player in
      player.explainsMisses = true
      do throws(Miss) { _ = try player.take(request, player.seek(request)) } catch { return error }
      return nil
    }
  }

  private func giveBack(_ held: HeldAnswer) {
    if let number = held.number { player.withLock { $0.giveBack(number) } }
  }
}

/// An answer that arrives whole when it is let.
struct HeldAnswer: Sendable {
  /// In one piece.
  let answer: Answer
  /// When it usually arrives, counted from the request; nil when it never ends.
  let delay: Duration?
  /// Of the recorded exchange.
  let number: Int?

  init(_ answer: Answer, setUp: Duration = .zero, _ number: Int? = nil) {
    let isEndless = answer.parts.contains { $0.part == .fault(.hang) }
    delay = isEndless ? nil : setUp + (answer.parts.last?.offset ?? .zero)
    self.answer = answer.atOnce
    self.number = number
  }

  /// The answer of the exchange with this number, as the player has it by now.
  init(_ number: Int, of player: Player) {
    let exchange = player.answer(of: number)
    self.init(exchange.answer, setUp: player.setUp(of: exchange), number)
  }
}

extension Answer {
  fileprivate init(atOnce parts: [Part]) { self.init(parts: parts.map { TimedPart(at: .zero, $0) }) }

  fileprivate init(failing error: TransportError) { self.init(atOnce: [.fault(.error(error))]) }

  /// The same in one piece, over a connection that is there.
  fileprivate var atOnce: Answer {
    var answer = self
    answer.connection = nil
    for index in answer.parts.indices { answer.parts[index].offset = .zero }
    return answer
  }
}
