import Foundation
import TestSupport
import Testing

@testable import LaunchContract

/// Damaged contracts give diagnostics, never a crash, and never a contract that silently checks less.
struct MutationTests {
  @Test(arguments: EveryForm.all)
  func `the contracts that are damaged here are sound`(name: String, text: String) throws {
    let contract = try Contract(parsing: text, file: name)
    #expect(contract.warnings.isEmpty, "\(contract.warnings)")
    #expect(contract.rules.count > 10)
  }

  @Test(arguments: EveryForm.all)
  func `a contract cut at any byte is diagnosed or still a contract`(name: String, text: String) {
    for unit in Unit.all(in: text) {
      // A comment is free text, wherever it ends.
      let code = unit.lines.map { line in name == "every form" ? line : line.components(separatedBy: " # ")[0] }
      let bytes = Array(code.joined(separator: "\n").utf8)
      // Shipped contracts say things that the other one says, too.
      let step = name == "every form" ? 1 : 9
      for end in stride(from: unit.context.count % step, to: bytes.count, by: step) {
        _ = outcome(unit.context + bytes[..<end])
      }
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for end in lines.indices { _ = outcome(Array(lines[..<end].joined(separator: "\n").utf8)) }
  }

  @Test func `a contract with every other byte changed is diagnosed or still a contract`() {
    let replacements: [UInt8] = [0, 0x20, 0x22, 0x0A, 0x7B, 0x5B, 0x28, 0xFF, 0xE2]
    for unit in Unit.all(in: EveryForm.text) {
      var bytes = Array(unit.lines.joined(separator: "\n").utf8)
      for index in stride(from: 0, to: bytes.count, by: 2) {
        let original = bytes[index]
        bytes[index] = replacements[index / 2 % replacements.count]
        _ = outcome(unit.context + bytes)
        bytes[index] = original
      }
    }
  }

  /// Each token deleted, doubled, or replaced by a name, a keyword, a number, a symbol, and what is none of them: in every
  /// way in the contract of all forms, in some way in the shipped ones, of which no two neighbours share one.
  @Test(arguments: EveryForm.all)
  func `a contract with any token damaged is diagnosed or means something else`(name: String, text: String) {
    var tokens = 0
    for unit in Unit.all(in: text) {
      guard case .meaning(let sound) = outcome(unit.context + Array(unit.lines.joined(separator: "\n").utf8)) else {
        Issue.record("\(unit.lines) has a mistake")
        continue
      }
      let damaged = name == "every form" ? unit.damaged : unit.sample(from: tokens)
      tokens += unit.tokenCount
      for (damage, lines) in damaged {
        guard case .meaning(let meaning) = outcome(unit.context + Array(lines.joined(separator: "\n").utf8)) else {
          continue
        }
        // A replacement may be another way to say the same; what is left out or said twice must not go unnoticed.
        if meaning == sound, damage != .replaced, !Self.synonyms.contains(where: lines.joined().contains) {
          Issue.record("\(damage) without a notice: \(lines)")
        }
      }
    }
  }

  /// What remains of a sentence that says the usual meaning at length.
  private static let synonyms: [String] = []

  @Test func `random bytes never trap`() {
    var generator = SeededGenerator(seed: 4)
    let alphabet =
      Array("contract mark call no only after within when = \"{}[]()*#,.:%<>\n\t ±5ms/:".utf8) + [0, 0xFF, 0xC3]
    for _ in 0..<400 {
      let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      _ = outcome(bytes)
      _ = outcome(Array("contract \"x\" version 1\nmark a\nno a\n".utf8) + bytes)
    }
  }
}

extension MutationTests {
  private enum Outcome: Equatable {
    case diagnosed
    case meaning([String])
  }

  private func outcome(_ bytes: [UInt8]) -> Outcome {
    do throws(ContractError) {
      let contract = try Contract(parsing: bytes, file: "f")
      let isDoubtful = contract.warnings.contains { !$0.message.hasPrefix("no rule uses") }
      return isDoubtful ? .diagnosed : .meaning(contract.meaning)
    } catch {
      let isPlaced = error.diagnostics.allSatisfy { $0.line >= 1 && $0.column >= 1 }
      if error.diagnostics.isEmpty || !isPlaced { Issue.record("\(error.diagnostics)") }
      return .diagnosed
    }
  }
}

extension Contract {
  /// What the contract says, however it is laid out.
  var meaning: [String] {
    let declarations = names.declared.map { number in
      let declaration = names[number]
      return "\(declaration.name) \(declaration.meaning) \(declaration.key as Any) \(declaration.order as Any)"
    }
    let rules = rules.map { rule in
      "\(rule.name ?? "") \(rule.isAdvice) \(rule.isOptional) \(rule.reason ?? "") \(rule.form) \(rule.scope as Any) "
        + "\(rule.key as Any) \(rule.guardian?.name ?? 0) \(rule.guardian?.condition as Any)"
    }
    return ["\(name) \(tolerance)"] + declarations + rules
  }
}

/// A piece of a contract that can be read with the declarations it needs: a line, or a block with its rules.
private struct Unit {
  enum Damage { case deleted, doubled, replaced }

  var lines: [String]
  /// The declarations it needs, and a rule.
  var context: [UInt8]

  static func all(in text: String) -> [Unit] {
    let lines = text.split(separator: "\n").map(String.init)
    let declarations = lines.filter { $0.hasPrefix("mark ") || $0.hasPrefix("call ") }
    var units: [Unit] = []
    for line in lines where !tokens(line).isEmpty {
      if line.hasPrefix(" "), let last = units.indices.last {
        units[last].lines.append(line)
      } else {
        units.append(Unit(lines: line.hasPrefix("contract") ? [line, "at most 1000 calls"] : [line], context: []))
      }
    }
    for index in units.indices { units[index].context = context(of: units[index].lines, declarations) }
    return units
  }

  /// The header, the declarations of the names in the lines, and a rule, because a contract has one.
  private static func context(of lines: [String], _ declarations: [String]) -> [UInt8] {
    if lines[0].hasPrefix("contract") { return [] }
    let words = Set(lines.flatMap { tokens($0).map(\.text) })
    let needed = declarations.filter { declaration in
      !lines.contains(declaration)
        && tokens(declaration).contains { token in
          words.contains { $0 == token.text || $0.hasPrefix(token.text + ".") } && isName(token)
        }
    }
    let text = (["contract \"x\" version 1"] + needed + ["at most 1000 calls", ""]).joined(separator: "\n")
    return Array(text.utf8)
  }

  private static func isName(_ token: Token) -> Bool {
    token.kind == .word && token.text != "calls" && !Vocabulary.keywords.contains(token.text)
  }

  private static func tokens(_ line: String) -> [Token] { (try? Lexer(line).tokens) ?? [] }

  var tokenCount: Int { lines.reduce(0) { $0 + Self.tokens($1).count } }

  /// Every token damaged in every way.
  var damaged: [(Damage, [String])] { eachToken.flatMap { $0 } }

  /// Every token damaged in one way: deleted, doubled or replaced in turn, beginning with the way that `place` says.
  func sample(from place: Int) -> [(Damage, [String])] {
    let kinds: [Damage] = [.deleted, .doubled, .replaced]
    return eachToken.enumerated().compactMap { index, variants in
      let kind = kinds[(place + index) % kinds.count]
      let fitting = variants.filter { $0.0 == kind }
      return fitting.isEmpty ? nil : fitting[(place + index) / kinds.count % fitting.count]
    }
  }

  /// By token, all its variants.
  private var eachToken: [[(Damage, [String])]] {
    lines.enumerated().flatMap { number, line in
      let characters = Array(line)
      return Self.tokens(line).map { token in
        let range = (token.column - 1)..<(token.endColumn - 1)
        let text = String(characters[range])
        let variants: [(Damage, String)] =
          [(.deleted, ""), (.doubled, "\(text) \(text)")]
          + ["zzz", "calls", "only", "5", "(", "\"", "\u{1F600}"].map { (.replaced, $0) }
        return variants.filter { $0.1 != text }.map { damage, variant in
          var copy = lines
          copy[number] = String(characters[..<range.lowerBound]) + variant + String(characters[range.upperBound...])
          return (damage, copy)
        }
      }
    }
  }
}
