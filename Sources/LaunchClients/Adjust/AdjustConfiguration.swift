/// How an app sets Adjust's SDK up.
///
/// ```swift
/// var configuration = AdjustConfiguration(environment: .sandbox)
/// configuration.attConsentWaitingInterval = .seconds(120)
/// configuration.getter = .holding
/// adjust.initSDK(configuration)
/// ```
public struct AdjustConfiguration: Hashable, Sendable {
  /// What `adid()` and `attribution()` do while there is no value (vendors.md 1.6).
  public enum Getter: Hashable, Sendable {
    /// Version 4 of the SDK: they give nil at once.
    case immediate
    /// Version 5 of the SDK: they hold until a value exists, however long that takes.
    case holding
  }

  /// Sent with every request.
  public var environment: AdjustClient.Environment
  /// How long the first request waits for the user's answer to the tracking prompt; whole seconds count, and no more
  /// than 360 of them. Zero: it does not wait (vendors.md 1.6).
  public var attConsentWaitingInterval = Duration.zero
  /// Whether a first launch sends nothing before `endFirstSessionDelay()`. It then does not wait for the prompt
  /// (vendors.md 1.6).
  public var delaysFirstSession = false
  /// Whether attributions should say what they cost (vendors.md 1.3 B).
  public var needsCost = false
  /// As the published loop of ten tries expects it, the one of version 4.
  public var getter = Getter.immediate

  /// Whether each session is told to Adjust's server-to-server endpoint as well, as an app's own server would: with a token
  /// it takes what the SDK's requests need a signature for (vendors.md 1.2, option 2).
  public var sendsServerSession = false

  public init(environment: AdjustClient.Environment) { self.environment = environment }
}
