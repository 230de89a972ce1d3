/// Which changes of a recording's merged updates a replay has given answers for.
struct UsedChanges: Sendable {
  private let recorded: RecordedChanges
  /// How often each change has been used.
  private var uses: [Int]
  /// For each slot, how many of its first changes are used.
  private var spent: [Int]
  /// The exchanges that have answered.
  private(set) var answered: Set<Int> = []

  init(_ recorded: RecordedChanges) {
    self.recorded = recorded
    uses = Array(repeating: 0, count: recorded.count)
    spent = Array(repeating: 0, count: recorded.index.count)
  }

  /// Whether none of an exchange's changes is used.
  func isWhole(_ exchange: Int) -> Bool { recorded.changes(of: exchange).allSatisfy { uses[$0] == 0 } }

  /// The exchanges with a change that is not used.
  var wanting: Set<Int> { Set(uses.indices.filter { uses[$0] == 0 }.map(recorded.exchange)) }

  /// The first change of a slot that is neither used nor taken.
  func next(in slot: Int, besides taken: [Int] = []) -> Int? {
    recorded.changes(in: slot).dropFirst(spent[slot]).first { uses[$0] == 0 && !taken.contains($0) }
  }

  /// The change of a slot that answers once all are used.
  func again(in slot: Int, _ policy: Matching.Repeat) -> Int? {
    switch policy {
    case .fail: nil
    case .last: recorded.changes(in: slot).last
    case .loop: recorded.changes(in: slot).min { uses[$0] < uses[$1] }
    }
  }

  /// Uses changes for one answer of `exchange`.
  mutating func use(_ changes: [Int], for exchange: Int) {
    for change in changes {
      uses[change] += 1
      let slot = recorded.slot(of: change)
      spent[slot] += recorded.changes(in: slot).dropFirst(spent[slot]).prefix { uses[$0] > 0 }.count
    }
    answered.insert(exchange)
  }

  /// Takes back one use of each.
  mutating func giveBack(_ changes: [Int]) {
    for change in changes where uses[change] > 0 {
      uses[change] -= 1
      let slot = recorded.slot(of: change)
      spent[slot] = min(spent[slot], recorded.changes(in: slot).prefix { $0 < change }.count)
    }
  }
}
