public import LaunchHTTP

/// Adjust's documented server-to-server session, with which a launch can be recorded against the real service: the
/// SDK's own requests need a signature that only Adjust's closed library makes (vendors.md 1.2, option 2).
///
/// ```swift
/// let session = AdjustS2S(token: token, appToken: "abcdefghijkl").session(of: device, status: .denied)
/// let response = try await transport.response(to: session)
/// ```
public struct AdjustS2S: Hashable, Sendable {
  public static let host = "s2s.adjust.com"

  private let token: String
  private let appToken: String
  private let environment: AdjustClient.Environment

  /// - Parameters:
  ///   - token: What the dashboard gives for server-to-server calls; a credential.
  ///   - environment: Anything but the sandbox counts real installs.
  public init(token: String, appToken: String, environment: AdjustClient.Environment = .sandbox) {
    self.token = token
    self.appToken = appToken
    self.environment = environment
  }

  /// The session of a device; the advertising identifier goes with it only if the user has agreed.
  /// - Parameter address: The device's own address, if it is not that of the connection.
  public func session(of device: Device, status: ATTStatus, address: String? = nil) -> Request {
    var form: FormPairs = ["s2s": "1"]
    form.add("app_token", appToken)
    form.add("environment", environment.rawValue)
    form.add("os_name", "ios")
    form.add("app_version", device.appBuild)
    form.add("app_version_short", device.appVersion)
    form.add("idfa", AdjustRequests.idfa(of: device, status))
    form.add("idfv", device.idfv)
    var fields: Fields = ["Authorization": "Bearer \(token)", "Content-Type": FormPairs.contentType]
    if let address { fields.append("X-Adjust-Forwarded-For", address) }
    let location = Location(scheme: "https", host: Self.host, path: AdjustPackage.Kind.session.path)
    return Request(
      method: "POST", location: location, fields: fields, body: form.serialized, timeout: AdjustRequests.timeout)
  }
}
