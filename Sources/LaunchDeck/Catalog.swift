import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What there is to answer with: a recording's exchanges, sorted by what they answer. Never changes; replays share it.
package struct Catalog: Sendable {
  /// The slots that a template finds under one fingerprint, in recorded order.
  struct Group: Sendable {
    /// Unique in the catalog.
    var number: Int
    var slots: [Int] = []
    var slotsByIDs: [[Int]: Int] = [:]
  }

  /// A template with what it finds.
  private struct Index: Sendable {
    var template: Template
    var groups: [Fingerprint: Group] = [:]
  }

  let exchanges: ExchangeList
  let rules: MatchingRules
  let pseudonyms: Pseudonyms
  let openings: Openings
  /// When the recording was cut off; nil for a complete one.
  let cut: Instant?
  /// The exchanges of each slot, which answer the same request, in recorded order.
  private(set) var slots = Grouping([], count: 0)
  /// The pseudonyms in the holes of each slot's template; empty without pseudonyms.
  private var ids: [[Int]] = []
  /// How many groups there are.
  private(set) var groupCount = 0
  /// By `textFingerprint`: most requests of a replay are written like the recorded ones, and need not be read.
  private var texts: FingerprintTable
  /// Of each text.
  private var slotsOfTexts: [Int32] = []
  /// The slots, by the fingerprint of the recorded request's fields, pseudonyms included.
  private var slotTable: FingerprintTable
  /// Those with the fewest holes first: they say the most about a request.
  private var indices: [Template.Shape: [Index]] = [:]
  /// What happens when all of a slot is used; nil where the cassette says what is no policy.
  private var policies: [Matching.Repeat?] = []

  /// Walks every recorded request once.
  init(_ trace: Trace, _ matching: Matching) {
    exchanges = ExchangeList(trace.events, where: \.canBeAsked)
    rules = MatchingRules(matching, for: exchanges)
    pseudonyms = Pseudonyms(trace, rules: matching.redactionRules)
    openings = Openings(exchanges)
    cut = trace.isClosed ? nil : trace.end
    texts = FingerprintTable(minimumCapacity: exchanges.count)
    slotTable = FingerprintTable(minimumCapacity: exchanges.count)
    slotsOfTexts.reserveCapacity(exchanges.count)
    var slotsOfExchanges: [Int32] = []
    slotsOfExchanges.reserveCapacity(exchanges.count)
    var templates: [Template: Int] = [:]
    for number in exchanges.indices {
      slotsOfExchanges.append(file(exchanges.request(of: number), &templates))
    }
    slots = Grouping(slotsOfExchanges, count: slotTable.count)
    policies = (0..<slots.count).map { try? policyStated(for: $0).get() }
    for shape in indices.keys { indices[shape]?.sort { $0.template.holeCount < $1.template.holeCount } }
  }

  /// The slot of a recorded request, a new one where it is like none before.
  private mutating func file(_ request: Request, _ templates: inout [Template: Int]) -> Int32 {
    let text = request.textFingerprint
    if let place = texts.place(of: text) { return slotsOfTexts[place] }
    let fields = fields(of: request)
    let known = slotTable.place(of: fields.fingerprint)
    let slot = Int32(known ?? slotTable.count)
    texts.append(text)
    slotsOfTexts.append(slot)
    if known == nil {
      slotTable.append(fields.fingerprint)
      if !pseudonyms.isEmpty { addTemplate(of: fields, &templates) }
    }
    return slot
  }

  /// The pseudonyms in the holes of a slot's template; empty when the request has none.
  func ids(of slot: Int) -> [Int] { ids.isEmpty ? [] : ids[slot] }

  /// What is compared of `request`, listed as far as finding its slot takes.
  private func fields(of request: Request) -> RequestFields {
    rules.fields(of: request, isListing: !pseudonyms.isEmpty)
  }

  /// Files the newest slot under its template.
  private mutating func addTemplate(of fields: RequestFields, _ known: inout [Template: Int]) {
    guard let (template, ids, rest) = Template.of(fields, pseudonyms) else { return self.ids.append([]) }
    let slot = self.ids.count
    self.ids.append(ids)
    var ofShape = indices.removeValue(forKey: template.shape) ?? []
    let place = known[template] ?? ofShape.count
    if place == ofShape.count {
      known[template] = place
      ofShape.append(Index(template: template))
    }
    if ofShape[place].groups[rest] == nil {
      ofShape[place].groups[rest] = Group(number: groupCount)
      groupCount += 1
    }
    ofShape[place].groups[rest]?.slots.append(slot)
    ofShape[place].groups[rest]?.slotsByIDs[ids] = slot
    indices[template.shape] = ofShape
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
    let fields = fields(of: request)
    return slotTable.place(of: fields.fingerprint).map(Sought.slot) ?? .fields(fields)
  }

  /// The groups whose requests differ from this one in nothing but the values of their holes, the most telling first.
  func groups(for fields: RequestFields) -> some Sequence<(group: Group, values: [String])> {
    (indices[Template.Shape(fields)] ?? []).lazy.compactMap { index in
      guard let (values, rest) = index.template.project(fields), let group = index.groups[rest] else { return nil }
      return (group, values)
    }
  }

  /// What happens when all of a slot is used.
  func policy(of slot: Int) -> Result<Matching.Repeat, MatchingError> {
    policies[slot].map { .success($0) } ?? policyStated(for: slot)
  }

  /// The policy of the first of its calls that has one.
  private func policyStated(for slot: Int) -> Result<Matching.Repeat, MatchingError> {
    let numbers = slots.members(of: slot)
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
