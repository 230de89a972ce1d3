import LaunchHTTP

/// A name in a file of credentials, and what its value may be.
enum VendorSetting: String, CaseIterable {
  case oneSignalAppID = "ONESIGNAL_APP_ID"
  case adjustAppToken = "ADJUST_APP_TOKEN"
  case adjustEnvironment = "ADJUST_ENVIRONMENT"
  case adjustServerToken = "ADJUST_S2S_TOKEN"
  case adjustAuthorization = "ADJUST_AUTHORIZATION"
  case adaptyPublicKey = "ADAPTY_PUBLIC_KEY"
  case adaptyCluster = "ADAPTY_CLUSTER"
  case motiSigSDKKey = "MOTISIG_SDK_KEY"
  case motiSigProjectID = "MOTISIG_PROJECT_ID"
  case motiSigBaseURL = "MOTISIG_BASE_URL"
  case authorityFile = "LAUNCHTAPE_CA_FILE"

  static let names = allCases.map(\.rawValue)

  /// What redaction calls the value, as its built-in rules do; nil for a value that opens nothing.
  var secretKind: String? {
    switch self {
    case .oneSignalAppID: "app_id"
    case .adjustAppToken: "app_token"
    case .adjustServerToken, .adjustAuthorization: "adjust_signature"
    case .adaptyPublicKey: "adapty_key"
    case .motiSigSDKKey: "motisig_key"
    case .motiSigProjectID: "project_id"
    case .adjustEnvironment, .adaptyCluster, .motiSigBaseURL, .authorityFile: nil
    }
  }

  /// Which settings have to stand beside this one: one of each list.
  var companions: [[VendorSetting]] {
    switch self {
    // The SDK's requests cannot be signed here (vendors.md 1.2).
    case .adjustAppToken: [[.adjustServerToken, .adjustAuthorization]]
    case .adjustEnvironment, .adjustServerToken, .adjustAuthorization: [[.adjustAppToken]]
    case .adaptyCluster: [[.adaptyPublicKey]]
    case .motiSigSDKKey: [[.motiSigProjectID]]
    case .motiSigProjectID, .motiSigBaseURL: [[.motiSigSDKKey]]
    case .oneSignalAppID, .adaptyPublicKey, .authorityFile: []
    }
  }

  /// Why `value` cannot be one; nil when it can. Never quotes it.
  func mistake(in value: String) -> String? {
    if value.isEmpty { return "the value is missing" }
    switch self {
    case .oneSignalAppID:
      return value.isUUID ? nil : "an app id is a UUID, such as 7d3c5a90-1f42-4e8b-a6c7-0b95d2e81f34"
    case .adjustAppToken:
      let isToken = value.utf8.count == 12 && value.utf8.allSatisfy(\.isLetterOrDigit)
      return isToken ? nil : "an app token is 12 letters and digits"
    case .adjustEnvironment: return Self.choice(value, of: AdjustClient.Environment.self)
    case .adaptyCluster: return Self.choice(value, of: AdaptyConfiguration.Cluster.self)
    case .adaptyPublicKey:
      if value.hasPrefix("secret_") { return "this is a secret key; an app has the public one" }
      let isPathSafe = value.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
      return isPathSafe ? Self.tooShort(value) : "a public key has letters, digits, dots, hyphens and underscores only"
    case .adjustServerToken, .motiSigSDKKey, .motiSigProjectID:
      let isVisible = value.utf8.allSatisfy { 0x21...0x7E ~= $0 }
      return isVisible ? Self.tooShort(value) : "a credential has no spaces, and visible ASCII characters only"
    case .adjustAuthorization:
      let isVisible = value.utf8.allSatisfy { 0x20...0x7E ~= $0 }
      return isVisible ? Self.tooShort(value) : "the line has visible ASCII characters and spaces only"
    case .motiSigBaseURL:
      guard let location = try? Location(parsing: value), location.query == nil else {
        return "a base URL is https:// with a host and perhaps a path, without user and query"
      }
      return location.scheme == "https" || location.isLoopback
        ? nil : "without https the credentials would be readable on the way; http is for this machine only"
    case .authorityFile: return nil
    }
  }

  /// Of a shorter one redaction could not tell where else it stands.
  private static func tooShort(_ value: String) -> String? {
    value.utf8.count < 6 ? "a credential has 6 characters at least" : nil
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ value: String, of choices: Choice.Type
  ) -> String? where Choice.RawValue == String {
    guard Choice(rawValue: value) == nil else { return nil }
    return "there is \(Choice.allCases.map(\.rawValue).joined(separator: ", "))"
  }
}

extension Location {
  /// Whether the host is this machine by its name or its address.
  package var isLoopback: Bool { host == "localhost" || host == "[::1]" || host.hasPrefix("127.") }
}

extension String {
  fileprivate var isUUID: Bool {
    let bytes = Array(utf8)
    return bytes.count == 36
      && bytes.enumerated().allSatisfy { index, byte in
        [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
      }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
