package import LaunchHTTP
package import LaunchTrace

/// Finds the recorded exchange that answers a request, and uses each one once.
///
/// A copy begins where the original stands, and shares what was computed of the recording.
package struct Player: Sendable {
  /// Computed once; safe to read without a lock.
  let catalog: Catalog
  /// How many answers each slot has given.
  private var used: [Int]
  /// For each group, how many of its first slots have all their pseudonyms bound.
  private var settled: [Int]
  private var bindings: Bindings
  private var candidates: Candidates?
  /// By slot, the exchanges whose answers were given back, in recorded order.
  private var returned: [Int: [Int]] = [:]
  /// The requests that had no answer, in order.
  package private(set) var misses: [Miss] = []

  /// Walks every recorded request once, to compute what it answers.
  package init(_ trace: Trace, matching: Matching = Matching()) {
    catalog = Catalog(trace, matching)
    used = Array(repeating: 0, count: catalog.slots.count)
    settled = Array(repeating: 0, count: catalog.groupCount)
    bindings = Bindings(catalog.pseudonyms)
  }

  package var exchanges: ExchangeList { catalog.exchanges }

  /// Returns the exchange that answers `request`, and marks it used.
  ///
  /// Exchanges that answer the same request do so in recorded order; once all are used, their policy decides. A recorded
  /// request without pseudonyms goes before one that has some, since it says more.
  /// - Complexity: O(1) on average in the number of exchanges; a miss looks through those to the same place.
  /// - Throws: `Miss`, which is also kept.
  package mutating func answer(_ request: Request) throws(Miss) -> Exchange {
    try answer(request, catalog.seek(request))
  }

  /// What the recording has for `request`. Costs the most of finding an answer, and depends on the recording alone: a copy
  /// made before the first answer is asked without a lock.
  package func seek(_ request: Request) -> Catalog.Sought { catalog.seek(request) }

  /// How long the recording took to open a connection for `exchange`, or the first one to its origin, until the request
  /// had left; zero where it tells of none.
  package func setUp(of exchange: Exchange) -> Duration { catalog.openings.setUp(of: exchange) }

  /// The same with what `seek` found.
  package mutating func answer(_ request: Request, _ sought: Catalog.Sought) throws(Miss) -> Exchange {
    let number = try take(request, sought)
    return answer(of: number)
  }

  /// Marks the exchange used that answers `request`, and returns its number among `exchanges`.
  /// - Throws: `Miss`, which is also kept.
  package mutating func take(_ request: Request, _ sought: Catalog.Sought) throws(Miss) -> Int {
    guard let match = match(sought) else { throw keep(unlike(request)) }
    if let number = takeReturned(match.slot) {
      bind(match, request, number)
      return number
    }
    let count = catalog.slots.memberCount(of: match.slot)
    var place = used[match.slot]
    if place >= count {
      switch catalog.policy(of: match.slot) {
      case .success(.loop): place %= count
      case .success(.last): place = count - 1
      case .success(.fail): throw keep(consumed(request, match.slot))
      case .failure(let error): throw keep(consumed(request, match.slot, error))
      }
    }
    used[match.slot] += 1
    let number = catalog.slots.member(place, of: match.slot)
    bind(match, request, number)
    return number
  }

  /// Leaves an exchange that was taken for the next request like it: its answer never reached the client.
  package mutating func giveBack(_ number: Int) {
    guard let slot = used.indices.first(where: { catalog.slots.members(of: $0).contains(number) }) else { return }
    returned[slot, default: []].append(number)
    returned[slot]?.sort()
  }

  private mutating func takeReturned(_ slot: Int) -> Int? {
    guard !returned.isEmpty, var numbers = returned.removeValue(forKey: slot) else { return nil }
    let number = numbers.removeFirst()
    if !numbers.isEmpty { returned[slot] = numbers }
    return number
  }

  private mutating func bind(_ match: Match, _ request: Request, _ number: Int) {
    let call = catalog.exchanges.call(of: number)
    bindings.bind(match.uses, at: call)
    bindFields(of: request, to: number, at: call)
  }

  /// Header fields are not compared, but what stands there in the place of a pseudonym is as good as elsewhere.
  private mutating func bindFields(of request: Request, to number: Int, at call: Int) {
    guard !bindings.areComplete else { return }
    for recorded in catalog.exchanges[number].request.fields {
      guard let id = catalog.pseudonyms.id(of: recorded.value), !bindings.isBound(id),
        let value = request.fields[recorded.name]
      else { continue }
      let use = Bindings.Use(id: id, value: value)
      if bindings.contradiction(of: use) == nil { bindings.bind([use], at: call) }
    }
  }

  /// The exchange with this number, as a client has to see it that sent what is bound by now.
  package func answer(of number: Int) -> Exchange { catalog.exchanges[number].fedBack(bindings.replacements) }

  /// Whether answers may hold live values in the place of pseudonyms, so that the same exchange may answer differently.
  package var givesBack: Bool { !bindings.replacements.isEmpty }

  /// The exchanges that no request has asked for, in recorded order.
  package var unused: [Exchange] {
    unusedIndices.sorted().map { catalog.exchanges[$0] }
  }

  /// The exchanges that have answered and have no end in the recording, in recorded order.
  package var cutOff: [Exchange] {
    used.indices.flatMap { catalog.slots.members(of: $0).prefix(used[$0]) }.sorted().map { catalog.exchanges[$0] }
      .filter { $0.end == nil }
  }

  private var unusedIndices: [Int] {
    used.indices.flatMap { catalog.slots.members(of: $0).dropFirst(used[$0]) }
  }

  private struct Match {
    var slot: Int
    var uses: [Bindings.Use] = []
  }

  private mutating func match(_ sought: Catalog.Sought) -> Match? {
    switch sought {
    case .slot(let slot):
      // Pseudonyms in it came from a replayed answer, and stand for themselves.
      let ids = catalog.ids(of: slot)
      return Match(slot: slot, uses: ids.map { Bindings.Use(id: $0, value: bindings.text(of: $0)) })
    case .fields(let fields):
      for (group, values) in catalog.groups(for: fields) {
        if let match = match(group, values) { return match }
      }
      return nil
    }
  }

  /// When all values are known, they say which slot it is; else it is the first with answers left that they fit.
  private mutating func match(_ group: Catalog.Group, _ values: [String]) -> Match? {
    let kinds = catalog.ids(of: group.slots[0]).map(catalog.pseudonyms.kind)
    let known = zip(values, kinds).compactMap { bindings.id(of: $0, kind: $1) }
    if known.count == values.count { return group.slotsByIDs[known].flatMap { match($0, values) } }
    settle(group)
    var spent: Match?
    for slot in group.slots[settled[group.number]...] {
      guard let match = match(slot, values) else { continue }
      if used[slot] < catalog.slots.memberCount(of: slot) || returned[slot] != nil { return match }
      spent = spent ?? match
    }
    return spent
  }

  private func match(_ slot: Int, _ values: [String]) -> Match? {
    let uses = zip(catalog.ids(of: slot), values).map { Bindings.Use(id: $0, value: $1) }
    return bindings.admits(uses) ? Match(slot: slot, uses: uses) : nil
  }

  /// Skips the first slots while everything in them is bound: no new value can stand for them.
  private mutating func settle(_ group: Catalog.Group) {
    while settled[group.number] < group.slots.count,
      catalog.ids(of: group.slots[settled[group.number]]).allSatisfy(bindings.isBound)
    { settled[group.number] += 1 }
  }

  private mutating func keep(_ miss: Miss) -> Miss {
    misses.append(miss)
    return miss
  }

  /// - Parameter error: What is wrong with the policy that would say whether they answer again.
  private func consumed(_ request: Request, _ slot: Int, _ error: MatchingError? = nil) -> Miss {
    var miss = Miss(request, .consumed(calls: catalog.slots.members(of: slot).map(catalog.exchanges.call)))
    miss.recordingCut = catalog.cut
    if let error { miss.notes.append(error.description) }
    return miss
  }

  /// The miss of a request that nothing recorded fits.
  private mutating func unlike(_ request: Request) -> Miss {
    let candidates = candidates ?? Candidates(catalog)
    self.candidates = candidates
    let unused = Set(unusedIndices)
    var miss = Miss(request, .neverRecorded)
    miss.recordingCut = catalog.cut
    let nearest = candidates.nearest(to: request, in: catalog, unused: unused, bindings)
    guard let nearest else { return miss }
    let call = catalog.exchanges.call(of: nearest.index)
    miss.reason = .different(call: call, differences: nearest.differences.map(\.description))
    if !unused.contains(nearest.index) { miss.notes.append("call \(call) has answered already") }
    return miss
  }
}
