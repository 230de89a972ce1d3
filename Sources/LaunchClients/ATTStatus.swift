/// The user's answer to the tracking prompt, with Apple's numbers (vendors.md 7.1).
///
/// ```swift
/// ATTStatus(rawValue: 3)  // .authorized
/// ```
public enum ATTStatus: Int, Hashable, Sendable, CaseIterable {
  /// Nobody has answered yet; also what a request made too early reports.
  case notDetermined = 0
  /// A managed device: no prompt ever appears.
  case restricted = 1
  case denied = 2
  /// The only status with an advertising identifier.
  case authorized = 3
}
