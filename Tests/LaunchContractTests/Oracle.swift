import LaunchHTTP
import LaunchTrace

/// A second reading of the rules, straight from their definitions: quantifiers over the whole trace, no state, no
/// streaming, and none of the library's own types beyond events and verdicts.
struct Oracle {
  /// A rule as its text and as what the text means.
  struct Sentence {
    enum Kind {
      case precedence(trigger: Party, requirement: Party)
      case response(trigger: Party, requirement: Party, microseconds: Int64?)
      case sequence(first: Party, second: Party)
      case count(Party, least: Int, most: Int?, except: [String])
    }

    enum Stretch { case before(String), after(String) }

    var text: String
    var kind: Kind
    var stretch: Stretch?
  }

  struct Party {
    enum Which { case any, answered, ok }
    enum End { case start, end }
    var name: String
    var which: Which
    var end: End
  }

  enum Closed: Equatable { case holds, broken, idle }

  private struct Occurrence {
    var lo: Int
    var loTime: Int64
    var hi: Int?
    var hiTime: Int64?
    var isOK: Bool
    var isAnswered: Bool
    /// The request that matched, to tell exceptions.
    var first: Int
  }

  /// One try of a call, redirects included.
  private struct Attempt {
    var lo: Int
    var hi: Int?
    var status: Int?
    var error: TransportError.Reason?
    var key: String
    var path: String
    var isRetryable: Bool {
      guard hi != nil else { return false }
      if let error { return error != .cancelled }
      guard let status else { return true }
      return status >= 500 || [408, 425, 429].contains(status)
    }
  }

  let sentence: Sentence

  /// The verdict on a launch that is over.
  func closed(_ events: [Event], offset: Int) -> Closed {
    let boundary: (Occurrence) -> Bool
    switch sentence.stretch {
    case nil: boundary = { _ in true }
    case .before(let name):
      let first = occurrences(name, events, offset).map(\.lo).min()
      if let first, first <= 0 { return .idle }
      boundary = { $0.lo < first ?? .max }
    case .after(let name):
      let first = occurrences(name, events, offset).min { $0.lo < $1.lo }
      guard let hi = first?.hi else { return .idle }
      boundary = { $0.lo > hi }
    }
    func all(_ party: Party) -> [Occurrence] {
      occurrences(party.name, events, offset).filter(boundary).filter { accepts(party, $0) }
    }
    switch sentence.kind {
    case .precedence(let trigger, let requirement):
      return precedence(all(trigger), trigger.end, all(requirement), requirement.end)
    case .response(let trigger, let requirement, let bound):
      return response(all(trigger), trigger.end, all(requirement), requirement.end, bound)
    case .sequence(let first, let second):
      let ok = { (party: Party) in Party(name: party.name, which: .ok, end: .end) }
      let backward = precedence(all(second), .start, all(ok(first)), .end)
      let forward = response(all(first), .end, all(ok(second)), .start, nil)
      if backward == .broken || forward == .broken { return .broken }
      return backward == .idle && forward == .idle ? .idle : .holds
    case .count(let party, let least, let most, let except):
      let excluded = except.flatMap { matches($0, events, offset) }
      let count = all(party).filter { !excluded.contains($0.first) }.count
      return count >= least && count <= most ?? .max ? .holds : .broken
    }
  }

  private func precedence(
    _ triggers: [Occurrence], _ end: Party.End, _ requirements: [Occurrence], _ other: Party.End
  ) -> Closed {
    let triggers = triggers.filter { position($0, end) != nil }
    if triggers.isEmpty { return .idle }
    let isKept = triggers.allSatisfy { trigger in
      requirements.contains { (position($0, other) ?? .max) < (position(trigger, end) ?? .max) }
    }
    return isKept ? .holds : .broken
  }

  private func response(
    _ triggers: [Occurrence], _ end: Party.End, _ requirements: [Occurrence], _ other: Party.End, _ bound: Int64?
  ) -> Closed {
    if triggers.isEmpty { return .idle }
    let isKept = triggers.allSatisfy { trigger in
      requirements.contains { requirement in
        guard (position(trigger, end) ?? .max) < requirement.lo else { return false }
        guard let bound else { return true }
        guard let from = time(trigger, end), let to = time(requirement, other) else { return false }
        return to - from <= bound
      }
    }
    return isKept ? .holds : .broken
  }

  private func position(_ occurrence: Occurrence, _ end: Party.End) -> Int? {
    end == .start ? occurrence.lo : occurrence.hi
  }

  private func time(_ occurrence: Occurrence, _ end: Party.End) -> Int64? {
    end == .start ? occurrence.loTime : occurrence.hiTime
  }

  private func accepts(_ party: Party, _ occurrence: Occurrence) -> Bool {
    switch party.which {
    case .any: true
    case .answered: occurrence.isAnswered
    case .ok: occurrence.isOK
    }
  }

  /// The positions of the events a name matches.
  private func matches(_ name: String, _ events: [Event], _ offset: Int) -> [Int] {
    events.indices.filter { index in
      switch events[index].kind {
      case .mark(let mark): return mark.name == name
      case .call(_, .request(let request, nil)):
        return name == "calls" || request.location.path == "/" + name
      default: return false
      }
    }.map { $0 + offset }
  }

  private func occurrences(_ name: String, _ events: [Event], _ offset: Int) -> [Occurrence] {
    if name == "launch.begin" || name == "launch.end" { return ends(name, events, offset) }
    let starts = matches(name, events, offset)
    let marks = starts.filter { if case .mark = events[$0 - offset].kind { true } else { false } }
    if !marks.isEmpty { return marks.map { point($0, events[$0 - offset].at.microseconds) } }
    return group(starts.map { attempt($0 - offset, events) }).map { attempts in
      let (first, last) = (attempts[0], attempts[attempts.count - 1])
      let success = first.path == "/b" && name == "b" ? [409] : []
      let isAnswered = last.hi != nil && last.error == nil && last.status != nil
      let isOK = isAnswered && (200...299 ~= last.status ?? 0 || success.contains(last.status ?? 0))
      return Occurrence(
        lo: first.lo + offset, loTime: events[first.lo].at.microseconds, hi: last.hi.map { $0 + offset },
        hiTime: last.hi.map { events[$0].at.microseconds }, isOK: isOK, isAnswered: isAnswered, first: first.lo + offset
      )
    }
  }

  private func point(_ position: Int, _ time: Int64) -> Occurrence {
    Occurrence(lo: position, loTime: time, hi: position, hiTime: time, isOK: true, isAnswered: true, first: position)
  }

  private func ends(_ name: String, _ events: [Event], _ offset: Int) -> [Occurrence] {
    if name == "launch.end" {
      guard let last = events.last, case .closed = last.kind else { return [] }
      return [point(events.count - 1 + offset, last.at.microseconds)]
    }
    guard let first = events.first else { return [] }
    if case .launch = first.kind { return [point(offset, first.at.microseconds)] }
    return [point(-1, 0)]
  }

  /// The try that starts at `index`: the last hop's end is its end.
  private func attempt(_ index: Int, _ events: [Event]) -> Attempt {
    guard case .call(var number, .request(let request, _)) = events[index].kind else { fatalError("no request") }
    while let hop = events.firstNumber(from: number) { number = hop }
    var attempt = Attempt(
      lo: index, key: request.method + request.location.path + String(decoding: request.body.bytes, as: UTF8.self),
      path: request.location.path)
    for (position, event) in events.enumerated() {
      guard case .call(number, let step) = event.kind else { continue }
      switch step {
      case .response(let head): attempt.status = head.status
      case .end: attempt.hi = position
      case .error(let error, _): (attempt.hi, attempt.error) = (position, error.reason)
      default: continue
      }
    }
    return attempt
  }

  /// Tries of equal calls, each after one that ended retryably; the one that ended first is retried first.
  private func group(_ attempts: [Attempt]) -> [[Attempt]] {
    var groups: [[Attempt]] = []
    for attempt in attempts.sorted(by: { $0.lo < $1.lo }) {
      let open = groups.indices.filter { index in
        guard let last = groups[index].last, last.isRetryable, let hi = last.hi else { return false }
        return last.key == attempt.key && hi < attempt.lo
      }
      if let index = open.min(by: { groups[$0].last?.hi ?? 0 < groups[$1].last?.hi ?? 0 }) {
        groups[index].append(attempt)
      } else {
        groups.append([attempt])
      }
    }
    return groups
  }
}

extension [Event] {
  fileprivate func firstNumber(from number: Int) -> Int? {
    for event in self { if case .call(let hop, .request(_, number?)) = event.kind { return hop } }
    return nil
  }
}
