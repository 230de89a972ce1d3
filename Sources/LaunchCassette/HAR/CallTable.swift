import LaunchHTTP
import LaunchTrace

/// Collects the calls of a HAR, and puts all their events on one timeline.
struct CallTable {
  /// The beginning of the trace in microseconds since the start of 1970; nil when no entry says when it was.
  private(set) var epoch: Int64?
  private var placed: [HARTape.Placed] = []
  private var untaped: [(entry: Int, call: HARCall)] = []
  private var callOfEntry: [Int: Int] = [:]
  /// Whether events of the tape stand at other times than in it.
  private var isRetimed = false
  /// Those of the tape.
  private var numbers: Set<Int> = []

  /// - Parameter epoch: Where a tape says it; else the earliest entry is the beginning.
  init(epoch: Int64?) { self.epoch = epoch }

  /// Adds events that belong to no entry.
  mutating func add(_ events: [HARTape.Placed]) {
    placed += events
    for case .call(let call, _) in events.map(\.event.kind) where call <= HARTape.lastCall { numbers.insert(call) }
  }

  /// Adds the events of a taped entry; false, and nothing added, when the call's number is taken.
  /// - Parameter isRetimed: They stand at other times than in the tape.
  mutating func add(_ events: [HARTape.Placed], as call: Int, entry: Int, isRetimed: Bool) -> Bool {
    guard numbers.insert(call).inserted else { return false }
    if isRetimed { self.isRetimed = true }
    callOfEntry[entry] = call
    placed += events
    return true
  }

  /// Adds an entry without a tape.
  mutating func add(_ call: HARCall, entry: Int) { untaped.append((entry, call)) }

  /// What the starts of the calls without a tape are worth as an order: browsers write whole milliseconds.
  var resolution: Duration {
    untaped.allSatisfy { ($0.call.started ?? 0) % 1000 == 0 } ? .milliseconds(1) : .zero
  }

  /// All events in the order of the trace, and the number of each entry's call.
  ///
  /// Calls without a tape are numbered by their start, those of one instant in the order of the file.
  /// - Parameter isTaped: The tape says how the trace begins and ends; without one, the whole is one launch.
  mutating func events(isTaped: Bool) -> (events: [Event], callOfEntry: [Int]) {
    let starts = starts()
    let origin = epoch ?? starts.min() ?? 0
    if epoch == nil, untaped.contains(where: { $0.call.started != nil }) { epoch = origin }
    placed.sort { $0.index < $1.index }
    var timed = placed.enumerated().map { (at: $1.event.at.microseconds, index: $0, event: $1.event) }
    var connections = ConnectionTable(after: placed.map(\.event))
    var redirects = RedirectTable()
    let order = untaped.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
    var number = numbers.max() ?? 0
    for place in order {
      let (entry, call) = untaped[place]
      number += 1
      callOfEntry[entry] = number
      let start = max(0, starts[place].addingWithinBounds(-origin))
      let request = Event.Step.request(call.request, from: redirects.origin(of: call.request.location))
      redirects.add(call, number)
      let steps = [HARCall.Step(offset: 0, step: request)] + call.steps
      for step in steps {
        guard let kind = step.step ?? connections.step(for: call) else { continue }
        let at = start.addingWithinBounds(step.offset)
        timed.append((at, timed.count, Event(at: Instant(microseconds: at), .call(number, kind))))
      }
    }
    timed.sort { ($0.at, $0.index) < ($1.at, $1.index) }
    var events = timed.map(\.event)
    if !isTaped {
      events.insert(Event(at: .zero, .launch(1)), at: 0)
      let end = events.last?.at ?? .zero
      events.append(Event(at: end, .closed(Closing(events: events.count))))
    } else if !untaped.isEmpty || isRetimed {
      moveClosing(&events)
    }
    return (events, callOfEntry.sorted { $0.key < $1.key }.map(\.value))
  }

  /// When each entry began; one that does not say it began with the one before it.
  private func starts() -> [Int64] {
    var last = untaped.lazy.compactMap(\.call.started).first ?? epoch ?? 0
    return untaped.map { entry in
      last = entry.call.started ?? last
      return last
    }
  }

  /// Nothing can follow the closing event, so it moves behind what was added or moved.
  private func moveClosing(_ events: inout [Event]) {
    guard let index = events.firstIndex(where: { if case .closed = $0.kind { true } else { false } }),
      case .closed(var closing) = events[index].kind
    else { return }
    var event = events.remove(at: index)
    closing.events = events.count
    event.kind = .closed(closing)
    event.at = max(event.at, events.last?.at ?? .zero)
    events.append(event)
  }
}

/// Numbers connections from 1, whatever an exporter calls them.
private struct ConnectionTable {
  private var last: Int
  private var ids: [String: Int] = [:]
  private var idsByHost: [String: Int] = [:]

  init(after events: [Event]) {
    last = 0
    for case .call(_, .connection(let connection)) in events.map(\.kind) { last = max(last, connection.id) }
  }

  /// The connection's step. Where the exporter has no name for it, an entry that set nothing up goes on with the last
  /// connection to its host.
  mutating func step(for call: HARCall) -> Event.Step? {
    guard var connection = call.connection else { return nil }
    let host = call.request.location.authority
    let known = call.connectionName.map { ids[$0] } ?? (connection.isReused ? idsByHost[host] : nil)
    if let known {
      connection.id = known
      if connection.setUp == .zero { connection.isReused = true }
    } else {
      (last, _) = last.addingReportingOverflow(1)
      connection.id = max(1, last)
    }
    if let name = call.connectionName { ids[name] = connection.id }
    idsByHost[host] = connection.id
    return .connection(connection)
  }
}

/// Finds the call whose redirect another one follows.
private struct RedirectTable {
  private var calls: [Location: Int] = [:]

  mutating func add(_ call: HARCall, _ number: Int) {
    guard let target = call.redirect.flatMap({ try? call.request.location.resolving($0) }) else { return }
    calls[target] = number
  }

  /// The latest call that redirects to `location` and was not followed yet.
  mutating func origin(of location: Location) -> Int? { calls.removeValue(forKey: location) }
}
