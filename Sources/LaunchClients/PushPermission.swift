/// The user's answer to the push prompt, in MotiSig's words (vendors.md 4.2).
///
/// ```swift
/// PushPermission(rawValue: "granted")  // .granted
/// ```
public enum PushPermission: String, Hashable, Sendable, CaseIterable {
  case granted, declined
  /// Nobody has answered yet.
  case unknown
}
