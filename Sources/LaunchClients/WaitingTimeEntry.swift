/// The complete vocabulary of the log, m1 to m22 of launch-flow.md section 1: nothing else carries its prefix.
///
/// The raw value is the exact text, and the name of the mark in the trace.
///
/// ```swift
/// WaitingTimeEntry(rawValue: "splash launch")?.kind  // .mark
/// ```
public enum WaitingTimeEntry: String, Hashable, Sendable, CaseIterable {
  case startCounting = "start counting"
  case startOneSignal = "start onesignal initialization"
  case oneSignalReady = "onesignal initialization"
  case splashLaunch = "splash launch"
  case waitingForUser = "waiting for onesignal user id"
  case userFetched = "one signal user id fetched"
  case userTimeout = "one signal user id timeout (empty)"
  case startATT = "start ATT"
  case attAnswered = "ATT answered"
  case startAdjust = "start adjust initialization"
  case adjustReady = "adjust initialization"
  case waitingForIdentifiers = "waiting for idfa adid idfv campaign"
  case idfa = "idfa"
  case idfv = "idfv"
  case adid = "adid"
  case adidEmpty = "adid (empty)"
  case tagsReady = "adjust tags ready to sync"
  case startInAppWait = "start IAM wait"
  case didDisplay = "IAM did display"
  case gateFinished = "IAM gate finished"
  case navigatedToHome = "navigated to home"
  case campaign = "campaign"

  /// The four formats of launch-flow.md section 1.
  public enum Kind: Hashable, Sendable { case start, mark, ready, note }

  /// How the entry is printed.
  public var kind: Kind {
    switch self {
    case .startCounting: .start
    case .oneSignalReady, .adjustReady: .ready
    case .waitingForIdentifiers: .note
    default: .mark
    }
  }
}
