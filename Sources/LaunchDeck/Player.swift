package import LaunchHTTP
package import LaunchTrace

/// Finds the recorded exchange that answers a request, and uses each one once.
///
/// A copy begins where the original stands, and shares what was computed of the recording.
package struct Player: Sendable {
  /// Computed once; safe to read without a lock.
  let catalog: Catalog
  /// How many answers each slot has given; of merged updates, behind how many of its exchanges the next one is looked for.
  private var used: [Int]
  private var usedChanges: UsedChanges
  private var finder: SlotFinder
  private var changeFinder: SlotFinder
  private var bindings: Bindings
  private var candidates: Candidates?
  /// By slot, the exchanges whose answers were given back, in recorded order.
  private var returned: [Int: [Int]] = [:]
  /// By exchange, the changes that its last answer to a merged update has used.
  private var changesUsed: [Int: [Int]] = [:]
  /// The requests that had no answer, in order.
  package private(set) var misses: [Miss] = []
  /// Whether a miss tells of the nearest recorded request, which takes longer to find than any answer.
  package var explainsMisses = true

  /// Walks every recorded request once, to compute what it answers.
  package init(_ trace: Trace, matching: Matching = Matching()) {
    catalog = Catalog(trace, matching)
    used = Array(repeating: 0, count: catalog.slots.count)
    usedChanges = UsedChanges(catalog.changes)
    finder = SlotFinder(catalog.index, catalog.pseudonyms)
    changeFinder = SlotFinder(catalog.changes.index, catalog.pseudonyms)
    bindings = Bindings(catalog.pseudonyms)
  }

  package var exchanges: ExchangeList { catalog.exchanges }

  /// Returns the exchange that answers `request`, and marks it used.
  ///
  /// Exchanges that answer the same request do so in recorded order; once all are used, their policy decides. A recorded
  /// request without pseudonyms goes before one that has some, since it says more.
  ///
  /// A merged update (see `Matching`) is answered by the first unused exchange that is like it as a whole, where there is
  /// one. Else each of its changes uses the first unused recorded one, and the first exchange that these stand in answers.
  /// An answer that refuses the update uses only the changes in its own exchange, since the app will send the rest again.
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
    if let changes = catalog.seekChanges(in: request, sought) { return try take(request, sought, changes) }
    guard let match = match(sought) else { throw keep(unlike(request, bindings)) }
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
    guard !isOfUpdates(slot) else {
      usedChanges.giveBack(changesUsed.removeValue(forKey: number) ?? [])
      used[slot] = catalog.slots.members(of: slot).prefix { $0 < number }.count
      return
    }
    returned[slot, default: []].append(number)
    returned[slot]?.sort()
  }

  private mutating func takeReturned(_ slot: Int) -> Int? {
    guard !returned.isEmpty, var numbers = returned.removeValue(forKey: slot) else { return nil }
    let number = numbers.removeFirst()
    if !numbers.isEmpty { returned[slot] = numbers }
    return number
  }

  private mutating func bind(_ match: SlotFinder.Match, _ request: Request, _ number: Int) {
    let call = catalog.exchanges.call(of: number)
    bindings.bind(match.uses, at: call)
    bindFields(of: request, to: number, at: call)
  }

  /// The same for a merged update.
  private mutating func take(
    _ request: Request, _ sought: Catalog.Sought, _ changes: [Catalog.Sought]
  ) throws(Miss) -> Int {
    let whole = match(sought)
    if let whole, let place = wholePlace(in: whole.slot) {
      used[whole.slot] = place + 1
      let number = catalog.slots.member(place, of: whole.slot)
      let call = catalog.exchanges.call(of: number)
      changesUsed[number] = catalog.changes.changes(of: number)
      usedChanges.use(catalog.changes.changes(of: number), for: number)
      bindings.bind(whole.uses, at: call)
      bindFields(of: request, to: number, at: call)
      return number
    }
    let taken = try take(changes, of: request, whole?.slot)
    // An update has changes.
    let number = taken.map(catalog.changes.exchange).min() ?? 0
    let isAccepted = (catalog.exchanges[number].response?.head.status).map { 200...299 ~= $0 } ?? false
    let used = taken.filter { isAccepted || catalog.changes.exchange(of: $0) == number }
    changesUsed[number] = used
    usedChanges.use(used, for: number)
    bindFields(of: request, to: number, at: catalog.exchanges.call(of: number))
    return number
  }

  /// Binds what stands in the changes of an update, and returns the recorded ones that answer them; uses none of them.
  /// - Parameter whole: The slot of equal updates.
  private mutating func take(
    _ changes: [Catalog.Sought], of request: Request, _ whole: Int?
  ) throws(Miss) -> [Int] {
    var bound = bindings
    var taken: [Int] = []
    var unknown: [Int] = []
    var spent: Miss?
    for (place, change) in changes.enumerated() {
      let match = changeFinder.match(change, bindings, trial: bound) { [usedChanges, taken] slot in
        usedChanges.next(in: slot, besides: taken) != nil
      }
      guard let match else {
        unknown.append(place)
        continue
      }
      switch next(in: match.slot, besides: taken) {
      case .success(let change):
        bound.bind(match.uses, at: catalog.exchanges.call(of: catalog.changes.exchange(of: change)))
        taken.append(change)
      case .failure(let error):
        spent = spent ?? whole.map { consumed(request, $0, error.error) } ?? consumed(request, place, match.slot, error)
      }
    }
    if !unknown.isEmpty { throw keep(unlike(request, at: unknown, bound)) }
    if let spent { throw keep(spent) }
    bindings = bound
    return taken
  }

  /// The change of a slot that is used next.
  private func next(in slot: Int, besides taken: [Int]) -> Result<Int, Spent> {
    if let change = usedChanges.next(in: slot, besides: taken) { return .success(change) }
    switch catalog.policyStated(for: catalog.changes.exchanges(with: slot)) {
    case .success(let policy):
      return usedChanges.again(in: slot, policy).map { .success($0) } ?? .failure(Spent())
    case .failure(let error): return .failure(Spent(error: error))
    }
  }

  /// The changes of a slot are used, and their policy says that they do not come again, or nothing that makes sense.
  private struct Spent: Error {
    var error: MatchingError?
  }

  /// The first exchange of a slot of merged updates none of whose changes is used, as its place in the slot.
  private func wholePlace(in slot: Int) -> Int? {
    (used[slot]..<catalog.slots.memberCount(of: slot)).first {
      usedChanges.isWhole(catalog.slots.member($0, of: slot))
    }
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

  /// The exchanges that no request has asked for, in recorded order; those of merged updates that hold a change which none
  /// has asked for.
  package var unused: [Exchange] {
    unusedIndices.sorted().map { catalog.exchanges[$0] }
  }

  /// The exchanges that have answered and have no end in the recording, in recorded order.
  package var cutOff: [Exchange] {
    let answered = ordinarySlots.flatMap { catalog.slots.members(of: $0).prefix(used[$0]) }
    return (answered + usedChanges.answered).sorted().map { catalog.exchanges[$0] }.filter { $0.end == nil }
  }

  private var unusedIndices: [Int] {
    ordinarySlots.flatMap { catalog.slots.members(of: $0).dropFirst(used[$0]) } + usedChanges.wanting
  }

  private var ordinarySlots: some Sequence<Int> { used.indices.lazy.filter { !isOfUpdates($0) } }

  private func isOfUpdates(_ slot: Int) -> Bool {
    catalog.changes.areThere(in: catalog.slots.member(0, of: slot))
  }

  private mutating func match(_ sought: Catalog.Sought) -> SlotFinder.Match? {
    // What was recorded just so needs no picking.
    if case .slot(let slot) = sought { return finder.match(slot) }
    return finder.match(sought, bindings) { [self] slot in
      isOfUpdates(slot)
        ? wholePlace(in: slot) != nil : used[slot] < catalog.slots.memberCount(of: slot) || returned[slot] != nil
    }
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

  /// The miss of a merged update with a change that has left as often as it was recorded.
  private func consumed(_ request: Request, _ place: Int, _ slot: Int, _ spent: Spent) -> Miss {
    let calls = Set(catalog.changes.exchanges(with: slot).map(catalog.exchanges.call)).sorted()
    var miss = Miss(request, .consumed(calls: calls))
    miss.recordingCut = catalog.cut
    let change = changes(in: request)[place]
    if let field = change.fields.last {
      miss.notes.append("what is used is \(change.place(of: field)), \(change.printed(field))")
    }
    if let error = spent.error { miss.notes.append(error.description) }
    return miss
  }

  /// The changes in a merged update, each with its place and value as the last field.
  private func changes(in request: Request) -> [RequestFields] {
    catalog.rules.update(request)?.changes(in: catalog.rules.fields(of: request, isListing: true)) ?? []
  }

  /// The miss of a merged update that has changes, at these places among its own, which no recorded update has.
  private mutating func unlike(_ request: Request, at places: [Int], _ bindings: Bindings) -> Miss {
    let changes = changes(in: request)
    let unknown = places.compactMap { changes[$0].fields.last.map(changes[$0].place) }
    return unlike(request, comparing: Set(unknown), bindings)
  }

  /// The miss of a request that nothing recorded fits.
  /// - Parameter places: What is compared of the body; all of it unless it is given.
  private mutating func unlike(_ request: Request, comparing places: Set<String>? = nil, _ bindings: Bindings) -> Miss {
    guard explainsMisses else { return Miss(request, .neverRecorded) }
    let candidates = candidates ?? Candidates(catalog)
    self.candidates = candidates
    let unused = Set(unusedIndices)
    var miss = Miss(request, .neverRecorded)
    miss.recordingCut = catalog.cut
    let nearest = candidates.nearest(to: request, comparing: places, in: catalog, unused: unused, bindings)
    guard let nearest else { return miss }
    let call = catalog.exchanges.call(of: nearest.index)
    miss.reason = .different(call: call, differences: nearest.differences.map(\.description))
    if !unused.contains(nearest.index) { miss.notes.append("call \(call) has answered already") }
    return miss
  }
}
