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

  /// Whether nothing can follow.
  var isClosed: Bool { if case .closed = singles.last?.event.kind { true } else { false } }

  /// The events in order. Those of equal exchanges share what they hold.
  var events: [Event] {
    var events: [Event] = []
    events.reserveCapacity(eventCount)
    var iterator = makeIterator(isSharing: true)
    while let event = iterator.next() { events.append(event) }
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

extension ServedTrace: Sequence {
  /// Makes the events in order, those of one exchange at a time.
  struct Iterator: IteratorProtocol {
    private let trace: ServedTrace
    private var exchange = 0
    private var single = 0
    private var call = 0
    /// The steps of the exchange begun, and which is next.
    private var steps: [Event.Step] = []
    private var step = 0
    private var at = Instant.zero
    /// The steps of exchanges that were served before; nil where equal ones need not share what they hold.
    private var served: [UInt32: (asking: UInt32, steps: [Event.Step])]?

    fileprivate init(_ trace: ServedTrace, isSharing: Bool) {
      self.trace = trace
      served = isSharing ? [:] : nil
    }

    mutating func next() -> Event? {
      if step == steps.count {
        if single < trace.singles.count, trace.singles[single].place <= exchange { return nextSingle() }
        guard exchange < trace.exchanges.count else { return nil }
        begin(trace.exchanges[exchange])
      }
      defer { step += 1 }
      return Event(at: at, .call(call, steps[step]))
    }

    private mutating func nextSingle() -> Event {
      defer { single += 1 }
      let event = trace.singles[single].event
      if case .call(let number, .request) = event.kind { call = number }
      return event
    }

    private mutating func begin(_ next: ServedExchange) {
      exchange += 1
      call += 1
      at = next.at
      step = 0
      if let known = served?[next.exchange], known.asking == next.asking {
        steps = known.steps
      } else {
        steps = trace.steps(of: next)
        served?[next.exchange] = (next.asking, steps)
      }
    }
  }

  func makeIterator() -> Iterator { makeIterator(isSharing: false) }

  private func makeIterator(isSharing: Bool) -> Iterator { Iterator(self, isSharing: isSharing) }

  var underestimatedCount: Int { eventCount }
}
