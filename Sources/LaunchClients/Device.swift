/// The device and the app as vendors see them: everything a client sends that is no credential and no answer.
///
/// Two launches with equal devices send equal bytes, clock readings aside, so a replay matches its recording. The
/// sample is invented and fixed.
///
/// ```swift
/// var device = Device.sample
/// device.osVersion = "18.2"
/// try await AppLaunch(transport: transport, device: device).run()
/// ```
public struct Device: Hashable, Sendable {
  /// As Apple numbers them.
  public var model = "iPhone99,1"
  public var osVersion = "18.0"
  /// Two letters, ISO 639.
  public var language = "en"
  public var locale = "en-US"
  /// A name of the time zone database.
  public var timeZone = "Europe/Paris"

  public var bundleID = "com.example.launch"
  public var appVersion = "1.0"
  public var appBuild = "1"

  /// The screen in pixels, and how many of them make a point in each direction.
  public var screenWidth: Int64 = 1179
  public var screenHeight: Int64 = 2556
  public var screenScale: Int64 = 3

  /// The vendor identifier.
  public var idfv = "AAAAAAAA-0000-4000-8000-000000000001"
  /// The advertising identifier, as far as tracking is allowed.
  public var idfa = "11111111-2222-3333-4444-555555555555"

  /// Adjust's install de-duplication: the first survives a reinstall, the second does not (vendors.md 1.3).
  public var primaryDedupeToken = "9c6b1f6e-52c7-4d0a-8f0e-3b6a7d1c2e40"
  public var secondaryDedupeToken = "e2d4a8f1-07b3-4c59-9a6d-51f0c3b7a922"

  /// Made on the device, lower case (vendors.md 2.3, 2).
  public var adaptyProfileID = "0b7e9a44-6c1d-4f2a-9a37-5d2c80e1f3b6"
  /// One an installation.
  public var adaptyInstallationID = "5f3a1c92-8e47-4b06-b1d8-7a90e64c2d15"
  /// One a process.
  public var adaptySessionID = "c8d20e7b-4a15-49f3-8b62-f1e7093a5d84"

  /// Apple's attribution token for this installation.
  public var adServicesToken = "bGF1bmNodGFwZS1zYW1wbGUtYWRzZXJ2aWNlcy10b2tlbg=="

  /// What Apple's push service knows this installation by: 32 bytes in hexadecimal.
  public var pushToken = "8f2c61d0b7a94e35c0d1e2f3a4b59687788695a4b3c2d1e0f35e49a7b0d1628f"

  /// Decides everything the clients leave to chance, such as the jitter of retries.
  public var chanceSeed: UInt64 = 1

  /// The civil time of the installation.
  public var installedAt = WallTime(milliseconds: 1_796_019_482_000)
  /// The civil time at which the process starts; the clients count on from it on the monotonic clock.
  public var launchedAt = WallTime(milliseconds: 1_796_019_645_000)

  /// The sample, to be changed.
  public init() {}

  /// The same in every run.
  public static let sample = Device()

  /// What an advertising identifier reads where tracking is not allowed: data, not a secret (vendors.md 5).
  public static let zeroIDFA = "00000000-0000-0000-0000-000000000000"
}
