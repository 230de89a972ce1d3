import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// When the steps of one call happened as its entry tells it, to be held against events that are known beside the entry.
///
/// The two part when somebody edits one of them: another tool the HAR, or a person the cassette.
struct HARClock {
  private let call: HARCall
  private let entry: JSON
  private let epoch: Int64

  /// Tools that read a HAR and write it again round to milliseconds; that is no edit.
  private static let tolerance: Int64 = 1000

  /// - Parameters:
  ///   - entry: Without a tape.
  ///   - epoch: The beginning of the trace, in microseconds since the start of 1970.
  init(_ entry: JSON, creator: HARCreator, epoch: Int64) {
    self.entry = entry
    self.epoch = epoch
    var reader = HAREntryReader(entry: entry, creator: creator, remarks: HARRemarks())
    call = reader.call()
  }

  /// Whether the entry tells the times of the call's `events`, or has those that they are written with.
  func agrees(with events: [Event]) -> Bool {
    let isClose = zip(events, instants(of: events)).allSatisfy { event, instant in
      guard let instant else { return true }
      return abs(instant.addingWithinBounds(-event.at.microseconds)) < Self.tolerance
    }
    if isClose { return true }
    guard let written = HAREntryWriter(events, epoch: epoch)?.entry else { return false }
    return ["startedDateTime", "timings"].allSatisfy { key in
      JSONPatch.patch(from: written[key] ?? .null, to: entry[key] ?? .null) == Optional.none
    }
  }

  /// Whether the entry tells the request of the call's `events`.
  func hasRequest(of events: [Event]) -> Bool {
    guard case .call(_, .request(let request, _))? = events.first?.kind else { return false }
    return request == call.request
  }

  /// Whether the entry tells the answer of the call's `events`, or its failure.
  func hasAnswer(of events: [Event]) -> Bool {
    let steps = call.steps.compactMap(\.step)
    return head(in: events.compactMap(\.step)) == head(in: steps) && events.last?.step == steps.last
  }

  /// The call's `events` at the times that the entry tells. What it has no time for keeps its share of the time between
  /// the steps around it.
  func retimed(_ events: [Event]) -> [Event] {
    let instants = instants(of: events)
    var retimed = events
    var last = 0
    for (place, instant) in instants.enumerated() {
      guard let instant else { continue }
      let (old, new) = (events[last].at.microseconds, retimed[last].at.microseconds)
      let end = max(instant, place == 0 ? 0 : new)
      let share = Double(end - new) / Double(max(1, events[place].at.microseconds.addingWithinBounds(-old)))
      for index in last..<place where index > last {
        let passed = Double(events[index].at.microseconds.addingWithinBounds(-old)) * share
        let at = new.addingWithinBounds(Int64(exactly: passed.rounded(.down)) ?? 0)
        retimed[index].at = Instant(microseconds: min(max(at, new), end))
      }
      retimed[place].at = Instant(microseconds: end)
      retimed[place].take(call.connection)
      last = place
    }
    return retimed
  }

  /// For each event when the entry says it was; nil where it does not say it.
  private func instants(of events: [Event]) -> [Int64?] {
    let told = call.started?.addingWithinBounds(-epoch) ?? events.first?.at.microseconds ?? 0
    let start = max(0, told)
    return events.indices.map { index in
      guard let step = events[index].step else { return Int64?.none }
      if case .request = step { return start }
      if index == events.count - 1 { return call.steps.last.map { start.addingWithinBounds($0.offset) } }
      return offset(of: step).map(start.addingWithinBounds)
    }
  }

  private func offset(of step: Event.Step) -> Int64? {
    call.steps.first { other in
      switch (step, other.step) {
      case (.connection, nil), (.sent, .sent), (.response, .response): true
      default: false
      }
    }?.offset
  }

  private func head(in steps: [Event.Step]) -> ResponseHead? {
    for case .response(let head) in steps { return head }
    return nil
  }
}

extension Event {
  /// What happened to the call; nil for an event of no call.
  fileprivate var step: Step? {
    if case .call(_, let step) = kind { step } else { nil }
  }

  /// Takes over how long each part of setting the connection up took.
  fileprivate mutating func take(_ told: Connection?) {
    guard let told, case .call(let call, .connection(var connection)) = kind else { return }
    (connection.dns, connection.connect, connection.tls) = (told.dns, told.connect, told.tls)
    kind = .call(call, .connection(connection))
  }
}
