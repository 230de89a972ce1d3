import Foundation
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

@testable import LaunchContract

/// The language reference is right: each of its examples parses, is laid out canonically, and gets the verdicts beside it.
struct LanguageTests {
  struct Example: Sendable, CustomTestStringConvertible {
    /// The first is the contract that declares the names.
    var contract: String
    var launches: [String]
    var testDescription: String { String(contract.prefix { $0 != "\n" }) }
  }

  static let page: String = {
    let path = "../../../Sources/LaunchContract/LaunchContract.docc/Language.md"
    let url = URL(fileURLWithPath: #filePath).appendingPathComponent(path).standardized
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }()

  static let examples: [Example] = {
    var examples: [Example] = []
    var block: (kind: Substring, lines: [String])?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("```") else {
        block?.lines.append(String(line))
        continue
      }
      guard let (kind, lines) = block else {
        block = (line.dropFirst(3), [])
        continue
      }
      block = nil
      if kind == "contract" { examples.append(Example(contract: lines.joined(separator: "\n"), launches: [])) }
      if kind == "trace", let last = examples.indices.last { examples[last].launches += lines }
    }
    return examples
  }()

  private static let names: String = {
    let lines = examples.first?.contract.split(separator: "\n").map(String.init) ?? []
    return lines.filter { !$0.hasPrefix("[") && !$0.hasPrefix("exactly") }.joined(separator: "\n") + "\n"
  }()

  @Test func `the page shows every rule`() {
    let numbers = Self.page.split(separator: "\n").compactMap { line in
      line.hasPrefix("**") ? Int(line.dropFirst(2).prefix { $0 != "." }) : nil
    }
    #expect(numbers.sorted() == Array(1...25))
    #expect(Self.examples.count > 25)
  }

  @Test(arguments: examples)
  func `each example parses and is laid out as the formatter would`(example: Example) throws {
    let isWhole = example.contract.hasPrefix("contract")
    let text = isWhole ? example.contract + "\n" : Self.names + example.contract + "\n"
    _ = try Contract(parsing: text, file: "Language.md")
    let formatted = ContractFormatter.format(Array((example.contract + "\n").utf8))
    #expect(formatted.map { String(decoding: $0, as: UTF8.self) } == example.contract + "\n")
  }

  @Test(arguments: examples.filter { !$0.launches.isEmpty })
  func `each launch gets the verdict beside it`(example: Example) throws {
    let contract = try Contract(parsing: Self.names + example.contract, file: "Language.md")
    for launch in example.launches {
      var line = LaunchLine(launch)
      let (trace, verdict) = try line.read()
      let report = contract.reports(on: trace)[0]
      if report.note == "not written yet" { continue }
      #expect(Self.text(report.verdict) == verdict, "\(launch): \(report)")
    }
  }

  private static func text(_ verdict: Verdict) -> String {
    switch verdict {
    case .holds: "HOLDS"
    case .broken: "BROKEN"
    case .idle: "IDLE"
    case .unordered: "UNORDERED"
    case .open(.kept): "OPEN leaning kept"
    case .open(.broken): "OPEN leaning broken"
    }
  }

  @Test func `every word of the grammar is one the parser knows`() {
    let start = Self.page.range(of: "```ebnf")?.upperBound ?? Self.page.endIndex
    let quoted = Self.page[start...].split(separator: "\"", omittingEmptySubsequences: false)
    let words = quoted.enumerated().filter { $0.offset % 2 == 1 }.flatMap { $0.element.split(separator: " ") }
    let known = Vocabulary.keywords.union(["a", "calls", "calls:", "advice:", "optional:"])
    for word in words where word.first?.isLetter == true { #expect(known.contains(String(word)), "\(word)") }
    for phrase in RuleParser.phrases + Vocabulary.statements {
      let parts = phrase.split(separator: " ").map(String.init)
      #expect(parts.allSatisfy { part in words.contains { $0 == part || $0 == part + ":" } }, "\(phrase)")
    }
  }
}

/// A launch in one line: `att.answered {"status": 3} 0, tags 10..40 200 cut   OPEN leaning broken`.
private struct LaunchLine {
  struct Unreadable: Error { var line: String }

  private let line: String
  private var events: [(at: Int64, kind: Event.Kind)] = []
  private var calls = 0

  init(_ line: String) { self.line = line }

  private static let targets = [
    "session": ("POST", "https://analytics.adjust.com/session"), "config": ("GET", "https://api.example.com/config"),
    "tags": ("PATCH", "https://api.onesignal.com/apps/1/users/by/onesignal_id/2"),
    "offer": ("GET", "https://api.adapty.io/api/v1/paywall/variations/3"),
    "change": ("POST", "https://api.example.com/changes"),
  ]

  mutating func read() throws -> (Trace, verdict: String) {
    let verdicts = ["HOLDS", "BROKEN", "IDLE", "UNORDERED", "OPEN leaning kept", "OPEN leaning broken"]
    guard let verdict = verdicts.first(where: { line.hasSuffix($0) }) else { throw Unreadable(line: line) }
    var text = line.dropLast(verdict.count).trimmingSuffix { $0 == " " }
    let isCut = text.hasSuffix(" cut")
    if isCut { text = text.dropLast(4) }
    for item in Self.items(text) { try read(item) }
    var sorted = events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map {
      Event(at: Instant(microseconds: $0.element.at * 1000), $0.element.kind)
    }
    if !isCut { sorted.append(Event(at: sorted.last?.at ?? .zero, .closed(Closing(events: sorted.count)))) }
    return (Trace(name: "example", events: sorted), verdict)
  }

  /// What commas outside braces part.
  private static func items(_ text: Substring) -> [String] {
    var (items, depth) = ([""], 0)
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == ",", depth == 0 { items.append("") } else { items[items.count - 1].append(character) }
    }
    return items
  }

  /// `NAME [{JSON}|?QUERY] AT` or `NAME [{JSON}|?QUERY] FROM..[TO STATUS [{JSON}]]`.
  private mutating func read(_ item: String) throws {
    var rest = item.drop { $0 == " " }
    func word() -> String {
      let isObject = rest.hasPrefix("{")
      let end = isObject ? rest.firstIndex(of: "}").map { rest.index(after: $0) } : rest.firstIndex(of: " ")
      let word = String(rest[..<(end ?? rest.endIndex)])
      rest = rest[(end ?? rest.endIndex)...].drop { $0 == " " }
      return word
    }
    let name = word()
    var payload = ""
    if rest.hasPrefix("{") || rest.hasPrefix("?") { payload = word() }
    let times = word().split(separator: ".").compactMap { Int64($0) }
    guard let start = times.first else { throw Unreadable(line: item) }
    guard let (method, url) = Self.targets[name] else {
      let fields = payload.isEmpty ? nil : try JSON(parsing: payload).object
      events.append((start, .mark(Mark(name == "att.answered" ? "ATT answered" : name, fields ?? [:]))))
      return
    }
    calls += 1
    let isQuery = payload.hasPrefix("?")
    let body = payload.isEmpty && name == "tags" ? "{\"tags\": {\"plan\": 1}}" : isQuery ? "" : payload
    let location = try Location(parsing: isQuery ? url + payload : url)
    events.append(
      (start, .call(calls, .request(Request(method: method, location: location, body: Array(body.utf8)), from: nil))))
    guard times.count == 2, let status = Int(word()) else { return }
    events.append((times[1], .call(calls, .response(ResponseHead(status: status)))))
    events.append((times[1], .call(calls, .end(Content(Body(Array(rest.utf8)))))))
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while test: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !test($0) }) else { return "" }
    return self[...last]
  }
}
