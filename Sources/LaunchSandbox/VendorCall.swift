/// The kinds of request the stand-ins know; a latency profile times each on its own.
public enum VendorCall: String, Hashable, Sendable, CaseIterable {
  // vendors.md 3.2
  case oneSignalParameters, oneSignalFeatures
  case oneSignalCreateUser, oneSignalFetchUser, oneSignalUpdateUser, oneSignalIdentify
  case oneSignalCreateSubscription, oneSignalUpdateSubscription, oneSignalCreateSession, oneSignalUpdateSession
  case oneSignalMessages, oneSignalMessagePage, oneSignalImpression, oneSignalPageImpression, oneSignalClick
  // vendors.md 1.3, and 1.2 for the last
  case adjustSession, adjustAttribution, adjustClick, adjustInfo, adjustServerSession
  // vendors.md 2.3
  case adaptyNetConfig, adaptyCreateProfile, adaptyFetchProfile, adaptyUpdateProfile, adaptyAppleAds, adaptyEvents
  case adaptyCrossPlacement, adaptyProducts, adaptySegmentedPaywall, adaptyForcedPaywall, adaptyDefaultPaywall
  case adaptyInstall, ipLookup
  // vendors.md 4.2
  case motiSigHealth, motiSigCreateUser, motiSigFetchUser, motiSigUpdateUser, motiSigAddTags, motiSigRemoveTags
  case motiSigSetAttributes, motiSigRemoveAttributes, motiSigAddSubscription, motiSigUpdateSubscription
  case motiSigRemoveSubscription, motiSigPing, motiSigEvent, motiSigClick
  /// A request that no stand-in knows.
  case unknown
}
