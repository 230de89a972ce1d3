/// How often an entry stands in the log of a complete launch, and what its line presupposes (launch-flow.md sections 1
/// and 7; the ids of the rules stand beside them).
extension WaitingTimeEntry {
  /// How many lines one launch may have at most.
  var limit: Int { self == .userFetched ? 2 : 1 }

  /// What a complete launch has behind its first line: at least one entry of each group.
  static let required: [[WaitingTimeEntry]] = [
    [.startOneSignal], [.oneSignalReady], [.splashLaunch], [.waitingForUser],
    [.userFetched, .userTimeout], [.startATT], [.attAnswered], [.startAdjust], [.adjustReady], [.waitingForIdentifiers],
    [.idfa], [.idfv], [.adid, .adidEmpty], [.tagsReady], [.startInAppWait], [.gateFinished], [.navigatedToHome],
  ]

  /// Groups of which one entry stands before this one, whatever the tasks of the launch do: they are printed by the same
  /// task, or by one that has waited for the other. `start counting` is left to the first line's check.
  var presupposed: [[WaitingTimeEntry]] {
    switch self {
    case .startCounting, .startOneSignal: []
    case .oneSignalReady: [[.startOneSignal]]
    // R02
    case .splashLaunch: [[.oneSignalReady]]
    // R08
    case .waitingForUser, .startATT: [[.splashLaunch]]
    // Q1: the observer prints it before the wait as well.
    case .userFetched: [[.startOneSignal]]
    case .userTimeout: [[.waitingForUser]]
    case .attAnswered: [[.startATT]]
    // R10
    case .startAdjust: [[.attAnswered]]
    case .adjustReady: [[.startAdjust]]
    case .waitingForIdentifiers: [[.adjustReady]]
    // R15
    case .idfa, .idfv, .adid, .adidEmpty: [[.waitingForIdentifiers]]
    // R17
    case .tagsReady: [[.idfa], [.idfv], [.adid, .adidEmpty], [.waitingForUser], [.userFetched, .userTimeout]]
    // R25
    case .startInAppWait: [[.tagsReady]]
    // R39
    case .didDisplay: [[.startInAppWait]]
    case .gateFinished: [[.startInAppWait]]
    // R38
    case .navigatedToHome: [[.gateFinished]]
    // R29
    case .campaign: [[.startAdjust]]
    }
  }

  /// All that must have happened before this entry, directly or not.
  var allPresupposed: [[WaitingTimeEntry]] {
    var groups: [[WaitingTimeEntry]] = []
    var pending = presupposed
    while let group = pending.popLast() {
      guard !groups.contains(group) else { continue }
      groups.append(group)
      // Of alternatives each presupposes what its successor names itself.
      if group.count == 1 { pending += group[0].presupposed }
    }
    return groups
  }
}
