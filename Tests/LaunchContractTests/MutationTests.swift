import Foundation
import LaunchContract
import TestSupport
import Testing

/// Damaged contracts give diagnostics, never a crash, and never a contract that silently checks less.
struct MutationTests {
  /// Every form of the language on few lines.
  static let forms = """
    contract "App launch" version 1
    tolerance 50 ms   # late timers
    mark user.waited = "one signal user id fetched" or "one signal \\"user\\" id timeout (empty)"
    mark att.answered, iam.unpaused
    mark tags.added = "tags added" where mark.mmp_id exists and mark.items[0]."x y" != 3
    call adjust = ANY https://{analytics,consent}.adjust.{com,io}/**
    call tags.sent = PATCH https://api.onesignal.com/apps/*/users/* where body.items[0]."x y" exists and header."X-User" != "a" ok 2xx, 409
    call session = POST https://app.adjust.com:8443/session attempts by form.created_at
    [R10] adjust only after att.answered   # because it must
    [R18] advice: optional: user.waited within 12 s of att.answered ending ± 0.5 s
    every session (sent) is followed by iam.unpaused after att.answered
    session starts only after tags.sent (any outcome) ends
    session then iam.unpaused
    exactly 1 session before iam.unpaused
    no calls before att.answered except adjust, session
    at most 2 tags.sent
    at least 1 user.waited
    iam.unpaused only after tags.added

    """

  /// The shipped contract without its comments.
  static let shipped: String = {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../contracts/launch.contract").standardized
    let text = (try? String(contentsOf: root, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").map { $0.prefix { $0 != "#" } }.filter { !$0.isEmpty }
    return lines.joined(separator: "\n")
  }()

  private func parse(_ bytes: [UInt8]) -> [Diagnostic] {
    do throws(ContractError) {
      let contract = try Contract(parsing: bytes, file: "f")
      return contract.warnings
    } catch {
      #expect(!error.diagnostics.isEmpty)
      for diagnostic in error.diagnostics {
        #expect(diagnostic.line >= 1 && diagnostic.column >= 1)
        #expect(!diagnostic.description.isEmpty)
      }
      return error.diagnostics
    }
  }

  @Test(arguments: [(forms, 10), (shipped, 26)])
  func `the contracts that are damaged here are sound`(text: String, rules: Int) throws {
    let contract = try Contract(parsing: text, file: "f")
    #expect(contract.warnings.isEmpty)
    #expect(contract.rules.count == rules)
  }

  @Test(arguments: [forms, shipped])
  func `a contract cut at any byte is diagnosed or still a contract`(text: String) {
    let bytes = Array(text.utf8)
    for end in bytes.indices { _ = parse(Array(bytes[..<end])) }
  }

  @Test func `a contract with any byte changed is diagnosed or still a contract`() {
    var bytes = Array(Self.forms.utf8)
    let replacements: [UInt8] = [0, 0x20, 0x22, 0x0A, 0x7B, 0x5B, 0x28, 0xFF, 0xE2]
    for index in bytes.indices {
      let original = bytes[index]
      bytes[index] = replacements[index % replacements.count]
      _ = parse(bytes)
      bytes[index] = original
    }
  }

  /// Deleting, doubling or replacing one word of a rule or declaration.
  @Test(arguments: [forms, shipped])
  func `a contract with any word deleted, doubled or replaced has a diagnostic or keeps its rules`(
    text: String
  ) throws {
    let lines = text.split(separator: "\n").map(String.init)
    let rules = try Contract(parsing: text, file: "f").rules.count
    for (number, line) in lines.enumerated() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      for index in words.indices where !words[index].isEmpty {
        let variants = [
          [], [words[index], words[index]], ["zzz"], ["5"], ["("], ["\""], ["only"], ["\u{1F600}"], ["a,"],
        ]
        for variant in variants {
          var damaged = lines
          damaged[number] = (words[..<index] + variant + words[(index + 1)...]).joined(separator: " ")
          let bytes = Array(damaged.joined(separator: "\n").utf8)
          if parse(bytes).isEmpty {
            #expect(try Contract(parsing: bytes, file: "f").rules.count == rules, "\(damaged[number])")
          }
        }
      }
    }
  }

  @Test func `random bytes never trap`() {
    var generator = SeededGenerator(seed: 4)
    let alphabet = Array("contract mark call no only after within = \"{}[]()*#,.\n\t ±5ms/:".utf8) + [0, 0xFF, 0xC3]
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      _ = parse(bytes)
      _ = parse(Array("contract \"x\" version 1\n".utf8) + bytes)
    }
  }
}
