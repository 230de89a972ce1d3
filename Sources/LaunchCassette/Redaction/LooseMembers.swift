import LaunchHTTP

extension JSONRules {
  /// What the rules say of members in a text that is no JSON, or no longer: broken, damaged, or around something else.
  ///
  /// A member is a short string, a colon, and a string, a number or a container; its key alone counts, whatever stands around
  /// it. Any quote may begin a key, since of damaged text nobody knows which ones do.
  func looseFindings(in text: [UInt8], from start: Int = 0) -> [JSONFinding] {
    var scan = LooseMembers(rules: self, text: text)
    scan.run(from: start)
    return scan.findings
  }
}

private struct LooseMembers {
  let rules: JSONRules
  let text: [UInt8]
  private(set) var findings: [JSONFinding] = []

  init(rules: JSONRules, text: [UInt8]) {
    self.rules = rules
    self.text = text
  }

  /// No rule has a longer key.
  private static let longestKey = 256

  mutating func run(from start: Int) {
    var place = start
    while let quote = text.firstPlace(of: UInt8(ascii: "\""), in: place..<text.count) {
      place = quote + 1
      let limit = min(text.count, place + Self.longestKey)
      guard let key = string(at: quote, to: limit), key.isClosed, let colon = next(from: key.end),
        text[colon] == UInt8(ascii: ":"), let value = next(from: colon + 1),
        let instruction = rules.action(atAnyPlaceFor: text.name(at: key.range))
      else { continue }
      place = take(at: value, instruction)
    }
  }

  /// - Returns: Where the value ends.
  private mutating func take(at start: Int, _ instruction: JSONRules.Instruction) -> Int {
    switch text[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return takeContainer(at: start, instruction)
    case let byte where byte == UInt8(ascii: "\"") || byte.beginsNumber: return takeValue(at: start, instruction)
    default: return start
    }
  }

  private mutating func takeContainer(at start: Int, _ instruction: JSONRules.Instruction) -> Int {
    var depth = 0
    var index = start
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      case let byte where byte == UInt8(ascii: "\"") || byte.beginsNumber:
        if let key = string(at: index, to: text.count), let colon = next(from: key.end),
          text[colon] == UInt8(ascii: ":")
        {
          index = key.end
        } else {
          index = takeValue(at: index, instruction)
        }
        continue
      default: break
      }
      index += 1
    }
    return index
  }

  private mutating func takeValue(at start: Int, _ instruction: JSONRules.Instruction) -> Int {
    if let string = string(at: start, to: text.count) {
      if !string.range.isEmpty, instruction.fits(text[string.range]) {
        findings.append(JSONFinding(range: string.range, isString: true, work: .act(instruction)))
      }
      return string.end
    }
    let end = text[start...].firstIndex { !$0.isDigit && !".eE+-".utf8.contains($0) } ?? text.count
    if instruction.fits(text[start..<end]) {
      findings.append(JSONFinding(range: start..<end, isString: false, work: .act(instruction)))
    }
    return end
  }

  /// The string whose quote stands here; one without an end goes to `limit`.
  private func string(at quote: Int, to limit: Int) -> (range: Range<Int>, end: Int, isClosed: Bool)? {
    guard text[quote] == UInt8(ascii: "\"") else { return nil }
    let end = text.endOfString(from: quote + 1, to: limit)
    let isClosed = end > quote + 1 && text[end - 1] == UInt8(ascii: "\"")
    return (quote + 1..<(isClosed ? end - 1 : end), end, isClosed)
  }

  private func next(from start: Int) -> Int? {
    guard start < text.count else { return nil }
    return text[start...].prefix(Self.longestKey).firstIndex { $0 > UInt8(ascii: " ") }
  }
}

extension UInt8 {
  fileprivate var beginsNumber: Bool { isDigit || self == UInt8(ascii: "-") }
}
