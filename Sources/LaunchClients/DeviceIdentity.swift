import LaunchJSON

/// What makes a device another one than any before it: for launches at the vendors themselves, who remember devices.
extension Device {
  /// What begins the keys under which a store keeps the device; all others are what launches have left.
  fileprivate static let storePrefix = "device."

  /// Where the store keeps each identifier.
  private static var identifiers: KeyValuePairs<String, WritableKeyPath<Device, String>> {
    [
      "idfv": \.idfv, "idfa": \.idfa, "dedupe.primary": \.primaryDedupeToken,
      "dedupe.secondary": \.secondaryDedupeToken, "adapty.profile": \.adaptyProfileID,
      "adapty.installation": \.adaptyInstallationID, "push": \.pushToken,
    ]
  }

  /// The sample with new identifiers, installed a moment before `now`.
  ///
  /// Adjust, for one, refuses sessions of a device that it has seen in the last 20 minutes (vendors.md 1.8).
  public static func new(at now: WallTime, using generator: inout some RandomNumberGenerator) -> Device {
    var device = Device.sample
    for (_, path) in identifiers {
      device[keyPath: path] = device[keyPath: path].replacingHex(using: &generator)
    }
    device.startProcess(at: now, using: &generator)
    device.installedAt = WallTime(milliseconds: now.milliseconds - 163_000)
    return device
  }

  /// The device whose app has filled `store`, in a new process; nil when the store does not tell which one that was.
  public static func remembered(
    in store: LaunchStore, at now: WallTime, using generator: inout some RandomNumberGenerator
  ) -> Device? {
    guard let installed = store[storePrefix + "installed"]?.integer else { return nil }
    var device = Device.sample
    for (name, path) in identifiers {
      guard let value = store[storePrefix + name]?.string else { return nil }
      device[keyPath: path] = value
    }
    device.installedAt = WallTime(milliseconds: installed)
    device.startProcess(at: now, using: &generator)
    return device
  }

  /// Keeps what identifies the device, for `remembered`.
  public func remember(in store: LaunchStore) {
    for (name, path) in Self.identifiers { store.set(Self.storePrefix + name, .string(self[keyPath: path])) }
    store.set(Self.storePrefix + "installed", .integer(installedAt.milliseconds))
  }

  private mutating func startProcess(at now: WallTime, using generator: inout some RandomNumberGenerator) {
    launchedAt = now
    adaptySessionID = adaptySessionID.replacingHex(using: &generator)
  }
}

extension LaunchStore {
  /// Whether a launch has left something. A recording that could not begin leaves at most which device it was to be made
  /// as.
  package var remembersLaunch: Bool { entries(under: "").contains { !$0.key.hasPrefix(Device.storePrefix) } }
}

extension String {
  /// The same shape with other hexadecimal digits, in the letter case of most of them; what says the version and the
  /// variant of a UUID stays.
  fileprivate func replacingHex(using generator: inout some RandomNumberGenerator) -> String {
    let isUpper = contains { $0.isUppercase } || !contains { $0.isLetter }
    let isUUID = count == 36
    return String(
      enumerated().map { index, character -> Character in
        guard character.isHexDigit, !(isUUID && (index == 14 || index == 19)) else { return character }
        let digit = String(UInt8.random(in: 0..<16, using: &generator), radix: 16, uppercase: isUpper)
        return digit.first ?? character
      })
  }
}
