import LaunchTrace

/// A second reading of the rules, straight from their definitions: quantifiers over the whole trace, no state, no
/// streaming, and none of the library's own types beyond events and verdicts.
struct OracleRule {
  enum Moment: String { case start, end }

  enum Filter {
    case sent, ok, anyOutcome
    /// Nil is any status.
    case answered([ClosedRange<Int>]?)
  }

  /// One name in a rule, with what stands in brackets; without it the role decides.
  struct Party {
    var name: String
    var ofAttempts = false
    var filter: Filter?
  }

  struct Backoff {
    /// Microseconds.
    var first: Int64
    /// In tenths: 15 is a factor of 1.5.
    var factor: Int64 = 10
    var cap: Int64?
    /// Per cent.
    var jitter: Int64 = 0
    var isFullJitter = false
    var most: Int?
  }

  /// Durations are microseconds.
  enum Sentence {
    case precedence(Party, Moment, onlyAfter: Party, Moment)
    case afterItsOwn(Party, Party)
    case followed(Party, by: Party)
    case sequence(Party, Party)
    case within(Party, Int64, of: Party, ending: Bool)
    case apart(Party, Int64, after: Party)
    case count(Party, least: Int, most: Int?)
    case turns(Party, Party)
    case rightAfter(Party, Party, among: [String])
    case oneAtATime(Party)
    case atMostOpen(Party, Int)
    case neverOverlaps(Party, Party)
    case ordered(Party, oneAtATime: Bool, OracleField, gapless: Bool)
    case retries(Party, Backoff)
    case rate(Party, Int, in: Int64)
    case equal(OracleField, of: Party, to: OracleField, from: Party)
    case same(OracleField, Party)
    case differs(OracleField, Party)
    case has(Party, OracleField, OracleTest)
    case answered(Party, [ClosedRange<Int>], inTheEnd: Bool)
    case implies(Party, Party, isForbidden: Bool)
    case choice([Party], isExclusive: Bool)
    case orElse(Party, Int64, of: Party, Party)
    case firstCall(Party)
    case nothingAfter(Party)
    case onlyThese([Party])
    case settles(Int64, quiet: Int64)
  }

  enum Scope {
    case before(String), after(String), afterUntil(String, String), between(String, String), whileOpen(String)

    var names: [String] {
      switch self {
      case .before(let name), .after(let name), .whileOpen(let name): [name]
      case .afterUntil(let first, let second), .between(let first, let second): [first, second]
      }
    }
  }

  struct Guard {
    var mark: String
    var field: OracleField
    var test: OracleTest
  }

  enum Closed: Equatable { case holds, broken, idle }

  /// As a contract says it: one line, or two for a `when` block.
  var text: String
  /// The number of the form, 1 to 25; a rule with a scope is a 10, a block a 24.
  var form: Int
  var sentence: Sentence
  var scope: Scope?
  var except: [String] = []
  var per: OracleField?
  var tolerance: Int64 = 0
  var guardian: Guard?
}

extension OracleRule {
  /// The verdict on a whole trace whose launches are `scenes`: they share nothing, and one broken launch breaks the rule.
  func closed(_ scenes: [OracleScene]) -> Closed { Self.together(scenes.map(closed)) }

  /// The verdict on one launch that is over.
  func closed(_ scene: OracleScene) -> Closed {
    if let guardian {
      let marks = scene.occurrences[guardian.mark] ?? []
      let isSeen = marks.contains { guardian.test.accepts(guardian.field.value(of: $0, named: guardian.mark)) }
      if !isSeen { return .idle }
    }
    guard let per else { return verdict(OracleView(scene: scene, except: except)) }
    // What is excepted is no occurrence of the rule; what bounds a stretch is none that is counted.
    let (all, counted) = (OracleView(scene: scene, except: []), OracleView(scene: scene, except: except))
    let occurrences =
      boundaries.flatMap { party in all.every(party).map { ($0, party) } }
      + sentence.parties.flatMap { party in counted.every(party).map { ($0, party) } }
    let values = occurrences.map { per.value(of: $0.first, named: $1.name) }
    if values.contains(nil) { return .broken }
    return Self.together(
      Set(values).map { value in
        verdict(OracleView(scene: scene, except: except, key: (per, value ?? "")))
      })
  }

  private func verdict(_ view: OracleView) -> Closed {
    guard let scope else { return judge(sentence, view, tolerance) }
    return Self.together(view.stretches(scope).map { judge(sentence, view.within($0), tolerance) })
  }

  /// Broken if one is, idle if all are.
  private static func together(_ verdicts: [Closed]) -> Closed {
    if verdicts.contains(.broken) { return .broken }
    return verdicts.contains(.holds) ? .holds : .idle
  }

  /// Every name of the rule, those of its scope included.
  var parties: [Party] { boundaries + sentence.parties }

  private var boundaries: [Party] { (scope?.names ?? []).map { Party(name: $0) } }
}

extension OracleRule.Sentence {
  var parties: [OracleRule.Party] {
    switch self {
    case .precedence(let b, _, let a, _), .afterItsOwn(let b, let a), .followed(let a, let b), .sequence(let a, let b),
      .within(let b, _, let a, _), .apart(let b, _, let a), .turns(let a, let b), .neverOverlaps(let a, let b),
      .equal(_, let a, _, let b), .implies(let a, let b, _):
      [a, b]
    case .count(let a, _, _), .oneAtATime(let a), .atMostOpen(let a, _), .ordered(let a, _, _, _), .retries(let a, _),
      .rate(let a, _, _), .same(_, let a), .differs(_, let a), .has(let a, _, _), .answered(let a, _, _),
      .firstCall(let a), .nothingAfter(let a):
      [a]
    case .rightAfter(_, _, let names): names.map { OracleRule.Party(name: $0) }
    case .choice(let parties, _), .onlyThese(let parties): parties
    case .orElse(let b, _, let a, let c): [a, b, c]
    case .settles: []
    }
  }
}

/// What the quantifiers of a formula range over: one launch, or the occurrences of one key or one stretch in it.
struct OracleView {
  typealias Occurrence = OracleScene.Occurrence

  var scene: OracleScene
  var except: [String]
  var key: (field: OracleField, value: String)?
  /// Places strictly between; nil is the whole launch.
  var stretch: (from: Int, to: Int)?

  /// Every occurrence, whatever its outcome.
  func every(_ party: OracleRule.Party) -> [Occurrence] {
    let all = (party.ofAttempts ? scene.attempts : scene.occurrences)[party.name] ?? []
    return all.filter { occurrence in
      if let key, key.field.value(of: occurrence.first, named: party.name) != key.value { return false }
      if let stretch, occurrence.lo <= stretch.from || occurrence.lo >= stretch.to { return false }
      return except.isEmpty || !except.contains(where: occurrence.names.contains)
    }
  }

  /// The occurrences that count: by the brackets, or by the role of the party.
  func all(_ party: OracleRule.Party, _ role: OracleRule.Filter) -> [Occurrence] {
    every(party).filter { occurrence in
      switch party.filter ?? role {
      case .sent, .anyOutcome: true
      case .ok: occurrence.outcome == .ok
      case .answered(nil): occurrence.isAnswered
      case .answered(let statuses?):
        occurrence.isAnswered && statuses.contains { $0.contains(occurrence.answer?.status ?? 0) }
      }
    }
  }

  func within(_ stretch: (from: Int, to: Int)) -> OracleView {
    var view = self
    view.stretch = stretch
    return view
  }

  /// The stretches a scope opens, as the places they lie strictly between.
  func stretches(_ scope: OracleRule.Scope) -> [(from: Int, to: Int)] {
    var plain = self
    plain.except = []
    func starts(_ name: String) -> [Int] { plain.every(.init(name: name)).map(\.lo).sorted() }
    func ends(_ name: String) -> [Int] { plain.every(.init(name: name)).compactMap(\.hi).sorted() }
    switch scope {
    case .before(let name):
      guard let first = starts(name).first else { return [(.min, .max)] }
      return first <= scene.first ? [] : [(.min, first)]
    case .after(let name):
      guard let first = plain.every(.init(name: name)).min(by: { $0.lo < $1.lo })?.hi else { return [] }
      return [(first, .max)]
    case .afterUntil(let opening, let closing):
      return pairs(ends(opening), starts(closing)).map { ($0, $1 ?? .max) }
    case .between(let opening, let closing):
      return pairs(ends(opening), starts(closing)).compactMap { from, to in to.map { (from, $0) } }
    case .whileOpen(let name):
      // Where at least one is open.
      let open = plain.every(.init(name: name)).sorted { $0.lo < $1.lo }
      return open.reduce(into: [(from: Int, to: Int)]()) { stretches, call in
        let end = call.hi ?? .max
        if let last = stretches.indices.last, call.lo < stretches[last].to {
          stretches[last].to = max(stretches[last].to, end)
        } else {
          stretches.append((call.lo, end))
        }
      }
    }
  }

  /// The first place of `opening`, the next of `closing`, the next of `opening`, and so on.
  private func pairs(_ opening: [Int], _ closing: [Int]) -> [(Int, Int?)] {
    var pairs: [(Int, Int?)] = []
    var next = opening.first
    while let from = next {
      let to = closing.first { $0 > from }
      pairs.append((from, to))
      next = to.flatMap { to in opening.first { $0 > to } }
    }
    return pairs
  }
}
