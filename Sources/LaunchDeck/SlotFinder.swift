/// Picks the slot that answers a request, by what a replay has bound so far.
struct SlotFinder: Sendable {
  struct Match {
    var slot: Int
    var uses: [Bindings.Use] = []
  }

  private let index: SlotIndex
  private let pseudonyms: Pseudonyms
  /// For each group, how many of its first slots have all their pseudonyms bound.
  private var settled: [Int]

  init(_ index: SlotIndex, _ pseudonyms: Pseudonyms) {
    self.index = index
    self.pseudonyms = pseudonyms
    settled = Array(repeating: 0, count: index.groupCount)
  }

  /// The slot of a request; the first one with answers left where several fit, else the first.
  /// - Parameters:
  ///   - bindings: Those for good, and those of `trial` on top of them.
  ///   - hasLeft: Whether a slot has answers left.
  mutating func match(
    _ sought: Catalog.Sought, _ bindings: Bindings, trial: Bindings? = nil, hasLeft: (Int) -> Bool
  ) -> Match? {
    let fields: RequestFields
    switch sought {
    case .slot(let slot): return match(slot)
    case .fields(let listed): fields = listed
    }
    for (group, values) in index.groups(for: fields) {
      if let match = match(group, values, bindings, trial ?? bindings, hasLeft) { return match }
    }
    return nil
  }

  /// The slot of a request that was recorded just so: pseudonyms in it came from a replayed answer, and stand for themselves.
  func match(_ slot: Int) -> Match {
    Match(slot: slot, uses: index.ids(of: slot).map { Bindings.Use(id: $0, value: pseudonyms.entries[$0].text) })
  }

  /// When all values are known, they say which slot it is; else it is the first with answers left that they fit.
  private mutating func match(
    _ group: SlotIndex.Group, _ values: [String], _ bindings: Bindings, _ trial: Bindings, _ hasLeft: (Int) -> Bool
  ) -> Match? {
    let kinds = index.ids(of: group.slots[0]).map(pseudonyms.kind)
    let known = zip(values, kinds).compactMap { trial.id(of: $0, kind: $1) }
    if known.count == values.count { return group.slotsByIDs[known].flatMap { match($0, values, trial) } }
    settle(group, bindings)
    var spent: Match?
    for slot in group.slots[settled[group.number]...] {
      guard let match = match(slot, values, trial) else { continue }
      if hasLeft(slot) { return match }
      spent = spent ?? match
    }
    return spent
  }

  private func match(_ slot: Int, _ values: [String], _ bindings: Bindings) -> Match? {
    let uses = zip(index.ids(of: slot), values).map { Bindings.Use(id: $0, value: $1) }
    return bindings.admits(uses) ? Match(slot: slot, uses: uses) : nil
  }

  /// Skips the first slots while everything in them is bound: no new value can stand for them.
  private mutating func settle(_ group: SlotIndex.Group, _ bindings: Bindings) {
    while settled[group.number] < group.slots.count,
      index.ids(of: group.slots[settled[group.number]]).allSatisfy(bindings.isBound)
    { settled[group.number] += 1 }
  }
}
