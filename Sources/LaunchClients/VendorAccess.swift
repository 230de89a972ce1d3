public import LaunchHTTP

/// Credentials for some of the vendors, with which a launch is recorded at their real hosts.
///
/// ```swift
/// let access = try VendorAccess(parsing: text, file: "launch.env")
/// var scenario = LaunchScenario.firstLaunch
/// access.apply(to: &scenario)
/// try await AppLaunch(transport: tap, scenario: scenario, credentials: access.credentials).run()
/// ```
public struct VendorAccess: Hashable, Sendable {
  /// A value that must not be seen anywhere, and what redaction calls its kind.
  public struct Secret: Hashable, Sendable {
    public var kind: String
    public var value: String
  }

  /// Those that were given; the sample's for the other vendors.
  public internal(set) var credentials = Credentials.sample
  /// All that was given and opens something.
  public internal(set) var secrets: [Secret] = []
  /// A file with the authorities to trust instead of the system's, in PEM, as written; nil when none was given.
  public var authorityFile: String?

  var hasOneSignal = false
  /// Whether sessions go to the endpoint that takes a token.
  var hasAdjustServer = false
  /// Whether the SDK's own requests can be signed.
  var hasAdjustSDK = false
  var hasAdapty = false
  var hasMotiSig = false
  var adjustEnvironment = AdjustClient.Environment.sandbox
  var adaptyCluster = AdaptyConfiguration.Cluster.default
  var motiSigBase = MotiSigClient.baseURL

  /// Where requests go that are not a stand-in's: scheme, host and port of each place, in the order of the vendors.
  ///
  /// Adjust's SDK stays with the stand-in where only a server's token is known (vendors.md 1.2). Adapty has the hosts of
  /// every cluster, because its answers may lead to another one (2.1).
  public var locations: [Location] {
    var locations: [Location] = []
    func add(_ hosts: [String]) { locations += hosts.map { Location(scheme: "https", host: $0) } }
    if hasOneSignal { add([OneSignalRequests.host, "onesignal.com"]) }
    if hasAdjustServer { add([AdjustS2S.host]) }
    if hasAdjustSDK { add(AdjustHosts.domains.flatMap { ["analytics.\($0)", "consent.\($0)"] }) }
    if hasAdapty {
      let hosts = AdaptyCall.Server.allCases.flatMap { AdaptyConfiguration.Cluster.allCases.map($0.host) }
      add(hosts.enumerated().filter { hosts.firstIndex(of: $1) == $0 }.map(\.element) + [AdaptyRequests.addressHost])
    }
    if hasMotiSig {
      locations.append(Location(scheme: motiSigBase.scheme, host: motiSigBase.host, port: motiSigBase.port))
    }
    return locations
  }

  /// Sets the vendors' SDKs up as the credentials want it. What Adjust counts as is decided here whatever the scenario
  /// says: the published one would count installs (Q8).
  public func apply(to scenario: inout LaunchScenario) {
    if hasAdjustSDK || hasAdjustServer { scenario.adjust.environment = adjustEnvironment }
    scenario.adjust.sendsServerSession = hasAdjustServer
    if hasAdapty { scenario.adapty.cluster = adaptyCluster }
    if hasMotiSig { scenario.motiSig?.baseURL = motiSigBase }
  }
}
