import LaunchJSON
import Testing

@testable import LaunchContract

/// What the tests behind a field accept.
struct ConditionTests {
  private static func test(_ text: String) throws -> Condition {
    let contract = try Contract(parsing: "contract \"x\" version 1\nmark m\nm has mark.x \(text)", file: "f")
    guard case .field(_, let condition) = contract.rules[0].form else {
      throw Mistake(column: 1, message: "no condition")
    }
    return condition
  }

  static let cases: [(test: String, passes: [JSON], fails: [JSON])] = [
    ("exists", [.null, 0], []),
    ("not exists", [], [.null, 0, "x"]),
    ("= 3", [3, "3", .number("3.0"), .number("30e-1")], [4, "3.0", .bool(true), .null, .array([3])]),
    ("= true", [.bool(true), "true"], [.bool(false), 1]),
    ("!= 3", [4, "x", .null], [3, "3"]),
    ("in {3, x, \"y z\"}", [3, "3", "x", "y z"], [4, "y"]),
    ("matches \"4*\"", ["4", "404", 404], ["x4", 504, .array([]), .object([:])]),
    ("matches \"*b*c\"", ["bc", "abxc", "abcbc"], ["b", "acb", "c"]),
    ("matches \"a*a\"", ["aa", "aba"], ["a"]),
    ("matches \"a**a\"", ["aa", "aba"], ["a", "ab"]),
    ("< 5", [4, "4.99", .number("-1e999"), 0], [5, 6, "x", .bool(true), "", .null, " 4"]),
    ("<= 5", [5, "5.0", -7], [.number("5.0000001")]),
    ("> -1.5", [-1, 0, "1e3"], [-2, .number("-1.5"), "-1.50"]),
    (">= 1000", [1000, 1001, .number("1e3"), .number("123456789012345678901234567890")], [999, .number("999.999")]),
    ("> 0", [1, .number("1e-30")], [0, .number("-0"), .number("-1e-30")]),
  ]

  @Test(arguments: cases)
  func `a test accepts what it says`(test: String, passes: [JSON], fails: [JSON]) throws {
    let condition = try Self.test(test)
    #expect(condition.test.text == test)
    for value in passes { #expect(condition.holds(for: [value]), "\(test) \(value)") }
    for value in fails { #expect(!condition.holds(for: [value]), "\(test) \(value)") }
    #expect(condition.holds(for: []) == (test.hasPrefix("!=") || test == "not exists"))
  }

  static let pairs: [(String, String, Bool)] = [
    ("= 3", "= 4", true), ("= 3", "= 3", false), ("= 3", "!= 3", true), ("!= 3", "= 3", true), ("= 3", "< 3", true),
    ("= 3", "<= 3", false), ("in {1, 2}", "> 2", true), ("in {1, 2}", ">= 2", false), ("= x", "matches \"y*\"", true),
    ("= x", "< 3", true), ("< 3", "> 3", true), ("<= 3", ">= 3", false), ("<= 3", "> 3", true), ("< 4", "> 3", false),
    ("> 3", "> 5", false), ("exists", "!= 3", false), ("= true", "exists", false),
    ("not exists", "exists", true), ("not exists", "= 3", true), ("not exists", "< 3", true),
    ("not exists", "in {3}", true),
    ("not exists", "!= 3", false), ("not exists", "not exists", false),
  ]

  @Test(arguments: pairs)
  func `tests that exclude each other are found`(first: String, second: String, isExcluded: Bool) throws {
    let (left, right) = (try Self.test(first), try Self.test(second))
    #expect(left.excludes(right) == isExcluded)
    #expect(right.excludes(left) == isExcluded)
  }
}
