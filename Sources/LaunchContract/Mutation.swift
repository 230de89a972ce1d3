import LaunchHTTP
import LaunchTrace

/// The ways in which one event of a trace can go wrong.
struct Mutation {
  /// The places of a mark, or of all steps of a call with its redirects.
  let subjects: [[Int]]
  private let events: [Event]
  /// What rules look at; each is changed where it is.
  private let fields: [FieldPath]
  /// A number no call has.
  private let freshCall: Int

  init(_ events: [Event], fields: [FieldPath]) {
    self.events = events
    self.fields = fields
    var subjects: [[Int]] = []
    /// By call, its place in `subjects`.
    var places: [Int: Int] = [:]
    for (index, event) in events.enumerated() {
      switch event.kind {
      case .launch, .closed: continue
      case .mark: subjects.append([index])
      case .call(let call, .request(_, let previous?)) where places[previous] != nil:
        places[call] = places[previous]
        places[call].map { subjects[$0].append(index) }
      case .call(let call, _):
        if let place = places[call] {
          subjects[place].append(index)
        } else {
          places[call] = subjects.count
          subjects.append([index])
        }
      }
    }
    self.subjects = subjects
    freshCall = (places.keys.max() ?? 0) + 1
  }

  /// A trace with something wrong.
  struct Mutant {
    var events: [Event]
    /// What was touched, by its place among the subjects.
    var subjects: [Int]
  }

  /// Deleted, swapped with what begins next, delayed, doubled, failed, each field with another value and without it, as
  /// far as that can be.
  func mutants(of subject: Int) -> [Mutant] {
    let alone = [deleted(subject), delayed(subject), doubled(subject), failed(subject)].compactMap(\.self)
    return (alone + altered(subject)).map { Mutant(events: $0, subjects: [subject]) }
      + [swapped(subject)].compactMap(\.self).map { Mutant(events: $0, subjects: [subject, subject + 1]) }
  }

  func description(of subject: Int) -> Strength.Subject {
    let event = events[subjects[subject][0]]
    let name =
      switch event.kind {
      case .mark(let mark): mark.name
      case .call(_, .request(let request, _)): "\(request.method) \(request.location.path)"
      default: "an unfinished call"
      }
    return Strength.Subject(name: name, at: event.at)
  }

  private func deleted(_ subject: Int) -> [Event]? {
    let gone = Set(subjects[subject])
    return events.indices.filter { !gone.contains($0) }.map { events[$0] }
  }

  /// Both begin where the other did, and what follows in each keeps its distance.
  private func swapped(_ subject: Int) -> [Event]? {
    guard subject + 1 < subjects.count else { return nil }
    let (first, second) = (subjects[subject][0], subjects[subject + 1][0])
    let distance = events[second].at.microseconds - events[first].at.microseconds
    return moved([(subject, by: distance, to: second), (subject + 1, by: -distance, to: first)])
  }

  /// Long enough for every time bound of a launch.
  private static let delay: Int64 = 60_000_000

  private func delayed(_ subject: Int) -> [Event]? {
    guard events.last.map({ $0.at.microseconds < Int64.max - Self.delay }) ?? false else { return nil }
    return moved([(subject, by: Self.delay, to: events.count)])
  }

  /// Moves subjects in time. Of events at one time the order is that of the trace, the moved ones standing where they are
  /// moved `to`; a closing event stays last.
  private func moved(_ moves: [(subject: Int, by: Int64, to: Int)]) -> [Event] {
    var keyed = events.indices.map { (event: events[$0], place: $0, step: $0) }
    for move in moves {
      for index in subjects[move.subject] {
        keyed[index].event.at = Instant(microseconds: max(0, events[index].at.microseconds + move.by))
        keyed[index].place = move.to
      }
    }
    keyed.sort { ($0.event.at, $0.place, $0.step) < ($1.event.at, $1.place, $1.step) }
    var moved = keyed.map(\.event)
    guard let closing = moved.firstIndex(where: { if case .closed = $0.kind { true } else { false } }) else {
      return moved
    }
    var last = moved.remove(at: closing)
    last.at = max(last.at, moved.last?.at ?? .zero)
    return moved + [last]
  }

  /// Once more, directly after it was over.
  private func doubled(_ subject: Int) -> [Event]? {
    guard let last = subjects[subject].last else { return nil }
    var copies = subjects[subject].map { events[$0] }
    for index in copies.indices {
      copies[index].at = events[last].at
      if case .call(let call, let step) = copies[index].kind {
        copies[index].kind = .call(call + freshCall, step.following { $0 + freshCall })
      }
    }
    return Array(events[...last]) + copies + Array(events[(last + 1)...])
  }

  /// One for each field that some event of the subject has, and each way to change it.
  private func altered(_ subject: Int) -> [[Event]] {
    fields.flatMap { field in
      FieldMutation.Kind.allCases.compactMap { kind in
        let mutation = FieldMutation(field: field, kind: kind)
        var mutant = events
        var isAltered = false
        for index in subjects[subject] {
          guard let event = mutation.mutant(of: events[index]) else { continue }
          mutant[index] = event
          isAltered = true
        }
        return isAltered ? mutant : nil
      }
    }
  }

  /// Answered with 400, which nobody retries; nil for marks and what was not answered.
  private func failed(_ subject: Int) -> [Event]? {
    var mutant = events
    var isAnswered = false
    for index in subjects[subject] {
      guard case .call(let call, .response(var head)) = events[index].kind, head.status < 300 || head.status > 399
      else { continue }
      head.status = 400
      mutant[index].kind = .call(call, .response(head))
      isAnswered = true
    }
    return isAnswered ? mutant : nil
  }
}

extension Event.Step {
  /// The step with the number of the call whose redirect it follows changed.
  fileprivate func following(_ change: (Int) -> Int) -> Event.Step {
    if case .request(let request, let previous?) = self { .request(request, from: change(previous)) } else { self }
  }
}
