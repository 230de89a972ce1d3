import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// A small launch in one line, so that a table shows trace and verdict side by side; every word comes a millisecond after
/// the one before.
///
/// - `m` is a mark, `m{3}` one with `v` 3;
/// - `a(` starts a call, `a1(` one with another body, `q:u:5(` one with the key u and the place 5;
/// - `a)200` answers it, `a)x` times out, `a)c` cancels;
/// - `+20` lets 20 ms more pass, and `.` at the end closes the trace;
/// - `!` before a word says that the rule is broken there, beyond repair and not before.
struct TraceScript {
  private(set) var trace: Trace
  /// The events of the word with `!`.
  private(set) var breaking: Range<Int>?

  init(_ script: String) {
    var builder = TraceBuilder()
    var open: [Substring: Int] = [:]
    var time: Int64 = 0
    var isClosed = false
    for word in script.split(separator: " ") {
      time += 1
      let first = builder.events.count
      let text = word.first == "!" ? word.dropFirst() : word
      if text == "." {
        isClosed = true
      } else if text.first == "+" {
        time += (Int64(text.dropFirst()) ?? 0) - 1
      } else if text.last == "(" {
        open[text.dropLast()] = Self.start(text.dropLast(), &builder, at: time)
      } else if let bracket = text.firstIndex(of: ")") {
        let call = open.removeValue(forKey: text[..<bracket]) ?? 0
        switch text[text.index(after: bracket)...] {
        case "x": builder.fail(call, .timeout, at: time)
        case "c": builder.fail(call, .cancelled, at: time)
        case let status: builder.answer(call, Int(status) ?? 0, at: time)
        }
      } else {
        Self.mark(text, &builder, at: time)
      }
      if word.first == "!" { breaking = first..<(text == "." ? first + 1 : builder.events.count) }
    }
    trace = builder.trace(isClosed: isClosed)
  }

  private static func start(_ word: Substring, _ builder: inout TraceBuilder, at time: Int64) -> Int {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let name = parts[0].prefix { $0.isLetter }
    var fields: Fields = [:]
    if parts.count > 1, !parts[1].isEmpty { fields["X-User"] = String(parts[1]) }
    let body = parts.count > 2 ? #"{"seq":\#(parts[2])}"# : String(parts[0].dropFirst(name.count))
    return builder.start("POST", "https://h.test/\(name)", body: body, fields: fields, at: time)
  }

  private static func mark(_ word: Substring, _ builder: inout TraceBuilder, at time: Int64) {
    let parts = word.split(separator: "{")
    let value = parts.count > 1 ? Int64(parts[1].dropLast()) : nil
    builder.mark(String(parts[0]), at: time, fields: Mark("", value.map { ["v": .integer($0)] } ?? [:]))
  }
}

/// What a rule says about a script.
struct FormRow: Sendable, CustomTestStringConvertible {
  var rule: String
  var script: String
  var verdict: String
  /// A part of what the report says.
  var evidence: String?

  init(_ rule: String, _ script: String, _ verdict: String, _ evidence: String? = nil) {
    self.rule = rule
    self.script = script
    self.verdict = verdict
    self.evidence = evidence
  }

  var testDescription: String { "\(rule): \(script)" }

  static let header = """
    contract "test" version 1
    mark m, n, p
    call a = POST https://h.test/a
    call b = POST https://h.test/b
    call c = POST https://h.test/c
    call q = POST https://h.test/q key header."X-User" order body.seq

    """

  /// Expects the verdict, and that the rule is known to be broken at the very event that breaks it.
  func check(_ location: SourceLocation = #_sourceLocation) throws {
    let script = TraceScript(script)
    var monitor = Monitor(try Contract(parsing: Self.header + rule + "\n", file: "test.contract"))
    var breaking: Int?
    for (index, event) in script.trace.events.enumerated() {
      if monitor.step(event), breaking == nil { breaking = index }
      let isBroken = monitor.finish()[0].verdict == .broken
      #expect(isBroken == (breaking != nil), "at event \(index)", sourceLocation: location)
    }
    let report = monitor.finish()[0]
    #expect(report.verdict.description == verdict, "\(report)", sourceLocation: location)
    #expect(
      breaking.map { script.breaking?.contains($0) ?? false } ?? (script.breaking == nil), sourceLocation: location)
    #expect(monitor.firstBroken == (breaking == nil ? nil : report), sourceLocation: location)
    #expect(report.witness.count <= 5, sourceLocation: location)
    #expect(report.witness.map(\.position) == report.witness.map(\.position).sorted(), sourceLocation: location)
    guard let evidence else { return }
    let said = ([report.distance, report.nearMiss, report.note] + report.witness.map(\.remark)).compactMap(\.self)
    #expect(said.contains { $0.contains(evidence) }, "\(said)", sourceLocation: location)
  }
}
