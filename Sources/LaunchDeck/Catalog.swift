import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What there is to answer with: a recording's exchanges, sorted by what they answer. Never changes; replays share it.
package struct Catalog: Sendable {
  /// The exchanges that answer the same request, in recorded order.
  struct Slot: Sendable {
    /// Indices of exchanges.
    var exchanges: [Int]
    /// The pseudonyms in the holes of its template; empty when the request has none.
    var ids: [Int] = []
  }

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

  let exchanges: [Exchange]
  let rules: MatchingRules
  let pseudonyms: Pseudonyms
  let openings: Openings
  /// When the recording was cut off; nil for a complete one.
  let cut: Instant?
  private(set) var slots: [Slot] = []
  /// How many groups there are.
  private(set) var groupCount = 0
  /// By `textFingerprint`: most requests of a replay are written like the recorded ones, and need not be read.
  private var slotsByText: [Fingerprint: Int] = [:]
  /// By the fingerprint of the recorded request's fields, pseudonyms included.
  private var slotsByFingerprint: [Fingerprint: Int] = [:]
  /// Those with the fewest holes first: they say the most about a request.
  private var indices: [Template.Shape: [Index]] = [:]
  /// What happens when all of a slot is used: the policy of the first of its calls that has one.
  private(set) var policies: [Result<Matching.Repeat, MatchingError>] = []

  /// Walks every recorded request once.
  init(_ trace: Trace, _ matching: Matching) {
    exchanges = trace.exchanges.filter(\.canBeAsked)
    rules = MatchingRules(matching, for: exchanges)
    pseudonyms = Pseudonyms(trace)
    openings = Openings(exchanges)
    cut = trace.isClosed ? nil : trace.end
    slotsByText.reserveCapacity(exchanges.count)
    slotsByFingerprint.reserveCapacity(exchanges.count)
    var templates: [Template: Int] = [:]
    for number in exchanges.indices {
      let text = exchanges[number].request.textFingerprint
      if let slot = slotsByText[text] {
        slots[slot].exchanges.append(number)
        continue
      }
      let fields = fields(of: exchanges[number].request)
      if let slot = slotsByFingerprint[fields.fingerprint] {
        slots[slot].exchanges.append(number)
        slotsByText[text] = slot
      } else {
        slotsByText[text] = slots.count
        slotsByFingerprint[fields.fingerprint] = slots.count
        slots.append(Slot(exchanges: [number]))
        if !pseudonyms.isEmpty { addTemplate(of: fields, &templates) }
      }
    }
    let cassettePolicies = LaunchDeck.policies(in: trace)
    policies = slots.map { policy(of: $0, cassettePolicies) }
    for shape in indices.keys { indices[shape]?.sort { $0.template.holeCount < $1.template.holeCount } }
  }

  /// What is compared of `request`, listed as far as finding its slot takes.
  private func fields(of request: Request) -> RequestFields {
    rules.fields(of: request, isListing: !pseudonyms.isEmpty)
  }

  /// Files the newest slot under its template.
  private mutating func addTemplate(of fields: RequestFields, _ known: inout [Template: Int]) {
    guard let (template, ids, rest) = Template.of(fields, pseudonyms) else { return }
    let slot = slots.count - 1
    slots[slot].ids = ids
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
    if let slot = slotsByText[request.textFingerprint] { return .slot(slot) }
    let fields = fields(of: request)
    return slotsByFingerprint[fields.fingerprint].map(Sought.slot) ?? .fields(fields)
  }

  /// The groups whose requests differ from this one in nothing but the values of their holes, the most telling first.
  func groups(for fields: RequestFields) -> some Sequence<(group: Group, values: [String])> {
    (indices[Template.Shape(fields)] ?? []).lazy.compactMap { index in
      guard let (values, rest) = index.template.project(fields), let group = index.groups[rest] else { return nil }
      return (group, values)
    }
  }

  /// - Parameter policies: What the cassette says beside single calls.
  private func policy(
    of slot: Slot, _ policies: [Int: Result<Matching.Repeat, MatchingError>]
  ) -> Result<Matching.Repeat, MatchingError> {
    let calls = slot.exchanges.lazy.map { exchanges[$0].call }
    for call in calls {
      if let policy = rules.matching.repeatsOfCalls[call] { return .success(policy) }
    }
    return calls.compactMap { policies[$0] }.first ?? .success(rules.matching.repeats)
  }
}

/// The `"repeat"` members beside requests, by call.
private func policies(in trace: Trace) -> [Int: Result<Matching.Repeat, MatchingError>] {
  var policies: [Int: Result<Matching.Repeat, MatchingError>] = [:]
  for index in trace.events.indices where !trace.events[index].unknown.isEmpty {
    let event = trace.events[index]
    guard case .call(let call, .request) = event.kind, let word = event.unknown["repeat"] else { continue }
    if let policy = word.string.flatMap(Matching.Repeat.init) {
      policies[call] = .success(policy)
    } else {
      let text = word.string ?? word.text
      policies[call] = .failure(
        MatchingError(text, "call \(call) has this beside \"repeat\", where fail, last or loop belongs"))
    }
  }
  return policies
}
