import LaunchDiagnostics
import TestSupport
import Testing

@testable import LaunchContract

/// The canonical layout.
struct FormatterTests {
  private static func format(_ text: String) -> String? {
    ContractFormatter.format(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a contract is laid out in one way`() {
    let text = """
      # made by hand

      contract   "x"  version 1
      #names
      tolerance 5 ms


      mark   a="a" or  "b"     #first
      mark longer.name  =  "c"
      mark x ,y
      call z = GET https://h.test/*   where body.x=3   ok 2xx ,409 # last
      \t[ R1 ]  advice :optional: y only after a   #because
      [R2] x ( answered 4xx,500 ) then a # because it must
      #
      when a  status in { 3,4 } :
              # deep

        no  y#x

          no x          # because y
      # out
      no a
      [R3] exactly 1 x after longer.name until z except y, a per mark.x-and-a-name-that-is-rather-long-for-a-field  # far
      no y # near


      """
    #expect(
      Self.format(text) == """
        # made by hand

        contract "x" version 1

        # names
        tolerance 5 ms

        mark a           = "a" or "b"  # first
        mark longer.name = "c"
        mark x, y
        call z           = GET https://h.test/* where body.x = 3 ok 2xx, 409  # last
        [R1] advice: optional: y only after a  # because
        [R2] x (answered 4xx, 500) then a      # because it must
        #
        when a status in {3, 4}:
          # deep

          no y  # x

          no x  # because y
        # out
        no a
        [R3] exactly 1 x after longer.name until z except y, a per mark.x-and-a-name-that-is-rather-long-for-a-field  # far
        no y  # near

        """)
  }

  @Test(arguments: [
    ("", ""), ("\n\n", ""), ("contract \"x\" version 1", "contract \"x\" version 1\n"),
    ("\u{FEFF}# a\r\n\r\n", "# a\n"),
    ("retries of a back off from 1 s ,jitter 20%", "retries of a back off from 1 s, jitter 20 %\n"),
    ("only these calls :a,b", "only these calls: a, b\n"), ("a has header.\"X  Y\"<=3", "a has header.\"X  Y\" <= 3\n"),
  ])
  func `small texts are laid out`(text: String, expected: String) { #expect(Self.format(text) == expected) }

  @Test func `a text that cannot be read is left alone`() {
    #expect(Self.format("mark a = \"b") == nil)
    #expect(ContractFormatter.format([0xFF]) == nil)
    let lint = ContractLint(Array("contract \"x\" version 1\nno  zzz".utf8), file: "f")
    #expect(lint.isCanonical)
    #expect(lint.diagnostics.map(\.message) == ["'zzz' is not declared; declare it with 'mark' or 'call'"])
  }

  @Test(arguments: EveryForm.shipped)
  func `shipped contracts are laid out so`(name: String, text: String) { #expect(Self.format(text) == text) }

  @Test(arguments: EveryForm.all)
  func `formatting twice changes nothing, and no formatting changes a meaning`(name: String, text: String) throws {
    let meaning = try Contract(parsing: text, file: name).meaning
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<12 {
      let damaged = Self.rearranged(text, using: &generator)
      #expect(try Contract(parsing: damaged, file: name).meaning == meaning)
      let formatted = try #require(Self.format(damaged))
      #expect(Self.format(formatted) == formatted)
      #expect(try Contract(parsing: formatted, file: name).meaning == meaning)
    }
  }

  @Test(arguments: EveryForm.all)
  func `a damaged contract that can be read is stable, too`(name: String, text: String) throws {
    var generator = SeededGenerator(seed: 12)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices {
      let original = lines[index]
      var words = original.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard let place = words.indices.randomElement(using: &generator) else { continue }
      words[place] = ["", "zzz", "=", "#", "when", "  x", ":", "{"].randomElement(using: &generator) ?? ""
      lines[index] = words.joined(separator: " ")
      if let formatted = Self.format(lines.joined(separator: "\n")) { #expect(Self.format(formatted) == formatted) }
      lines[index] = original
    }
  }

  /// The same with other blanks between the tokens and other empty lines between the groups.
  private static func rearranged(_ text: String, using generator: inout SeededGenerator) -> String {
    var result = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let lexer = try? Lexer(String(line)) else { continue }
      let characters = Array(line)
      let indentation = line.prefix { $0 == " " }
      result += String(repeating: String(indentation), count: Int.random(in: 1...3, using: &generator))
      for (index, token) in lexer.tokens.enumerated() {
        if index > 0 {
          let isTight = lexer.tokens[index - 1].endColumn == token.column
          result += String(repeating: " ", count: Int.random(in: isTight ? 0...1 : 1...3, using: &generator))
        }
        result += String(characters[(token.column - 1)..<(token.endColumn - 1)])
      }
      if let comment = lexer.comment { result += "#\(comment)" }
      result += String(repeating: "\n", count: Int.random(in: 1...3, using: &generator))
    }
    return result
  }
}
