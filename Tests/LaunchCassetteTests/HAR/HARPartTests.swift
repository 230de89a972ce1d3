@testable import LaunchCassette
import LaunchHTTP
import LaunchJSON
import TestSupport
import Testing

struct HARDateTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, false), ("1970-01-01T00:00:00.000001Z", 1, false),
      ("2024-02-29T13:05:09.123456789Z", 1_709_211_909_123_456, false),
      ("2024-02-29T14:05:09.1+01:00", 1_709_211_909_100_000, false),
      ("2024-02-29t05:35:09,12-0730", 1_709_211_909_120_000, false),
      ("20240229T130509Z", 1_709_211_909_000_000, false), ("2024-02-29 13:05:09 +00", 1_709_211_909_000_000, false),
      ("2024-02-29T13:05:09.", 1_709_211_909_000_000, true), ("2024-02-29T13:05", 1_709_211_900_000_000, true),
      ("2024-02-29", 1_709_164_800_000_000, true), ("0000-03-01T00:00:00Z", -62_162_035_200_000_000, false),
      ("1969-12-31T23:59:60Z", 0, false), ("2023-12-31T24:00:00Z", 1_704_067_200_000_000, false),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999, false),
    ] as [(String, Int64, Bool)])
  func `a date in any ISO form is a moment`(text: String, microseconds: Int64, isZoneless: Bool) {
    #expect(HARDate(text)?.microseconds == microseconds)
    #expect(HARDate(text)?.isZoneless == isZoneless)
  }

  @Test(arguments: [
    "", " ", "2009-16-12T12:16:49.123+0200", "2023-02-29", "2024-1-01", "2024-01-01T25:00:00Z", "2024-01-01T24:00:01Z",
    "2024-01-01T00:60:00Z", "2024-01-01T", "2024-01-01T00:00:00Q", "2024-01-01T00:00:00+25:00", "Fri, 1 Mar 2024",
    "2024-01-01T00:00:00Z ☂", "١٩٧٠-01-01",
  ])
  func `what is no date of the calendar is none`(text: String) { #expect(HARDate(text) == nil) }

  @Test func `every day reads as it is written`() {
    for day in stride(from: Int64(-719_528), through: 2_932_896, by: 97) {
      let microseconds = day * 86_400_000_000 + 12_345_678_901
      #expect(HARDate(HARDate.text(microsecondsSince1970: microseconds))?.microseconds == microseconds)
    }
    #expect(HARDate.text(microsecondsSince1970: .max) == "9999-12-31T23:59:59.999999Z")
    #expect(HARDate.text(microsecondsSince1970: .min) == "0000-01-01T00:00:00.000Z")
    #expect(HARDate.text(microsecondsSince1970: 1_120_000) == "1970-01-01T00:00:01.120Z")
  }

  @Test(
    arguments: [
      ("Wed, 21 Oct 2015 07:28:00 GMT", 1_445_412_480), ("Wednesday, 21-Oct-15 07:28:00 GMT", 1_445_412_480),
      ("Wed Oct 21 07:28:00 2015", 1_445_412_480), ("01 jan 1970 00:00:01", 1),
    ] as [(String, Int64)])
  func `a cookie's date is a moment`(text: String, seconds: Int64) {
    #expect(HARDate(cookieDate: text)?.microseconds == seconds * 1_000_000)
  }
}

struct JSONPatchTests {
  static let cases: [(base: String, target: String, patch: String?)] = [
    (#"{"a":1,"b":2}"#, #"{"b":2.0,"a":1}"#, nil),
    (#"{"a":1,"b":2}"#, #"{"a":1,"c":[]}"#, #"{"c":[],"-":["b"]}"#),
    (#"{"a":{"x":1,"y":2}}"#, #"{"a":{"x":null,"y":2}}"#, #"{"a":{"x":null}}"#),
    (#"{"a":[1,2,3]}"#, #"{"a":[1,9,3]}"#, #"{"a":{"1":9}}"#),
    (#"[1,2,3]"#, #"[7,8,1,2,3]"#, #"{"~":[0,0,[7,8]]}"#),
    (#"[1,2,3]"#, #"[1]"#, #"{"~":[1,2,[]]}"#),
    (#"[]"#, #"[1]"#, "[1]"),
    (#"[1]"#, #"{"0":1}"#, #"{"=":{"0":1}}"#),
    (#"{"a":1}"#, #"[1]"#, "[1]"),
    (#"{"a":1}"#, #"{"-":1}"#, #"{"=":{"-":1}}"#),
    (#"{"a":1}"#, #"{"a":2,"a":1}"#, #"{"=":{"a":2,"a":1}}"#),
    (#"{"a":1}"#, #"{"a":{"=":1}}"#, #"{"a":{"=":1}}"#),
    ("\"e\u{301}\"", "\"\u{E9}\"", "\"\u{E9}\""),
  ]

  @Test(arguments: cases)
  func `a patch is small, and makes the one value of the other`(base: String, target: String, patch: String?) throws {
    let (base, target) = (try JSON(parsing: base), try JSON(parsing: target))
    let made = JSONPatch.patch(from: base, to: target)
    #expect(made.map { String(decoding: $0.serialized, as: UTF8.self) } == patch)
    #expect((made.map { JSONPatch.apply($0, to: base) } ?? base).isEquivalent(to: target))
  }

  @Test func `a patch between any two values does what it should, twice alike`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      let (base, target) = (json(&random, 3), json(&random, 3))
      let patch = JSONPatch.patch(from: base, to: target)
      let result = patch.map { JSONPatch.apply($0, to: base) } ?? base
      #expect(result.isEquivalent(to: target))
      #expect(JSONPatch.patch(from: base, to: result) == patch)
      // Any value at all may stand where a patch is looked for.
      _ = JSONPatch.apply(json(&random, 3), to: base)
    }
  }

  private func json(_ random: inout SeededGenerator, _ depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
    case 0: return nil
    case 1: return .integer(Int64.random(in: -1...2, using: &random))
    case 2: return .number("1.0")
    case 3: return .string(["", "a"][Int.random(in: 0...1, using: &random)])
    case 4: return .bool(true)
    case 5: return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in json(&random, depth - 1) })
    default:
      let keys = ["a", "b", "c", "-", "=", "~", "0", "1"]
      return .object(
        JSONObject(
          (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            let key = Int.random(in: 0..<12, using: &random) % 8
            return JSONObject.Member(
              keys[Int.random(in: 0..<3, using: &random) < 2 ? key % 3 : key], json(&random, depth - 1))
          }))
    }
  }
}

struct LenientBase64Tests {
  @Test(arguments: [
    ("", ""), ("YQ==", "a"), ("YQ", "a"), ("Y Q\r\n=\n=", "a"), ("YWI", "ab"), ("YWJj", "abc"), ("_-8", "\u{FF}\u{EF}"),
    ("YQ==YQ", nil), ("Y", nil), ("Y!Q=", nil),
  ])
  func `base64 is read as loosely as it is written`(text: String, bytes: String?) {
    let expected = bytes.map { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    #expect(Base64.decode(lenient: text.utf8) == expected)
  }
}

struct HARFailureTests {
  @Test(arguments: [
    ("net::ERR_NAME_NOT_RESOLVED", TransportError.Reason.dns, TransportError.Phase.dns),
    ("net::ERR_CONNECTION_REFUSED", .refused, .connect), ("net::ERR_CONNECTION_TIMED_OUT", .timeout, .connect),
    ("net::ERR_TIMED_OUT", .timeout, .response), ("net::ERR_CERT_DATE_INVALID", .tls, .tls),
    ("net::ERR_SSL_PROTOCOL_ERROR", .tls, .tls), ("net::ERR_EMPTY_RESPONSE", .truncated, .response),
    ("net::ERR_CONNECTION_RESET", .reset, .response), ("net::ERR_ABORTED", .cancelled, .response),
    ("net::ERR_BLOCKED_BY_CLIENT", .cancelled, .response), ("net::ERR_INTERNET_DISCONNECTED", .connect, .connect),
    ("net::ERR_HTTP2_PROTOCOL_ERROR", .protocol, .response), ("NS_ERROR_UNKNOWN_HOST", .dns, .dns),
    ("NS_BINDING_ABORTED", .cancelled, .response), ("server closed connection", .truncated, .response),
    ("[Errno 111] Connect call failed", .refused, .connect),
    ("Certificate verify failed: self-signed certificate", .tls, .tls), ("who knows", .reset, .response),
  ])
  func `a failure that an exporter describes has a reason and a phase`(
    message: String, reason: TransportError.Reason, phase: TransportError.Phase
  ) {
    let error = TransportError(harMessage: message, hasHead: false, isConnected: true)
    #expect(error == TransportError(reason, during: phase, message))
    #expect(TransportError(harMessage: message, hasHead: true, isConnected: true).phase == .body)
  }
}
