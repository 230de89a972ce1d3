import LaunchHTTP

/// What stands for a secret: as many bytes, of the same shape, a function of the secret's kind and number alone.
///
/// Every byte that any encoding would escape (punctuation, spaces, the length of a UTF-8 sequence) stays as it is, so that a
/// pseudonym is as long as its secret in every form. Letters come out in lower case; see `inCase(of:)`.
struct Pseudonym {
  private let value: [UInt8]
  private let shape: SecretShape
  private let seed: UInt64

  init(for value: [UInt8], kind: String, number: Int) {
    self.value = value
    shape = SecretShape(of: value)
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(kind) \(number)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    seed = hash
  }

  /// The choice with this number, for whoever finds the earlier ones taken.
  func choice(_ attempt: Int) -> [UInt8] {
    var numbers = Numbers(state: seed &+ UInt64(truncatingIfNeeded: attempt) << 32)
    switch shape {
    case .address: return address(&numbers)
    case .email(let at): return email(at: at, &numbers)
    case .hex(let hasLetters): return hex(hasLetters: hasLetters, &numbers)
    case .number: return replaced(where: \.isDigit, &numbers)
    case .text(let fixed): return text(fixed: fixed, &numbers)
    }
  }

  /// Digits and the letters a to f; what says the version and the variant of a UUID stays.
  private func hex(hasLetters: Bool, _ numbers: inout Numbers) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return value.indices.map { index in
      guard value[index].hexValue != nil, !(shape.isUUID(value) && (index == 14 || index == 19)) else {
        return value[index].lowercasedASCII
      }
      return digits[numbers.next(below: hasLetters ? 16 : 10)]
    }
  }

  /// From the ranges for documentation (RFC 5737), where one has such long addresses.
  private func address(_ numbers: inout Numbers) -> [UInt8] {
    func octet(_ range: ClosedRange<Int>) -> Int { range.lowerBound + numbers.next(below: range.count) }
    let text: String =
      switch value.count {
      case 7: "0.\(octet(0...9)).\(octet(0...9)).\(octet(1...9))"
      case 8: "10.\(octet(0...9)).\(octet(0...9)).\(octet(1...9))"
      case 9: "192.0.2.\(octet(1...9))"
      case 10: "192.0.2.\(octet(10...99))"
      case 11: "192.0.2.\(octet(100...254))"
      case 12: "203.0.113.\(octet(10...99))"
      case 13: "203.0.113.\(octet(100...254))"
      case 14: "198.51.100.\(octet(100...254))"
      default: "240.\(octet(100...255)).\(octet(100...255)).\(octet(100...254))"
      }
    return Array(text.utf8)
  }

  /// A name at `example.com`, or at a domain of the right length under `.test` (RFC 2606).
  private func email(at: Int, _ numbers: inout Numbers) -> [UInt8] {
    let name = value[..<at].map { replacement(for: $0, &numbers) }
    let count = value.count - at - 1
    let domain: [UInt8] =
      switch count {
      case 11: Array("example.com".utf8)
      case 7...: (0..<count - 5).map { _ in letter(&numbers) } + Array(".test".utf8)
      default: value[(at + 1)...].map { replacement(for: $0, &numbers) }
      }
    return name + [value[at]] + domain
  }

  private func text(fixed: Set<Int>, _ numbers: inout Numbers) -> [UInt8] {
    guard let text = String(validating: value, as: UTF8.self) else {
      return value.map { replacement(for: $0, &numbers) }
    }
    var result: [UInt8] = []
    result.reserveCapacity(value.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case _ where fixed.contains(result.count): result += Array(Character(scalar).utf8).map(\.lowercasedASCII)
      case ..<0x80: result.append(replacement(for: UInt8(truncatingIfNeeded: scalar.value), &numbers))
      case ..<0x800: append(0x3B1 + numbers.next(below: 16), to: &result)
      case ..<0x1_0000: append(0x4E00 + numbers.next(below: 0x2000), to: &result)
      default: append(0x1_F600 + numbers.next(below: 64), to: &result)
      }
    }
    return result
  }

  private func append(_ scalar: Int, to bytes: inout [UInt8]) {
    if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: scalar)) { bytes += Array(Character(scalar).utf8) }
  }

  private func replaced(where isReplaced: (UInt8) -> Bool, _ numbers: inout Numbers) -> [UInt8] {
    value.map { isReplaced($0) ? replacement(for: $0, &numbers) : $0.lowercasedASCII }
  }

  /// A letter for a letter, a digit for a digit. Never a zero for another digit: numbers must not begin with one.
  private func replacement(for byte: UInt8, _ numbers: inout Numbers) -> UInt8 {
    if byte.isLetter { return letter(&numbers) }
    if byte.isDigit { return UInt8(ascii: "1") + UInt8(numbers.next(below: 9)) }
    return byte
  }

  private func letter(_ numbers: inout Numbers) -> UInt8 { UInt8(ascii: "a") + UInt8(numbers.next(below: 26)) }
}

extension [UInt8] {
  /// This pseudonym with the letter case of `occurrence`: letter by letter, and where a letter stands for a digit as most
  /// letters there do.
  func inCase(of occurrence: some Collection<UInt8>) -> [UInt8] {
    let upper = occurrence.count { $0.isLetter && $0 != $0.lowercasedASCII }
    guard upper > 0 else { return self }
    let isMostlyUpper = 2 * upper > occurrence.count { $0.isLetter }
    return zip(self, occurrence).map { own, other in
      guard own.isLetter else { return own }
      return (other.isLetter ? other != other.lowercasedASCII : isMostlyUpper) ? own & ~0x20 : own
    }
  }
}

/// What a pseudonym has to keep.
private enum SecretShape {
  /// An IPv4 address.
  case address
  case email(at: Int)
  /// Hexadecimal digits, perhaps with `-` or `:` between them, as in a UUID.
  case hex(hasLetters: Bool)
  /// A number as JSON writes it.
  case number
  /// Anything else; these places stay.
  case text(fixed: Set<Int>)

  init(of value: [UInt8]) {
    if SecretText.isAddress(value) {
      self = .address
    } else if let at = value.firstIndex(of: UInt8(ascii: "@")),
      SecretText.email(in: value[...], at: at) == value.indices
    {
      self = .email(at: at)
    } else if SecretText.isHex(value) {
      self = .hex(hasLetters: value.contains(where: \.isLetter))
    } else if SecretText.isNumber(value) {
      self = .number
    } else {
      self = .text(fixed: SecretText.fixedPlaces(of: value))
    }
  }

  func isUUID(_ value: [UInt8]) -> Bool {
    value.count == 36 && [8, 13, 18, 23].allSatisfy { value[$0] == UInt8(ascii: "-") }
  }
}

/// SplitMix64.
private struct Numbers {
  var state: UInt64

  mutating func next(below count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(count))
  }
}
