/// What an app tells Adapty's SDK when it starts it.
///
/// ```swift
/// var configuration = AdaptyConfiguration()
/// configuration.cluster = .eu
/// ```
public struct AdaptyConfiguration: Hashable, Sendable {
  /// Where the app's data is kept (vendors.md 2.1).
  public enum Cluster: String, Hashable, Sendable, CaseIterable {
    case `default`, eu, cn
  }

  public var cluster = Cluster.default
  /// How the app names its user; nil for one it has no name for.
  public var customerUserID: String?
  /// Whether the device's address is looked up and reported, as it is unless the app objects (vendors.md 2.3, 3).
  public var collectsAddress = true
  /// Whether the installation is registered; an app has to ask for it from 4.1.0 on (vendors.md 2.3, 3).
  public var registersInstall = false

  /// The defaults, to be changed.
  public init() {}
}
