import LaunchTrace

/// Finds the slots that a request fits: recorded requests with equal fields are one slot.
struct SlotIndex: Sendable {
  /// The slots that a template finds under one fingerprint, in recorded order.
  struct Group: Sendable {
    /// Unique in the index.
    var number: Int
    var slots: [Int] = []
    var slotsByIDs: [[Int]: Int] = [:]
  }

  /// A template with what it finds.
  private struct Entry: Sendable {
    var template: Template
    var groups: [Fingerprint: Group] = [:]
  }

  private let pseudonyms: Pseudonyms
  /// By the fingerprint of the recorded request's fields, pseudonyms included.
  private var slots: FingerprintTable
  /// The pseudonyms in the holes of each slot's template; empty without pseudonyms.
  private var ids: [[Int]] = []
  /// How many groups there are.
  private(set) var groupCount = 0
  /// Once sealed, those with the fewest holes first: they say the most about a request.
  private var entries: [Template.Shape: [Entry]] = [:]
  /// Where each template stands in its shape's entries, until they are sealed.
  private var places: [Template: Int] = [:]

  init(_ pseudonyms: Pseudonyms, minimumCapacity count: Int = 0) {
    self.pseudonyms = pseudonyms
    slots = FingerprintTable(minimumCapacity: count)
  }

  /// How many slots there are.
  var count: Int { slots.count }

  /// The slot of a recorded request, a new one where it is like none before.
  /// - Parameter fields: Listed where the recording has pseudonyms.
  mutating func file(_ fields: RequestFields) -> Int {
    if let known = slots.place(of: fields.fingerprint) { return known }
    slots.append(fields.fingerprint)
    if !pseudonyms.isEmpty { addTemplate(of: fields) }
    return slots.count - 1
  }

  /// Ends the filing.
  mutating func seal() {
    for shape in entries.keys { entries[shape]?.sort { $0.template.holeCount < $1.template.holeCount } }
    places = [:]
  }

  /// Files the newest slot under its template.
  private mutating func addTemplate(of fields: RequestFields) {
    guard let (template, ids, rest) = Template.of(fields, pseudonyms) else { return self.ids.append([]) }
    let slot = self.ids.count
    self.ids.append(ids)
    var ofShape = entries.removeValue(forKey: template.shape) ?? []
    let place = places[template] ?? ofShape.count
    if place == ofShape.count {
      places[template] = place
      ofShape.append(Entry(template: template))
    }
    if ofShape[place].groups[rest] == nil {
      ofShape[place].groups[rest] = Group(number: groupCount)
      groupCount += 1
    }
    ofShape[place].groups[rest]?.slots.append(slot)
    ofShape[place].groups[rest]?.slotsByIDs[ids] = slot
    entries[template.shape] = ofShape
  }

  /// The slot of the very same request.
  func seek(_ fields: RequestFields) -> Catalog.Sought {
    slots.place(of: fields.fingerprint).map(Catalog.Sought.slot) ?? .fields(fields)
  }

  /// The pseudonyms in the holes of a slot's template; empty when the request has none.
  func ids(of slot: Int) -> [Int] { ids.isEmpty ? [] : ids[slot] }

  /// The groups whose requests differ from this one in nothing but the values of their holes, the most telling first.
  func groups(for fields: RequestFields) -> some Sequence<(group: Group, values: [String])> {
    (entries[Template.Shape(fields)] ?? []).lazy.compactMap { entry in
      guard let (values, rest) = entry.template.project(fields), let group = entry.groups[rest] else { return nil }
      return (group, values)
    }
  }
}
