import LaunchJSON

/// A value as a contract writes it. A number equals its text form, so `3` fits the form field `3` and the JSON `3`.
struct Literal: Hashable, Sendable {
  let text: String
  private let number: JSON?

  init(_ text: String) {
    self.text = text
    number = JSON.number(spelt: text)
  }

  var isNumber: Bool { number != nil }

  /// In quotes where it would not be one word.
  var written: String {
    let isWord = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [0x2D, 0x2E, 0x5F].contains(byte)
    }
    return isWord && !text.isEmpty ? text : text.quoted
  }

  func equals(_ value: JSON) -> Bool {
    switch value {
    case .string(let string): string == text
    case .bool(let flag): text == (flag ? "true" : "false")
    case .null: text == "null"
    case .integer, .number: number?.isEquivalent(to: value) ?? false
    case .array, .object: false
    }
  }

  /// The JSON values that equal it.
  var spellings: [JSON] {
    let words: [String: JSON] = ["true": .bool(true), "false": .bool(false), "null": .null]
    return [.string(text)] + [number, words[text]].compactMap { $0 }
  }

  /// Whether a number stands so to this one, and so to the other.
  func meets(_ comparison: Condition.Comparison, _ other: Literal, _ second: Condition.Comparison) -> Bool {
    guard let left = number, let right = other.number else { return true }
    // Two bounds of one kind always leave room; others do if each lies on the right side of the other.
    return comparison.isUpper == second.isUpper || holds(right, comparison) && other.holds(left, second)
  }

  /// Whether `value`, a number or the text of one, stands so to this number.
  func holds(_ value: JSON, _ comparison: Condition.Comparison) -> Bool {
    guard let left = Decimal(value), let right = number.flatMap(Decimal.init) else { return false }
    return switch comparison {
    case .less: left < right
    case .atMost: !(right < left)
    case .greater: right < left
    case .atLeast: !(left < right)
    }
  }
}

extension JSON {
  /// The number that a text spells, and nothing around it.
  fileprivate static func number(spelt text: String) -> JSON? {
    guard text.utf8.first.map({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) ?? false,
      case let json = try? JSON(parsing: text), text.utf8.last.map({ $0 > 0x20 }) ?? false
    else { return nil }
    return switch json {
    case .integer, .number: json
    default: nil
    }
  }
}

/// A decimal number that can be compared exactly.
private struct Decimal {
  private var isNegative = false
  /// Without zeros in front; empty for zero.
  private var digits: Substring.UTF8View
  /// How many digits stand before the decimal point: negative for a small fraction.
  private var magnitude: Int

  init?(_ json: JSON) {
    let number: JSON
    switch json {
    case .integer, .number: number = json
    case .string(let text):
      guard let spelt = JSON.number(spelt: text) else { return nil }
      number = spelt
    default: return nil
    }
    // Digits without zeros at the end of an exponent form: `0`, `-1500`, `15e-1`.
    var text = String(decoding: number.canonical, as: UTF8.self)[...]
    if text.hasPrefix("-") {
      isNegative = true
      text = text.dropFirst()
    }
    let mantissa = text.prefix { $0 != "e" }
    let exponent = text.dropFirst(mantissa.count + 1)
    digits = mantissa == "0" ? ""[...].utf8 : mantissa.utf8
    let most = 1 << 60
    let power = exponent.isEmpty ? 0 : Int(exponent) ?? (exponent.hasPrefix("-") ? -most : most)
    magnitude = digits.count + min(max(power, -most), most)
  }

  static func < (left: Decimal, right: Decimal) -> Bool {
    if left.digits.isEmpty { return !right.digits.isEmpty && !right.isNegative }
    if right.digits.isEmpty { return left.isNegative }
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? isSmaller(right, left) : isSmaller(left, right)
  }

  /// By absolute value.
  private static func isSmaller(_ left: Decimal, _ right: Decimal) -> Bool {
    if left.magnitude != right.magnitude { return left.magnitude < right.magnitude }
    return left.digits.lexicographicallyPrecedes(right.digits)
  }
}
