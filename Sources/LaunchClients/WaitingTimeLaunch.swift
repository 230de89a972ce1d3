/// The lines of one launch, held to the vocabulary as they come and to the counts and the order at the end.
struct WaitingTimeLaunch {
  private typealias Line = WaitingTimeSourceLine
  private typealias Finding = WaitingTimeCheck.Finding

  /// Those with an entry of the vocabulary.
  private var entries: [(entry: WaitingTimeEntry, line: WaitingTimeSourceLine)] = []
  private var last: WaitingTimeSourceLine?
  /// The last time that was printed, and by which entry.
  private var clock: (entry: WaitingTimeEntry, milliseconds: Int)?

  var isEmpty: Bool { last == nil }

  /// Takes the next line and says what is wrong with it alone, and beside the one above.
  mutating func take(
    _ line: WaitingTimeSourceLine, nearest: (String) -> String?
  ) -> [WaitingTimeCheck.Finding] {
    var findings: [Finding] = []
    if isEmpty, line.parsed != .start {
      findings.append(
        line.finding(
          .beginning, .error,
          "the log of a launch begins with '[waitingTime] start counting'; is its beginning cut off?"))
    }
    last = line
    let text = line.text.trimmingBlanks
    let name = line.parsed?.name ?? text
    guard let entry = WaitingTimeEntry(rawValue: name) ?? WaitingTimeEntry(rawValue: name.withoutTime) else {
      return findings + [Self.unknown(text, line, nearest: nearest)]
    }
    entries.append((entry, line))
    guard name == entry.rawValue, line.parsed?.kind == entry.kind else {
      return findings + [line.finding(.format, .error, "'\(entry.rawValue)' is written '\(entry.example)'")]
    }
    if let milliseconds = line.parsed?.milliseconds {
      findings += fall(to: milliseconds, entry, line)
      clock = (entry, milliseconds)
    }
    return findings
  }

  /// What is wrong with the launch as a whole.
  func finish() -> [WaitingTimeCheck.Finding] { counts() + exclusions() + order() + missing() }

  /// A time below that of the line above. Tasks that run at once read the clock and print in two steps, so a little of
  /// it is usual between them, and none within one.
  private func fall(to milliseconds: Int, _ entry: WaitingTimeEntry, _ line: Line) -> [Finding] {
    guard let clock, milliseconds < clock.milliseconds else { return [] }
    let isOrdered = entry.allPresupposed.contains { $0.contains(clock.entry) }
    let tolerance = Int(clamping: WaitingTimeImport.resolution.wholeMilliseconds)
    guard isOrdered || clock.milliseconds - milliseconds > tolerance else { return [] }
    return [
      line.finding(
        .times, .warning,
        "the time falls from \(clock.milliseconds) ms to \(milliseconds) ms; the log reads the wall clock, was it set?")
    ]
  }

  private func counts() -> [Finding] {
    var lines: [WaitingTimeEntry: [Line]] = [:]
    var findings: [Finding] = []
    for (entry, line) in entries {
      let earlier = lines[entry, default: []]
      if let first = earlier.first, earlier.count >= entry.limit {
        let limit = entry.limit == 1 ? "once" : "\(entry.limit) times"
        findings.append(
          line.finding(
            .count, .error,
            "'\(entry.rawValue)' is printed at most \(limit) a launch, and stands on line \(first.number)"))
      }
      lines[entry] = earlier + (earlier.count < entry.limit ? [line] : [])
    }
    return findings
  }

  /// m15 and m16; m7 and an m6 behind the beginning of the wait, which it releases.
  private func exclusions() -> [Finding] {
    let wait = index(of: [.waitingForUser]) ?? .max
    let pairs = [
      (index(of: [.adid]), index(of: [.adidEmpty])),
      (
        entries.indices.first { entries[$0].entry == .userFetched && $0 > wait },
        index(of: [.userTimeout])
      ),
    ]
    return pairs.compactMap { left, right in
      guard let left, let right else { return nil }
      let first = entries[min(left, right)], second = entries[max(left, right)]
      return second.line.finding(
        .exclusion, .error,
        "'\(second.entry.rawValue)' and '\(first.entry.rawValue)' (line \(first.line.number)) exclude each other: "
          + "a launch prints one of them")
    }
  }

  /// What stands behind the line that presupposes it.
  private func order() -> [Finding] {
    firsts.compactMap { index, entry in
      let late = entry.presupposed.filter { group in self.index(of: group).map { $0 > index } ?? false }
      guard !late.isEmpty else { return nil }
      let names = late.compactMap { group in
        self.index(of: group).map { "'\(entries[$0].entry.rawValue)' (line \(entries[$0].line.number))" }
      }
      return entries[index].line.finding(
        .order, .error, "'\(entry.rawValue)' stands before \(names.joined(separator: " and ")), and can only come after"
      )
    }
  }

  /// What stands nowhere: presupposed by a line, or left out at the end.
  private func missing() -> [Finding] {
    guard let last else { return [] }
    var absent = WaitingTimeEntry.required.filter { index(of: $0) == nil }
    var findings: [Finding] = []
    for (index, entry) in firsts {
      let presupposed = entry.allPresupposed
      let needed = absent.filter(presupposed.contains)
      guard !needed.isEmpty else { continue }
      absent.removeAll(where: needed.contains)
      findings.append(
        entries[index].line.finding(
          .order, .error,
          "'\(entry.rawValue)' needs \(Self.list(needed)) before it, and \(needed.count == 1 ? "that stands" : "they stand") "
            + "nowhere in this launch"))
    }
    if !absent.isEmpty {
      findings.append(
        last.finding(
          .completeness, .warning, "the launch ends here without \(Self.list(absent)); was it killed, or the log cut?"))
    }
    return findings
  }

  /// Each entry once, where it stands first.
  private var firsts: [(index: Int, entry: WaitingTimeEntry)] {
    var seen: Set<WaitingTimeEntry> = []
    return entries.indices.compactMap { seen.insert(entries[$0].entry).inserted ? ($0, entries[$0].entry) : nil }
  }

  /// Where the first entry of a group stands.
  private func index(of group: [WaitingTimeEntry]) -> Int? {
    entries.firstIndex { group.contains($0.entry) }
  }

  private static func list(_ groups: [[WaitingTimeEntry]]) -> String {
    groups.map { $0.map { "'\($0.rawValue)'" }.joined(separator: " or ") }.joined(separator: ", ")
  }

  private static func unknown(_ text: String, _ line: Line, nearest: (String) -> String?) -> Finding {
    if text.isEmpty { return line.finding(.vocabulary, .error, "nothing stands behind '[waitingTime]'") }
    let stem = text.withoutTime
    let shown = stem.count > 80 ? stem.prefix(60) + "…" : stem[...]
    let hint = nearest(stem).map { "; did you mean '\($0)'?" } ?? "; nothing else may carry the prefix"
    return line.finding(.vocabulary, .error, "'\(shown)' is no text of this log\(hint)")
  }
}

extension WaitingTimeEntry {
  /// A line as the log has it.
  fileprivate var example: String {
    switch kind {
    case .start: WaitingTimeLine.start.description
    case .mark: WaitingTimeLine.mark(rawValue, milliseconds: 120).description
    case .ready: WaitingTimeLine.ready(rawValue, milliseconds: 120).description
    case .note: WaitingTimeLine.note(rawValue).description
    }
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  /// Without what looks like a time at the end, however it is written: ` 12 ms`, `: 12 milliseconds`.
  fileprivate var withoutTime: String {
    var rest = self[...]
    for unit in ["milliseconds", "ms", "s"] where rest.hasSuffix(unit) {
      let number = String(rest.dropLast(unit.count)).trimmingBlanks
      guard number.last?.isNumber == true else { continue }
      rest = number[...]
      break
    }
    while let last = rest.last, last.isNumber || last == "." || last == "-" { rest = rest.dropLast() }
    while let last = rest.last, last == ":" || last == " " { rest = rest.dropLast() }
    return rest.isEmpty ? self : String(rest)
  }
}
