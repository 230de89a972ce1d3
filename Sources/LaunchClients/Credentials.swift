/// What the vendors know the app by. The sample is invented and opens nothing anywhere.
///
/// ```swift
/// var credentials = Credentials.sample
/// credentials.adjustAppToken = "a1b2c3d4e5f6"
/// ```
public struct Credentials: Hashable, Sendable {
  /// The app id in OneSignal's paths: the only credential its clients have (vendors.md 3.1).
  public var oneSignalAppID = "7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34"
  /// 12 characters (vendors.md 1.3).
  public var adjustAppToken = "abcdefghijkl"
  /// What the closed signing library would put into `Authorization`: opaque here, stand-ins check its presence
  /// (vendors.md 1.2).
  public var adjustSignature = "Signature launchtape-sample"
  /// What the dashboard gives for server-to-server calls (vendors.md 1.2).
  public var adjustServerToken = "launchtape-sample-server"
  /// The part before the dot appears in paths (vendors.md 2.1).
  public var adaptyPublicKey = "public_live_fakefake.0000000000000000"
  /// Sent with every request (vendors.md 4.1).
  public var motiSigSDKKey = "msk_sample_5f1d8c0e7a39"
  /// The same.
  public var motiSigProjectID = "launchtape-sample"

  /// The sample, to be changed.
  public init() {}

  /// The same in every run.
  public static let sample = Credentials()
}
