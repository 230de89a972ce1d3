@testable import LaunchCassette
import Testing

struct SmallPartTests {
  /// RFC 4648 section 10.
  static let base64: [(bytes: String, text: String)] = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"), ("??>", "Pz8+"), ("???", "Pz8/"),
  ]

  @Test func `base64 is that of RFC 4648`() {
    for (bytes, text) in Self.base64 {
      #expect(Base64.encode(Array(bytes.utf8)) == Array(text.utf8))
      #expect(Base64.decode(text.utf8) == Array(bytes.utf8))
    }
    #expect(Base64.decode(Base64.encode(Array(0...255))[...]) == Array(0...255))
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "====", "Zg==Zg==", "Z===", "Zm9v\n", "Zm-v", "=m9v", "Zg=a"])
  func `base64 with any other spelling is refused`(text: String) {
    #expect(Base64.decode(text.utf8) == nil)
  }

  /// From `date -u -d @SECONDS`.
  static let times: [(microseconds: Int64, text: String)] = [
    (0, "1970-01-01T00:00:00.000000Z"),
    (1_796_019_645_123_456, "2026-11-30T06:20:45.123456Z"),
    (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.999999Z"),
  ]

  @Test func `the time of a recording is written in UTC`() {
    for (microseconds, text) in Self.times {
      let header = CassetteHeader(name: "x", microsecondsSince1970: microseconds, by: "y")
      #expect(header.recorded == text)
    }
  }
}
