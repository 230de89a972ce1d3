import LaunchHTTP
import LaunchTrace

extension OracleRule {
  private typealias Occurrence = OracleScene.Occurrence

  /// The formula of a form, on the occurrences that `view` ranges over.
  func judge(_ sentence: Sentence, _ view: OracleView, _ tolerance: Int64) -> Closed {
    switch sentence {
    case .precedence, .afterItsOwn, .followed, .sequence, .within, .apart, .orElse:
      judgeOrder(sentence, view, tolerance)
    case .oneAtATime, .atMostOpen, .neverOverlaps, .ordered, .retries, .rate:
      judgeSets(sentence, view, tolerance)
    case .equal, .same, .differs, .has, .answered: judgeFields(sentence, view)
    case .count, .turns, .rightAfter, .implies, .choice: judgeExistence(sentence, view)
    case .firstCall, .nothingAfter, .onlyThese, .settles: judgeCalls(sentence, view)
    }
  }

  private func kept(_ isKept: Bool, idle isIdle: Bool) -> Closed { !isKept ? .broken : isIdle ? .idle : .holds }

  /// `(sent)` is about the start, whatever the rule looks at otherwise.
  private func place(_ occurrence: Occurrence, _ party: Party, _ moment: Moment) -> (at: Int, time: Int64)? {
    if case .sent? = party.filter { return (occurrence.lo, occurrence.loTime) }
    if moment == .start { return (occurrence.lo, occurrence.loTime) }
    guard let hi = occurrence.hi, let time = occurrence.hiTime else { return nil }
    return (hi, time)
  }

  private func judgeOrder(_ sentence: Sentence, _ view: OracleView, _ tolerance: Int64) -> Closed {
    switch sentence {
    case .precedence(let b, let bMoment, let a, let aMoment):
      let triggers = view.all(b, .anyOutcome).compactMap { place($0, b, bMoment) }
      let isKept = triggers.allSatisfy { trigger in
        view.all(a, .ok).contains { place($0, a, aMoment).map { $0.at < trigger.at } ?? false }
      }
      return kept(isKept, idle: triggers.isEmpty)
    case .afterItsOwn(let b, let a):
      let triggers = view.all(b, .anyOutcome).sorted { $0.lo < $1.lo }
      let isKept = triggers.enumerated().allSatisfy { index, trigger in
        view.all(a, .ok).count { place($0, a, .end).map { $0.at < trigger.lo } ?? false } > index
      }
      return kept(isKept, idle: triggers.isEmpty)
    case .followed(let a, let b):
      let triggers = view.all(a, .anyOutcome)
      let isKept = triggers.allSatisfy { trigger in
        guard let from = place(trigger, a, .end) else { return false }
        return view.all(b, .ok).contains { from.at < $0.lo }
      }
      return kept(isKept, idle: triggers.isEmpty)
    case .sequence(let a, let b):
      let halves = [
        judgeOrder(.precedence(b, .start, onlyAfter: a, .end), view, tolerance),
        judgeOrder(.followed(a, by: b), view, tolerance),
      ]
      return halves.contains(.broken) ? .broken : halves.contains(.holds) ? .holds : .idle
    case .within(let b, let bound, let a, let isEnding):
      let triggers = view.all(a, .anyOutcome)
      let isKept = triggers.allSatisfy { trigger in
        guard let from = place(trigger, a, isEnding ? .end : .start) else { return false }
        return view.all(b, .ok).contains { answer in
          guard from.at < answer.lo, let to = place(answer, b, .end) else { return false }
          return to.time - from.time <= bound + tolerance
        }
      }
      return kept(isKept, idle: triggers.isEmpty)
    case .apart(let b, let bound, let a):
      let gaps = view.all(b, .anyOutcome).compactMap { trigger -> Int64? in
        let before = view.all(a, .anyOutcome).compactMap { place($0, a, .end) }.filter { $0.at < trigger.lo }
        return before.max { $0.at < $1.at }.map { trigger.loTime - $0.time }
      }
      return kept(gaps.allSatisfy { $0 >= bound - tolerance }, idle: gaps.isEmpty)
    case .orElse(let b, let bound, let a, let c):
      let triggers = view.all(a, .anyOutcome)
      let isKept = triggers.allSatisfy { isAnswered($0, a, b, bound, c, view, tolerance) }
      return kept(isKept, idle: triggers.isEmpty)
    default: fatalError("not about order")
    }
  }

  /// Rule 22 for one trigger: a B in time and no C before it, or a C when the time is up and no B before that.
  private func isAnswered(
    _ trigger: Occurrence, _ a: Party, _ b: Party, _ bound: Int64, _ c: Party, _ view: OracleView, _ tolerance: Int64
  ) -> Bool {
    let answers = view.all(b, .ok).filter { $0.lo > trigger.lo }.compactMap { place($0, b, .end) }
    let fallbacks = view.all(c, .ok).filter { $0.lo > trigger.lo }
    let isInTime = answers.contains { answer in
      answer.time - trigger.loTime <= bound + tolerance && !fallbacks.contains { $0.lo < answer.at }
    }
    return isInTime
      || fallbacks.contains { fallback in
        let after = fallback.loTime - trigger.loTime
        return bound <= after && after <= bound + tolerance && !answers.contains { $0.at < fallback.lo }
      }
  }

  private func judgeSets(_ sentence: Sentence, _ view: OracleView, _ tolerance: Int64) -> Closed {
    func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool { left.hi.map { $0 < right.lo } ?? false }
    switch sentence {
    case .oneAtATime(let a):
      let all = view.all(a, .anyOutcome)
      let isKept = all.allSatisfy { x in all.allSatisfy { y in x === y || precedes(x, y) || precedes(y, x) } }
      return kept(isKept, idle: all.count < 2)
    case .atMostOpen(let a, let limit):
      let all = view.all(a, .anyOutcome)
      let isKept = all.allSatisfy { x in all.count { $0.lo <= x.lo && x.lo <= $0.hi ?? .max } <= limit }
      return kept(isKept, idle: all.count < 2)
    case .neverOverlaps(let a, let b):
      let (left, right) = (view.all(a, .anyOutcome), view.all(b, .anyOutcome))
      let isKept = left.allSatisfy { x in right.allSatisfy { y in precedes(x, y) || precedes(y, x) } }
      return kept(isKept, idle: left.isEmpty || right.isEmpty)
    case .ordered(let a, let isOneAtATime, let field, let isGapless):
      return ordered(view.all(a, .anyOutcome), a, isOneAtATime, field, isGapless)
    case .retries(let a, let backoff):
      let groups = view.all(a, .anyOutcome).map(\.tries)
      let isKept = groups.allSatisfy { isPaced($0, backoff, tolerance) }
      return kept(isKept, idle: !groups.contains { $0.count > 1 })
    case .rate(let a, let limit, let window):
      let starts = view.all(a, .anyOutcome).map(\.loTime)
      let isKept = starts.allSatisfy { t in starts.count { t <= $0 && $0 < t + window } <= limit }
      return kept(isKept, idle: starts.count < 2)
    default: fatalError("not about sets")
    }
  }

  private func ordered(
    _ all: [Occurrence], _ party: Party, _ isOneAtATime: Bool, _ field: OracleField, _ isGapless: Bool
  ) -> Closed {
    let values = all.map { field.value(of: $0, named: party.name) }
    if values.contains(nil) { return .broken }
    let known = zip(all, values.compactMap { $0 })
    let isSorted = known.allSatisfy { x, first in
      known.allSatisfy { y, second in
        if x === y { return true }
        if first == second { return false }
        guard Self.isLess(first, second) else { return true }
        return isOneAtATime ? x.hi.map { $0 < y.lo } ?? false : x.lo < y.lo
      }
    }
    let numbers = values.compactMap { $0.flatMap { Int($0) } }
    let isDense =
      numbers.count == values.count && Set(numbers).count == numbers.count
      && (numbers.max() ?? 0) - (numbers.min() ?? 0) == numbers.count - 1
    return kept(isSorted && (!isGapless || isDense || all.count < 2), idle: all.count < 2)
  }

  /// Numbers compare as numbers, everything else as text.
  private static func isLess(_ left: String, _ right: String) -> Bool {
    if let left = Int(left), let right = Int(right) { return left < right }
    return left < right
  }

  /// Rule 15 for one group, in tenths of per cents of microseconds so that every number is whole.
  private func isPaced(_ tries: [Occurrence], _ backoff: Backoff, _ tolerance: Int64) -> Bool {
    if let most = backoff.most, tries.count > most { return false }
    return zip(tries, tries.dropFirst()).enumerated().allSatisfy { index, pair in
      guard let end = pair.0.hiTime else { return false }
      let gap = (pair.1.loTime - end) * 1000
      var expected = backoff.first * 1000
      for _ in 0..<index { expected = expected * backoff.factor / 10 }
      if let cap = backoff.cap { expected = min(expected, cap * 1000) }
      // What the answer asked for is the least, and the jitter goes around the longer of both.
      let asked = (pair.0.answer?.fields["Retry-After"].flatMap { Int64($0) } ?? 0) * 1_000_000_000
      let longer = max(expected, asked)
      let least = backoff.isFullJitter ? asked : max(expected * (100 - backoff.jitter) / 100, asked)
      let most =
        backoff.isFullJitter
        ? (asked > expected ? asked + expected : expected) : longer * (100 + backoff.jitter) / 100
      return least - tolerance * 1000 <= gap && gap <= most + tolerance * 1000
    }
  }

  private func judgeFields(_ sentence: Sentence, _ view: OracleView) -> Closed {
    switch sentence {
    case .equal(let field, let a, let source, let b):
      let all = view.all(a, .anyOutcome)
      let isKept = all.allSatisfy { x in
        let before = view.all(b, .ok).filter { place($0, b, .end).map { $0.at < x.lo } ?? false }
        guard let last = before.max(by: { (place($0, b, .end)?.at ?? 0) < (place($1, b, .end)?.at ?? 0) }),
          let value = field.value(of: x, named: a.name)
        else { return false }
        return value == source.value(of: last, named: b.name)
      }
      return kept(isKept, idle: all.isEmpty)
    case .same(let field, let a), .differs(let field, let a):
      let values = view.all(a, .anyOutcome).map { field.value(of: $0, named: a.name) }
      if values.contains(nil) { return .broken }
      let different = Set(values).count
      let isKept = if case .same = sentence { different <= 1 } else { different == values.count }
      return kept(isKept, idle: values.count < 2)
    case .has(let a, let field, let test):
      let all = view.all(a, .anyOutcome)
      return kept(all.allSatisfy { test.accepts(field.value(of: $0, named: a.name)) }, idle: all.isEmpty)
    case .answered(let a, let statuses, let isInTheEnd):
      let all = view.all(a, .anyOutcome).flatMap { isInTheEnd ? $0.tries.suffix(1) : $0.tries[...] }
      let isKept = all.allSatisfy { attempt in
        attempt.isAnswered && statuses.contains { $0.contains(attempt.answer?.status ?? 0) }
      }
      return kept(isKept, idle: all.isEmpty)
    default: fatalError("not about fields")
    }
  }

  private func judgeExistence(_ sentence: Sentence, _ view: OracleView) -> Closed {
    switch sentence {
    case .count(let a, let least, let most):
      return (least...(most ?? .max)).contains(view.all(a, .anyOutcome).count) ? .holds : .broken
    case .turns(let a, let b):
      let both = view.all(a, .ok).map { ($0.lo, true) } + view.all(b, .ok).map { ($0.lo, false) }
      let sides = both.sorted { $0.0 < $1.0 }.map(\.1)
      let isKept = sides.enumerated().allSatisfy { index, isFirst in isFirst == (index % 2 == 0) }
      return kept(isKept, idle: view.all(b, .ok).isEmpty)
    case .rightAfter(let b, let a, let among):
      let starts = among.flatMap { name in view.all(Party(name: name), .anyOutcome).map { (lo: $0.lo, name: name) } }
      let all = view.all(a, .anyOutcome)
      let isKept = all.allSatisfy { x in
        guard let next = starts.filter({ $0.lo > x.lo }).min(by: { $0.lo < $1.lo }) else { return false }
        return next.name == b.name && view.all(b, .anyOutcome).contains { $0.lo == next.lo }
      }
      return kept(isKept, idle: all.isEmpty)
    case .implies(let a, let b, let isForbidden):
      let isIdle = view.all(a, .anyOutcome).isEmpty
      let isKept = isForbidden ? view.all(b, .anyOutcome).isEmpty : !view.all(b, .ok).isEmpty
      return kept(isIdle || isKept, idle: isIdle)
    case .choice(let parties, let isExclusive):
      let number = parties.count { !view.all($0, .ok).isEmpty }
      return (isExclusive ? number == 1 : number > 0) ? .holds : .broken
    default: fatalError("not about existence")
    }
  }

  private func judgeCalls(_ sentence: Sentence, _ view: OracleView) -> Closed {
    let calls = view.every(Party(name: "calls"))
    switch sentence {
    case .firstCall(let a):
      guard let first = calls.map(\.lo).min() else { return .idle }
      return view.all(a, .anyOutcome).contains { $0.lo == first } ? .holds : .broken
    case .nothingAfter(let a):
      guard let first = view.all(a, .anyOutcome).min(by: { $0.lo < $1.lo }), let end = place(first, a, .end) else {
        return .idle
      }
      return kept(calls.allSatisfy { $0.lo < end.at }, idle: calls.isEmpty)
    case .onlyThese(let parties):
      let known = parties.flatMap {
        view.all($0, .anyOutcome).flatMap { $0.tries.isEmpty ? [$0.lo] : $0.tries.map(\.lo) }
      }
      return calls.allSatisfy { known.contains($0.lo) } ? .holds : .broken
    case .settles(let bound, let quiet):
      let begin = (at: view.scene.begin.position, time: view.scene.begin.time)
      let ends = calls.compactMap { place($0, Party(name: "calls"), .end) }
      let instants = [begin] + ends
      let isSettled = instants.contains { instant in
        instant.time - begin.time <= bound
          && calls.allSatisfy { call in
            if call.lo > instant.at { return call.loTime - instant.time >= quiet }
            return call.hi.map { $0 <= instant.at } ?? false
          }
      }
      return isSettled ? .holds : .broken
    default: fatalError("not about calls")
    }
  }
}
