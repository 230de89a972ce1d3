import LaunchClients
import Testing

@Suite struct DeviceTests {
  /// Reference values from `date -u`.
  static let moments: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00.000"),
    (1_767_323_045_678, "2026-01-02T03:04:05.678"),
    (951_782_399_999, "2000-02-28T23:59:59.999"),
    (951_782_400_000, "2000-02-29T00:00:00.000"),
    (951_868_800_000, "2000-03-01T00:00:00.000"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000"),
    (1_735_689_599_000, "2024-12-31T23:59:59.000"),
    (-1, "1969-12-31T23:59:59.999"),
    (-2_203_891_200_000, "1900-03-01T00:00:00.000"),
  ]

  @Test(arguments: moments) func `civil time in UTC`(milliseconds: Int64, text: String) {
    #expect(WallTime(milliseconds: milliseconds).iso == text)
  }
}
