import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What there is to answer with: a recording's exchanges, sorted by what they answer. Never changes; replays share it.
struct Catalog: Sendable {
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
  /// By the fingerprint of the recorded request, pseudonyms included.
  private var slotsByFingerprint: [Fingerprint: Int] = [:]
  /// Those with the fewest holes first: they say the most about a request.
  private var indices: [Template.Shape: [Index]] = [:]
  /// What happens when all of a slot is used: the policy of the first of its calls that has one.
  private(set) var policies: [Result<Matching.Repeat, MatchingError>] = []

  /// Walks every recorded request once.
  init(_ trace: Trace, _ matching: Matching) {
    exchanges = trace.exchanges
    rules = MatchingRules(matching, hosts: Set(exchanges.map(\.request.location.host)))
    pseudonyms = Pseudonyms(trace)
    openings = Openings(exchanges)
    cut = trace.isClosed ? nil : trace.end
    slotsByFingerprint.reserveCapacity(exchanges.count)
    var templates: [Template: Int] = [:]
    for (number, exchange) in exchanges.enumerated() {
      let fields = rules.fields(of: exchange.request)
      if let slot = slotsByFingerprint[fields.fingerprint] {
        slots[slot].exchanges.append(number)
      } else {
        slotsByFingerprint[fields.fingerprint] = slots.count
        slots.append(Slot(exchanges: [number]))
        if !pseudonyms.isEmpty { addTemplate(of: fields, &templates) }
      }
    }
    let cassettePolicies = LaunchDeck.policies(in: trace)
    policies = slots.map { policy(of: $0, cassettePolicies) }
    for shape in indices.keys { indices[shape]?.sort { $0.template.holeCount < $1.template.holeCount } }
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

  /// The slot whose request has this very fingerprint.
  func slot(_ fingerprint: Fingerprint) -> Int? { slotsByFingerprint[fingerprint] }

  /// The groups whose requests differ from this one in nothing but the values of their holes, the most telling first.
  func groups(for fields: RequestFields) -> [(group: Group, values: [String])] {
    guard let ofShape = indices[Template.Shape(fields)] else { return [] }
    let live = LiveFields(fields)
    return ofShape.compactMap { index in
      guard let (values, rest) = index.template.project(live), let group = index.groups[rest] else { return nil }
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
  for event in trace.events where !event.unknown.isEmpty {
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
