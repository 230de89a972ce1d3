import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What there is to answer with: a recording's exchanges, sorted by what they answer. Never changes; replays share it.
package struct Catalog: Sendable {
  let exchanges: ExchangeList
  let rules: MatchingRules
  let pseudonyms: Pseudonyms
  let openings: Openings
  /// When the recording was cut off; nil for a complete one.
  let cut: Instant?
  /// The exchanges of each slot, which answer the same request, in recorded order.
  private(set) var slots = Grouping([], count: 0)
  /// By `textFingerprint`: most requests of a replay are written like the recorded ones, and need not be read.
  private var texts: FingerprintTable
  /// Of each text.
  private var slotsOfTexts: [Int32] = []
  private(set) var index: SlotIndex
  /// What stands in those of the recorded requests that are merged updates.
  let changes: RecordedChanges
  /// What happens when all of a slot is used; nil where the cassette says what is no policy. Empty when one is for all.
  private var policies: [Matching.Repeat?] = []

  /// Walks every recorded request once.
  init(_ trace: Trace, _ matching: Matching) {
    exchanges = ExchangeList(trace.events, where: \.canBeAsked)
    rules = MatchingRules(matching, for: exchanges)
    pseudonyms = Pseudonyms(trace, rules: matching.redactionRules)
    openings = Openings(exchanges)
    cut = trace.isClosed ? nil : trace.end
    texts = FingerprintTable(minimumCapacity: exchanges.count)
    index = SlotIndex(pseudonyms, minimumCapacity: exchanges.count)
    changes = RecordedChanges(exchanges, rules, pseudonyms)
    slotsOfTexts.reserveCapacity(exchanges.count)
    var slotsOfExchanges: [Int32] = []
    slotsOfExchanges.reserveCapacity(exchanges.count)
    for number in exchanges.indices { slotsOfExchanges.append(file(exchanges.request(of: number))) }
    index.seal()
    slots = Grouping(slotsOfExchanges, count: index.count)
    if !matching.repeatsOfCalls.isEmpty || exchanges.indices.contains(where: { policyBeside($0) != nil }) {
      policies = (0..<slots.count).map { try? policyStated(for: slots.members(of: $0)).get() }
    }
  }

  /// The slot of a recorded request.
  private mutating func file(_ request: Request) -> Int32 {
    let text = request.textFingerprint
    if let place = texts.place(of: text) { return slotsOfTexts[place] }
    let slot = Int32(index.file(rules.fields(of: request, isListing: !pseudonyms.isEmpty)))
    texts.append(text)
    slotsOfTexts.append(slot)
    return slot
  }

  /// What is known of a request before it is answered; needs no lock.
  package enum Sought {
    /// Just this was recorded.
    case slot(Int)
    /// Just this was not recorded.
    case fields(RequestFields)
  }

  /// Looks for the slot of the very same request.
  func seek(_ request: Request) -> Sought {
    if let place = texts.place(of: request.textFingerprint) { return .slot(Int(slotsOfTexts[place])) }
    let isUpdate = !changes.isEmpty && rules.update(request) != nil
    return index.seek(rules.fields(of: request, isListing: isUpdate || !pseudonyms.isEmpty))
  }

  /// Looks for each change in a merged update, with what `seek` found; nil for any other request.
  func seekChanges(in request: Request, _ sought: Sought) -> [Sought]? {
    if changes.isEmpty { return nil }
    switch sought {
    case .slot(let slot):
      let found = changes.slots(of: slots.member(0, of: slot))
      return found.isEmpty ? nil : found.map { .slot($0) }
    case .fields(let fields):
      guard let asked = rules.update(request)?.changes(in: fields), !asked.isEmpty else { return nil }
      return asked.map(changes.index.seek)
    }
  }

  /// What happens when all of a slot is used.
  func policy(of slot: Int) -> Result<Matching.Repeat, MatchingError> {
    if policies.isEmpty { return .success(rules.matching.repeats) }
    return policies[slot].map { .success($0) } ?? policyStated(for: slots.members(of: slot))
  }

  /// The policy of the first of some exchanges that has one.
  func policyStated(for numbers: some Collection<Int>) -> Result<Matching.Repeat, MatchingError> {
    let options = rules.matching.repeatsOfCalls
    if !options.isEmpty, let policy = numbers.lazy.compactMap({ options[exchanges.call(of: $0)] }).first {
      return .success(policy)
    }
    return numbers.lazy.compactMap(policyBeside).first ?? .success(rules.matching.repeats)
  }

  /// The `"repeat"` member beside a request.
  private func policyBeside(_ number: Int) -> Result<Matching.Repeat, MatchingError>? {
    guard let word = exchanges.opening(of: number).unknown["repeat"] else { return nil }
    if let policy = word.string.flatMap(Matching.Repeat.init) { return .success(policy) }
    let call = exchanges.call(of: number)
    return .failure(
      MatchingError(
        word.string ?? word.text, "call \(call) has this beside \"repeat\", where fail, last or loop belongs"))
  }
}
