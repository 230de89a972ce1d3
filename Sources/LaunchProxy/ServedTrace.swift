import LaunchHTTP
import LaunchTrace

/// What a replay has served so far, in little memory.
struct ServedTrace {
  /// An event that belongs to no exchange that was over at once.
  private struct Single {
    let event: Event
    /// How many such exchanges come before it.
    let place: Int
  }

  private let renditions: Renditions
  private var exchanges: [ServedExchange] = []
  private var askings = Askings()
  private var singles: [Single] = []
  /// How many events there are.
  private(set) var eventCount = 0

  init(_ renditions: Renditions) { self.renditions = renditions }

  mutating func append(_ event: Event) {
    singles.append(Single(event: event, place: exchanges.count))
    eventCount += 1
  }

  /// Appends what the recorded exchange `number` is as the answer to `request`.
  /// - Parameters:
  ///   - origin: The call whose redirect the request follows.
  ///   - partCount: How many events the answer is.
  mutating func append(
    _ request: Request, from origin: Int?, answeredBy number: Int, partCount: Int, at instant: Instant
  ) {
    let recorded = renditions.exchanges.request(of: number)
    let asking = askings.number(of: request, from: origin, recorded: recorded)
    exchanges.append(ServedExchange(at: instant, exchange: UInt32(number), asking: asking))
    // The request and `sent`, too.
    eventCount += 2 + partCount
  }

  /// The events in order. Those of equal exchanges share what they hold.
  var events: [Event] {
    var events: [Event] = []
    events.reserveCapacity(eventCount)
    var call = 0
    /// Where the events of an exchange stand that was served before.
    var served: [UInt32: (asking: UInt32, events: Range<Int>)] = [:]
    func append(_ exchange: ServedExchange) {
      call += 1
      let start = events.count
      if let known = served[exchange.exchange], known.asking == exchange.asking {
        for index in known.events {
          if case .call(_, let step) = events[index].kind {
            events.append(Event(at: exchange.at, .call(call, step)))
          }
        }
        return
      }
      for step in steps(of: exchange) { events.append(Event(at: exchange.at, .call(call, step))) }
      served[exchange.exchange] = (exchange.asking, start..<events.count)
    }
    var rest = exchanges[...]
    for single in singles {
      while rest.startIndex < single.place, let next = rest.popFirst() { append(next) }
      if case .call(let number, .request) = single.event.kind { call = number }
      events.append(single.event)
    }
    for exchange in rest { append(exchange) }
    return events
  }

  /// The events of the exchange appended last, whose call has this number.
  func lastEvents(ofCall call: Int) -> [Event] {
    guard let last = exchanges.last else { return [] }
    return steps(of: last).map { Event(at: last.at, .call(call, $0)) }
  }

  private func steps(of exchange: ServedExchange) -> [Event.Step] {
    let number = Int(exchange.exchange)
    let (request, origin) = askings.request(
      exchange.asking, recorded: renditions.exchanges.request(of: number))
    return renditions.steps(of: number, to: request, from: origin)
  }
}
