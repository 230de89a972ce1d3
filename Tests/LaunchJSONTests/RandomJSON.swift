import LaunchJSON
import TestSupport

extension JSON {
  /// A value of every kind, biased to the edges: limits of integers, odd numbers, escapes, long and empty strings.
  static func random(depth: Int, using generator: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2:
      return .integer(
        [0, -1, .max, .min, .random(in: .min ... .max, using: &generator)].randomElement(using: &generator)!)
    case 3: return .number(randomNumber(using: &generator))
    case 4, 5: return .string(randomString(using: &generator))
    case 6, 7:
      let count = Int.random(in: 0...5, using: &generator)
      return .array((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
    default:
      let count = Int.random(in: 0...5, using: &generator)
      return .object(
        JSONObject(
          (0..<count).map { _ in (randomString(using: &generator), random(depth: depth - 1, using: &generator)) }))
    }
  }

  private static func randomNumber(using generator: inout SeededGenerator) -> String {
    let sign = Bool.random(using: &generator) ? "-" : ""
    let digits = String(
      UInt64.random(in: 0 ... .max, using: &generator) >> UInt64.random(in: 0..<64, using: &generator))
    let fraction = Bool.random(using: &generator) ? ".\(Int.random(in: 0...999, using: &generator))00" : ""
    let exponent = ["e", "E", "e+", "e-", "E-0"].randomElement(using: &generator)!
    return sign + digits + fraction + exponent + String(Int.random(in: 0...400, using: &generator))
  }

  private static func randomString(using generator: inout SeededGenerator) -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "z", "0", " ", "/", "\"", "\\", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "\u{301}", "€", "\u{FFFF}", "😀",
    ]
    let usesPlainOnly = Bool.random(using: &generator)
    var string = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...24, using: &generator) {
      string.append(
        usesPlainOnly
          ? alphabet.prefix(5).randomElement(using: &generator)! : alphabet.randomElement(using: &generator)!)
    }
    return String(string)
  }
}
