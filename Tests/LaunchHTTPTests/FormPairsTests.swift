import LaunchHTTP
import TestSupport
import Testing

struct FormPairsTests {
  static let forms: [(text: String, pairs: [String], serialized: String)] = [
    ("", [], ""),
    ("a=1", ["a:1"], "a=1"),
    ("a=1&a=2&b", ["a:1", "a:2", "b:"], "a=1&a=2&b="),
    ("a+b=c+%2B", ["a b:c +"], "a+b=c+%2B"),
    ("&&x=y=z&", ["x:y=z"], "x=y%3Dz"),
    (
      "created_at=2026-11-30T06%3A20%3A45.123Z%2B0000", ["created_at:2026-11-30T06:20:45.123Z+0000"],
      "created_at=2026-11-30T06%3A20%3A45.123Z%2B0000"
    ),
    ("n=%C3%A9%E2%82%AC", ["n:é€"], "n=%C3%A9%E2%82%AC"),
    ("n=%zz%4&m=%", ["n:%zz%4", "m:%"], "n=%25zz%254&m=%25"),
    ("n=%FF", ["n:%FF"], "n=%25FF"),
    ("s=~*-._'()", ["s:~*-._'()"], "s=%7E*-._%27%28%29"),
    ("r=%0D%0A", ["r:\r\n"], "r=%0D%0A"),
  ]

  @Test(arguments: forms) func `a form is read and written`(row: (text: String, pairs: [String], serialized: String)) {
    let form = FormPairs(parsing: Array(row.text.utf8))
    #expect(form.pairs.map { "\($0.name):\($0.value)" } == row.pairs)
    #expect(form.text == row.serialized)
    #expect(FormPairs(parsing: form.serialized) == form)
  }

  @Test func `a name finds its first pair and replaces all of them`() {
    var form: FormPairs = ["a": "1", "b": "2", "a": "3"]
    #expect(form["a"] == "1")
    form["a"] = "4"
    #expect(form.text == "a=4&b=2")
    form["b"] = nil
    form["c"] = "5"
    #expect(form.text == "a=4&c=5")
    #expect(form["B"] == nil)
  }

  @Test func `any bytes are a form that survives writing`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<5_000 {
      let form = FormPairs(parsing: random.mutating(Array("a=1&b=%41+%C3%A9&c".utf8)))
      #expect(FormPairs(parsing: form.serialized) == form)
    }
  }
}
