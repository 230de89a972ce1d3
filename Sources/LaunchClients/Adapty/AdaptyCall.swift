package import LaunchHTTP
package import LaunchJSON

/// One request of Adapty's SDK before it is known which host it goes to.
package struct AdaptyCall: Hashable, Sendable {
  /// What a server refuses by name (vendors.md 2.5).
  package enum Name: String, Hashable, Sendable {
    case netConfig, createProfile, fetchProfile, updateProfile, crossPlacement, appleAds, events, products
    case segmentedPaywall, forcedPaywall, fallbackPaywall, defaultPaywall, install
  }

  /// The kinds of server (vendors.md 2.1).
  package enum Server: Hashable, Sendable, CaseIterable {
    case main, fallback, configs, ua

    /// The host where the server's answers say nothing else (vendors.md 2.1).
    package func host(_ cluster: AdaptyConfiguration.Cluster) -> String {
      switch (self, cluster) {
      case (.main, .default): "api.adapty.io"
      case (.main, .eu): "api-eu.adapty.io"
      case (.main, .cn): "api-cn.adapty.io"
      case (.fallback, .cn): "fallback-cn.adapty.io"
      case (.fallback, _): "fallback.adapty.io"
      case (.configs, .cn): "configs-cdn-cn.adapty.io"
      case (.configs, _): "configs-cdn.adapty.io"
      case (.ua, .cn): "api-ua-cn.adapty.io"
      case (.ua, _): "api-ua.adapty.io"
      }
    }

    /// The location in front of every path.
    package func base(_ cluster: AdaptyConfiguration.Cluster) -> Location {
      Location(scheme: "https", host: host(cluster), path: Self.basePath)
    }

    /// Vendors.md 2.1.
    package static let basePath = "/api/v1"
  }

  package var name: Name
  package var server: Server
  package var method = "GET"
  /// Behind the base path.
  package var path: String
  package var query: String?
  /// Those of this request alone.
  package var fields: Fields = [:]
  package var body: JSON?
  /// Vendors.md 2.2: half a minute.
  package var timeout = Duration.seconds(30)
}
