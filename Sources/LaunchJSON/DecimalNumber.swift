/// The exact value of a JSON number, taken from its text: digits times a power of ten, no `Double`.
///
/// Time and memory grow with the length of the text, never with the size of the exponent.
struct DecimalNumber {
  private let isNegative: Bool
  /// Without zeros at either end; empty for zero.
  private let digits: ArraySlice<UInt8>
  private let exponent: String

  /// - Precondition: `text` is a number of RFC 8259 section 6.
  init(_ text: String) {
    precondition(JSON.isNumber(text), "\(text) is not a JSON number")
    let bytes = Array(text.utf8)
    let mantissa = bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let fraction = mantissa.drop { $0 != UInt8(ascii: ".") }.dropFirst()
    let significant = mantissa.filter(Self.isDigit).drop { $0 == Self.zero }
    let trailingZeros = significant.reversed().prefix { $0 == Self.zero }.count
    let written = bytes[mantissa.endIndex...].dropFirst()

    isNegative = bytes.first == UInt8(ascii: "-")
    digits = significant.dropLast(trailingZeros)
    exponent = Self.sum(
      written.drop { !Self.isDigit($0) || $0 == Self.zero }, isNegative: written.first == UInt8(ascii: "-"),
      Int64(trailingZeros - fraction.count))
  }

  /// The one text for all numbers of this value: `0`, a whole number of up to 21 digits in full, or the digits as a
  /// whole number with an exponent, such as `15e-1`.
  var canonical: [UInt8] {
    guard !digits.isEmpty else { return [Self.zero] }
    var result: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    result += digits
    if let zeros = Int(exponent), zeros >= 0, zeros <= 21 - digits.count {
      result.append(contentsOf: repeatElement(Self.zero, count: zeros))
    } else {
      result.append(UInt8(ascii: "e"))
      result += exponent.utf8
    }
    return result
  }

  /// The sum of an exponent, which may be too long for any integer type, and a number no larger than a text is long.
  private static func sum(_ magnitude: ArraySlice<UInt8>, isNegative: Bool, _ shift: Int64) -> String {
    let sign = isNegative ? "-" : ""
    if magnitude.count <= 18 {
      let exponent = Int64(sign + String(decoding: magnitude, as: UTF8.self)) ?? 0
      return String(exponent + shift)
    }
    // From 10^18 on the exponent is larger than any shift, so that its sign stays.
    var digits = Array(magnitude)
    var carry = isNegative ? -shift : shift
    for index in digits.indices.reversed() {
      carry += Int64(digits[index] - zero)
      let digit = (carry % 10 + 10) % 10
      digits[index] = zero + UInt8(digit)
      carry = (carry - digit) / 10
    }
    let carried = Array(String(carry).utf8) + digits
    return sign + String(decoding: carried.drop { $0 == zero }, as: UTF8.self)
  }

  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}

extension JSON {
  /// Whether `text` is a number of RFC 8259 section 6, and nothing else.
  static func isNumber(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var reader = JSONReader(bytes)
    return switch try? reader.next() {
    case .integer, .number: reader.tokenRange == bytes.indices
    default: false
    }
  }
}
