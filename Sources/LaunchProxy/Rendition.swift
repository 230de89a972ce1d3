import LaunchHTTP
import LaunchServer
import LaunchTrace
import Synchronization

/// A recorded exchange as it is served at once to clients of one kind, in the content encoding they take.
///
/// It keeps no bytes of its own: its answer is made from the recording whenever somebody looks.
final class Rendition: Sendable {
  let exchange: Exchange
  /// How many parts the answer has, each an event of the trace.
  let partCount: Int
  private let make: @Sendable () -> Answer
  private let lastRequest = Mutex<SharedRequest?>(nil)

  /// - Parameters:
  ///   - answer: What `make` gives.
  ///   - make: Gives the same answer whenever it is asked for.
  init(of exchange: Exchange, _ answer: Answer, _ make: @escaping @Sendable () -> Answer) {
    self.exchange = exchange
    self.make = make
    partCount = answer.parts.firstIndex { $0.part.isLast }.map { $0 + 1 } ?? answer.parts.count
  }

  var steps: [Event.Step] {
    var scheduled = ScheduledAnswer(
      make(), content: exchange.recordedContent?.body ?? [], of: exchange.call, to: exchange.request.location,
      from: .never)
    var steps: [Event.Step] = []
    while !scheduled.isOver { steps.append(scheduled.next()) }
    return steps
  }

  /// `request`, kept once for all that are the same one behind the other.
  func shared(_ request: Request) -> SharedRequest {
    lastRequest.withLock { last in
      if let last, last.request == request { return last }
      let shared = SharedRequest(request)
      last = shared
      return shared
    }
  }
}

/// A request that a trace may have many times.
final class SharedRequest: Sendable {
  let request: Request

  init(_ request: Request) { self.request = request }
}

extension Answer.Part {
  fileprivate var isLast: Bool {
    switch self {
    case .end, .fault: true
    case .informational, .head, .chunk: false
    }
  }
}
