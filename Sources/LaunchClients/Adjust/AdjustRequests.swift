package import LaunchHTTP
package import LaunchJSON

/// Adjust's requests, byte for byte: a package and what is true when it leaves (vendors.md 1.1 and 1.2).
package struct AdjustRequests: Hashable, Sendable {
  package static let clientSDK = "ios5.6.2"
  /// Vendors.md 1.2.
  package static let timeout = Duration.seconds(60)

  private let signature: String
  private let device: Device

  /// - Parameter signature: What the closed signing library would answer; opaque here (vendors.md 1.2).
  package init(signature: String, device: Device) {
    self.signature = signature
    self.device = device
  }

  /// The request for `package`.
  ///
  /// Consent is that of the moment of sending, whatever it was when the package was made (vendors.md 1.6).
  /// - Parameters:
  ///   - fields: What the package's queue knows about the try (`AdjustQueue.sendingFields`).
  ///   - controlParameters: What the server last wanted to get back (vendors.md 1.3 A).
  package func request(
    for package: AdjustPackage, to host: String, status: ATTStatus, at now: WallTime, fields: FormPairs = [:],
    controlParameters: JSONObject? = nil
  ) -> Request {
    var form = package.form
    form["att_status"] = "\(status.rawValue)"
    form["idfa"] = Self.idfa(of: device, status)
    form = form + fields
    if let controlParameters, !controlParameters.isEmpty {
      form.add("control_params", String(decoding: JSON.object(controlParameters).serialized, as: UTF8.self))
    }
    form.append("sent_at", now.adjust)
    var headers: Fields = ["Client-Sdk": Self.clientSDK]
    if !signature.isEmpty { headers.append("Authorization", signature) }
    var location = Location(scheme: "https", host: host, path: package.kind.path)
    // The only GET has everything in its query (vendors.md 1.3 B).
    guard package.kind != .attribution else {
      location.query = form.text
      return Request(method: "GET", location: location, fields: headers, timeout: Self.timeout)
    }
    headers.append("Content-Type", FormPairs.contentType)
    return Request(method: "POST", location: location, fields: headers, body: form.serialized, timeout: Self.timeout)
  }

  /// Only with the status 3, and only a usable one (vendors.md 1.3 A).
  static func idfa(of device: Device, _ status: ATTStatus) -> String? {
    status == .authorized && device.idfa != Device.zeroIDFA ? device.idfa.nonEmpty : nil
  }
}
