public import LaunchDiagnostics

extension FaultScript {
  /// Reads a script.
  /// - Parameter file: What diagnostics call it.
  /// - Throws: `DiagnosticsError` with everything that is wrong, in the order of the lines.
  public init(parsing text: String, file: String) throws(DiagnosticsError) {
    var steps: [Step] = []
    var diagnostics: [Diagnostic] = []
    // CR LF is one character.
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var parser = FaultLine(String(index == 0 ? line.drop { $0 == "\u{FEFF}" } : line))
      do throws(FaultLine.Mistake) {
        if let step = try parser.step() { steps.append(step) }
      } catch {
        diagnostics.append(
          Diagnostic(
            file: file, line: index + 1, column: error.column, severity: .error, message: error.message,
            sourceLine: parser.line))
      }
    }
    guard diagnostics.isEmpty else { throw DiagnosticsError(diagnostics) }
    self.init(steps)
  }
}

/// One line of a script, read from left to right.
private struct FaultLine {
  struct Mistake: Error {
    var column: Int
    var message: String
  }

  let line: String
  private let words: [(text: String, column: Int)]
  private var next = 0

  init(_ line: String) {
    self.line = line
    words = Self.words(of: line)
  }

  /// Colons and commas are words of their own; a number and what follows it are two.
  private static func words(of line: String) -> [(text: String, column: Int)] {
    var words: [(text: String, column: Int)] = []
    var goesOn = false
    for (index, character) in line.enumerated() {
      if character == "#" { break }
      if character.isWhitespace {
        goesOn = false
      } else if character == ":" || character == "," {
        words.append((String(character), index + 1))
        goesOn = false
      } else if goesOn, let last = words.last?.text.last, !(isDigit(last) && !isDigit(character) && character != ".") {
        words[words.count - 1].text.append(character)
      } else {
        words.append((String(character), index + 1))
        goesOn = true
      }
    }
    return words
  }

  /// Nil for an empty line.
  mutating func step() throws(Mistake) -> FaultScript.Step? {
    guard !words.isEmpty else { return nil }
    try expect("at", "a line is \"at call NAME: FAULT, TIMES\"")
    try expect("call", "a line is \"at call NAME: FAULT, TIMES\"")
    var targets = [try target()]
    while take(",") { targets.append(try target()) }
    try expect(":", "behind the call stands a colon, then what happens")
    let fault = try fault()
    let times = take(",") ? try times() : nil
    guard next == words.count else { throw mistake("nothing belongs behind this line's end; a count follows a comma") }
    return FaultScript.Step(targets, fault, times: times)
  }

  private mutating func target() throws(Mistake) -> FaultScript.Target {
    let place = next
    let name = try word("the name of a call is missing")
    guard let target = FaultScript.Target(named: name) else {
      next = place
      let near = Suggestion.nearest(to: name, in: FaultScript.Target.names)
      let hint = near.map { "did you mean \($0)?" } ?? "there is \(FaultScript.Target.names.joined(separator: ", "))"
      throw mistake("no call is named \(name); \(hint)")
    }
    return target
  }

  private mutating func fault() throws(Mistake) -> Fault {
    let place = next
    switch try word("what happens is missing: a status, or one of \(Self.kinds)") {
    case "pass": return .pass
    case "drop": return .drop
    case "reset": return .reset
    case "hang": return .hang
    case "wait": return .wait(.microseconds(try amount(in: ["ms": 1000, "s": 1_000_000, "min": 60_000_000])))
    case "slow":
      let rate = try amount(in: ["B/s": 1, "KB/s": 1000, "MB/s": 1_000_000])
      guard rate > 0 else { throw mistake("a rate is at least 1 B/s; hang never answers", at: next - 2) }
      return .slow(bytesPerSecond: rate)
    case let text:
      guard let status = Int(text) else {
        next = place
        throw mistake("\(text) is nothing that can happen; there is a status, and \(Self.kinds)")
      }
      guard 200...599 ~= status else { throw mistake("a status is from 200 to 599", at: place) }
      guard take("retry-after") else { return .status(status) }
      let seconds = next
      guard let delay = Int(try word("behind retry-after stand whole seconds")), 0...86_400 ~= delay else {
        throw mistake("behind retry-after stand whole seconds, 86400 at most", at: seconds)
      }
      _ = take("s")
      return .status(status, retryAfter: delay)
    }
  }

  private static let kinds = "wait 9 s, slow 8 KB/s, drop, reset, hang, pass"

  /// A number and one of `units`, in whole ones of the smallest.
  private mutating func amount(in units: KeyValuePairs<String, Int>) throws(Mistake) -> Int {
    let place = next
    let names = units.map(\.key).joined(separator: ", ")
    let number = Double(try word("a number and a unit are missing; units: \(names)"))
    guard let number, number.isFinite, 0...1_000_000 ~= number else {
      throw mistake("a number from 0 to 1000000 belongs here", at: place)
    }
    let unit = next
    let name = try word("the unit is missing; there is \(names)")
    guard let factor = units.first(where: { $0.key == name })?.value else {
      throw mistake("\(name) is no unit; there is \(names)", at: unit)
    }
    return Int((number * Double(factor)).rounded())
  }

  private mutating func times() throws(Mistake) -> Int? {
    let place = next
    switch try word("a count is missing: once, twice, 3 times, always") {
    case "once": return 1
    case "twice": return 2
    case "always": return nil
    case let text:
      guard let count = Int(text), 1...1_000_000 ~= count, take("times") || take("time") else {
        throw mistake("a count is once, twice, 3 times or always", at: place)
      }
      return count
    }
  }

  private mutating func word(_ missing: String) throws(Mistake) -> String {
    guard next < words.count, ![":", ","].contains(words[next].text) else { throw mistake(missing) }
    next += 1
    return words[next - 1].text
  }

  private mutating func take(_ text: String) -> Bool {
    guard next < words.count, words[next].text == text else { return false }
    next += 1
    return true
  }

  private mutating func expect(_ text: String, _ message: String) throws(Mistake) {
    guard take(text) else { throw mistake(message) }
  }

  /// At the word number `index`, or behind the last one.
  private func mistake(_ message: String, at index: Int? = nil) -> Mistake {
    let index = index ?? next
    let end = (words.last?.column ?? 1) + (words.last?.text.count ?? 0)
    return Mistake(column: words.indices.contains(index) ? words[index].column : end, message: message)
  }
}

private func isDigit(_ character: Character) -> Bool { "0"..."9" ~= character }
