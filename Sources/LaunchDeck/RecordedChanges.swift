import LaunchTrace

/// The changes in the merged updates of a recording, one by one, in recorded order.
struct RecordedChanges: Sendable {
  /// Of the changes; equal ones share a slot.
  private(set) var index: SlotIndex
  /// The exchange in which each change stands.
  private var exchanges: [Int32] = []
  private var slotsOfChanges: [Int32] = []
  private var changesOfSlots = Grouping([], count: 0)
  private var changesOfExchanges = Grouping([], count: 0)

  init(_ exchanges: ExchangeList, _ rules: MatchingRules, _ pseudonyms: Pseudonyms) {
    index = SlotIndex(pseudonyms)
    for number in exchanges.indices {
      let request = exchanges.request(of: number)
      guard let update = rules.update(request) else { continue }
      for change in update.changes(in: rules.fields(of: request, isListing: true)) {
        slotsOfChanges.append(Int32(index.file(change)))
        self.exchanges.append(Int32(number))
      }
    }
    index.seal()
    guard !isEmpty else { return }
    changesOfSlots = Grouping(slotsOfChanges, count: index.count)
    changesOfExchanges = Grouping(self.exchanges, count: exchanges.count)
  }

  var count: Int { slotsOfChanges.count }
  var isEmpty: Bool { slotsOfChanges.isEmpty }

  /// The exchange in which a change stands.
  func exchange(of change: Int) -> Int { Int(exchanges[change]) }

  func slot(of change: Int) -> Int { Int(slotsOfChanges[change]) }

  /// The changes that are equal, in recorded order.
  func changes(in slot: Int) -> some RandomAccessCollection<Int> { changesOfSlots.members(of: slot) }

  /// The exchanges in which these stand, in recorded order.
  func exchanges(with slot: Int) -> [Int] { changes(in: slot).map(exchange) }

  /// The changes in an exchange; none in one that is no merged update.
  func changes(of exchange: Int) -> [Int] { isEmpty ? [] : Array(changesOfExchanges.members(of: exchange)) }

  /// The same as slots, in order.
  func slots(of exchange: Int) -> [Int] { changes(of: exchange).map(slot) }

  func areThere(in exchange: Int) -> Bool { !isEmpty && changesOfExchanges.memberCount(of: exchange) > 0 }
}
