/// The kinds of request the stand-ins know; a latency profile times each on its own.
public enum VendorCall: String, Hashable, Sendable, CaseIterable {
  // vendors.md 3.2
  case oneSignalParameters, oneSignalCreateUser, oneSignalFetchUser, oneSignalUpdateUser, oneSignalUpdateSubscription
  case oneSignalMessages, oneSignalMessagePage, oneSignalImpression
  // vendors.md 1.3
  case adjustSession, adjustAttribution, adjustClick, adjustInfo
  // vendors.md 2.3
  case adaptyNetConfig, adaptyCreateProfile, adaptyFetchProfile, adaptyUpdateProfile, adaptyAppleAds, adaptyEvents
  case adaptyProducts, adaptySegmentedPaywall, adaptyDefaultPaywall, adaptyInstall, ipLookup
  // vendors.md 4.2
  case motiSigHealth, motiSigCreateUser, motiSigFetchUser, motiSigUpdateUser, motiSigAddTags, motiSigRemoveTags
  case motiSigSetAttributes, motiSigRemoveAttributes, motiSigAddSubscription, motiSigUpdateSubscription
  case motiSigRemoveSubscription, motiSigPing, motiSigEvent, motiSigClick
  /// A request that no stand-in knows.
  case unknown
}
