import LaunchClients
import LaunchJSON
import TestSupport
import Testing

@Suite struct DeviceIdentityTests {
  private static let now = WallTime(milliseconds: 1_796_100_000_000)

  @Test func `a new device has new identifiers of the sample's shape`() {
    var generator = SeededGenerator(seed: 1)
    let device = Device.new(at: Self.now, using: &generator)
    let other = Device.new(at: Self.now, using: &generator)
    let identifiers: [KeyPath<Device, String>] = [
      \.idfv, \.idfa, \.primaryDedupeToken, \.secondaryDedupeToken, \.adaptyProfileID, \.adaptyInstallationID,
      \.adaptySessionID, \.pushToken,
    ]
    for identifier in identifiers {
      let values = [device, other, .sample].map { $0[keyPath: identifier] }
      #expect(Set(values).count == 3)
      let shapes = values.map { $0.map { $0.isHexDigit ? "x" : $0 } }
      #expect(shapes[0] == shapes[2])
      #expect(
        values[0] == (identifier == \.idfv || identifier == \.idfa ? values[0].uppercased() : values[0].lowercased()))
    }
    #expect(device.launchedAt == Self.now)
    #expect(device.installedAt.milliseconds < Self.now.milliseconds)
  }

  @Test func `a store remembers the device, and a later launch is another process on it`() {
    var generator = SeededGenerator(seed: 2)
    let store = LaunchStore()
    #expect(Device.remembered(in: store, at: Self.now, using: &generator) == nil)
    let device = Device.new(at: Self.now, using: &generator)
    device.remember(in: store)
    let later = Self.now.advanced(by: .seconds(86_400))
    let remembered = Device.remembered(in: store, at: later, using: &generator)
    var expected = device
    expected.launchedAt = later
    expected.adaptySessionID = remembered?.adaptySessionID ?? ""
    #expect(remembered == expected)
    #expect(remembered?.adaptySessionID != device.adaptySessionID)

    store.set("device.idfv", nil)
    #expect(Device.remembered(in: store, at: later, using: &generator) == nil)
  }

  @Test func `the device alone is no launch that a store remembers`() {
    let store = LaunchStore()
    #expect(!store.remembersLaunch)
    Device.sample.remember(in: store)
    #expect(!store.remembersLaunch)
    store.set("onesignal.user", "ca4a47ca")
    #expect(store.remembersLaunch)
  }
}
