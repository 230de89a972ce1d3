import LaunchJSON
import TestSupport
import Testing

struct JSONEquivalenceTests {
  static let numbers: [(text: String, canonical: String)] = [
    ("0", "0"), ("-0", "0"), ("0.000", "0"), ("-0e99", "0"), ("0e-999999999999999999999", "0"),
    ("1", "1"), ("1.0", "1"), ("10e-1", "1"), ("0.1e1", "1"), ("0.001E+3", "1"), ("1e00", "1"), ("1e-0", "1"),
    ("100", "100"), ("1e2", "100"), ("-1.50e2", "-150"), ("1.5", "15e-1"), ("15e-1", "15e-1"), ("0.0150", "15e-3"),
    ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775807.0", "9223372036854775807"), ("9223372036854775808", "9223372036854775808"),
    ("18446744073709551616", "18446744073709551616"), ("100000000000000000000", "100000000000000000000"),
    ("1e20", "100000000000000000000"), ("1e21", "1e21"), ("1000000000000000000000", "1e21"),
    ("1234567890123456789012", "1234567890123456789012e0"), ("1234567890123456789012.0", "1234567890123456789012e0"),
    ("1e999999999", "1e999999999"), ("10e999999998", "1e999999999"), ("0.1e1000000000", "1e999999999"),
    ("1e-999999999", "1e-999999999"),
    ("1e999999999999999999", "1e999999999999999999"), ("10e999999999999999999", "1e1000000000000000000"),
    ("1e1000000000000000000", "1e1000000000000000000"), ("0.1e1000000000000000001", "1e1000000000000000000"),
    ("0.01e1000000000000000001", "1e999999999999999999"), ("100e-1000000000000000001", "1e-999999999999999999"),
    ("0.1e-999999999999999999", "1e-1000000000000000000"),
    ("1e000000000000000000000000000005", "100000"),
    ("1e99999999999999999999999999999999999999", "1e99999999999999999999999999999999999999"),
    ("10e99999999999999999999999999999999999999", "1e100000000000000000000000000000000000000"),
    ("0.1e100000000000000000000000000000000000000", "1e99999999999999999999999999999999999999"),
    ("-0.1e-99999999999999999999999999999999999999", "-1e-100000000000000000000000000000000000000"),
  ]

  @Test(arguments: numbers)
  func `a number has one canonical form`(text: String, canonical: String) throws {
    #expect(try String(decoding: JSON(parsing: text).canonical, as: UTF8.self) == canonical)
    #expect(try JSON(parsing: text).isEquivalent(to: JSON(parsing: canonical)))
  }

  @Test func `long numbers cost no more than their text`() throws {
    let zeros = String(repeating: "0", count: 200_000)
    let nines = String(repeating: "9", count: 200_000)
    #expect(try JSON(parsing: "0.\(zeros)1e200001").isEquivalent(to: 1))
    #expect(try JSON(parsing: "1\(zeros)e-200000").isEquivalent(to: 1))
    #expect(try JSON(parsing: "10e\(nines)").isEquivalent(to: JSON(parsing: "1e1\(zeros)")))
    #expect(try !JSON(parsing: "1e\(nines)").isEquivalent(to: JSON(parsing: "1e1\(zeros)")))
  }

  static let equivalent: [(String, String)] = [
    (#"{"a":1,"b":[true,null]}"#, #" { "b" : [ true , null ], "a" : 1.0 } "#),
    (#"{"a":{"y":1,"x":2}}"#, #"{"a":{"x":2,"y":1}}"#),
    (#""\u00e9\/""#, #""é/""#),
    (#"{"\u0061":1}"#, #"{"a":1}"#),
    (#"{"a":1,"b":0,"a":2}"#, #"{"b":0,"a":1,"a":2}"#),
  ]

  @Test(arguments: equivalent)
  func `writing does not count`(left: String, right: String) throws {
    #expect(try JSON(parsing: left).isEquivalent(to: JSON(parsing: right)))
  }

  static let different: [(String, String)] = [
    ("1", "\"1\""), ("0", "false"), ("null", "{}"), ("[]", "{}"), ("\"\"", "null"), ("1", "-1"), ("1", "1.1"),
    ("0.1", "0.10000000000000000001"), ("9007199254740993", "9007199254740992"),
    ("[1,2]", "[2,1]"), ("[1]", "[1,1]"),
    (#"{"a":1}"#, #"{"a":1,"b":null}"#), (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1}"#, #"{"A":1}"#),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":1,"a":1}"#, #"{"a":1}"#),
    ("\"\u{E9}\"", "\"e\u{301}\""),
  ]

  @Test(arguments: different)
  func `content counts`(left: String, right: String) throws {
    #expect(try !JSON(parsing: left).isEquivalent(to: JSON(parsing: right)))
  }

  @Test func `keys are sorted by their bytes`() throws {
    let value = try JSON(parsing: "{\"b\":1,\"\u{1F600}\":2,\"\u{FF5E}\":3,\"aa\":4,\"\":5,\"a\":6,\"B\":7}")
    #expect(
      String(decoding: value.canonical, as: UTF8.self)
        == "{\"\":5,\"B\":7,\"a\":6,\"aa\":4,\"b\":1,\"\u{FF5E}\":3,\"\u{1F600}\":2}")
  }

  @Test func `a value is equivalent to itself shuffled and never to one with a change`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let value = JSON.random(depth: 4, using: &generator)
      #expect(value.isEquivalent(to: value.shuffled(using: &generator)))
      #expect(!value.isEquivalent(to: [value]))
    }
  }
}

extension JSON {
  fileprivate func shuffled(using generator: inout SeededGenerator) -> JSON {
    switch self {
    case .array(let elements):
      return .array(elements.map { $0.shuffled(using: &generator) })
    case .object(let object) where object.duplicateKey == nil:
      let members = object.members.map { JSONObject.Member($0.key, $0.value.shuffled(using: &generator)) }
      return .object(JSONObject(members.shuffled(using: &generator)))
    default:
      return self
    }
  }
}
