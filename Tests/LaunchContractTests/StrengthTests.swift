import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// What mutants of a kept trace the rules catch.
struct StrengthTests {
  private static func trace() -> Trace {
    var builder = TraceBuilder()
    builder.mark("a", at: 10)
    let call = builder.start("POST", "https://api.test/tags", at: 20)
    builder.answer(call, 200, at: 30)
    builder.mark("b", at: 40)
    builder.mark("loose", at: 50)
    return builder.trace(isClosed: true)
  }

  private static func strength(_ rules: String) throws -> Strength {
    try Contract(
      parsing: "contract \"s\" version 1\nmark a, b, loose\ncall tags = POST https://api.test/tags\n" + rules, file: "s"
    )
    .strength(on: trace())
  }

  /// How many of the mutants of four events (one of them a call, the last without a next one) each rule catches.
  @Test(arguments: [
    // Deleting or delaying a, and swapping it with the call.
    ("tags only after a", 3),
    // The same, the call failing, and swapping the call with b: the call is the one that must not move or fail.
    ("b only after tags", 4),
    // Doubling, deleting.
    ("exactly 1 a", 2), ("at most 1 a", 1), ("at least 1 a", 1),
    // Nothing that is done to one event brings this about.
    ("at most 5 a", 0),
    // Deleting b, delaying it or a by a minute.
    ("b within 1 s of a", 3),
    ("tags within 1 s of a", 5),
  ])
  func `each rule catches what breaks it`(_ rule: String, _ caught: Int) throws {
    #expect(try Self.strength(rule).rules.map(\.caught) == [caught])
  }

  /// A trace whose events carry values in every place a field can stand, and how many mutants a rule about one catches.
  @Test(arguments: [
    // Another value, or none.
    ("tags has query.q = 1", 2), ("tags has header.X-User = ann", 2), ("tags has body.items[0].id exists", 1),
    ("tags has body.items[0].id = 7", 2), ("tags has response.header.X-Id = k", 2),
    ("tags has response.body.ok = true", 2), ("send has form.f = \"a b\"", 2), ("a has mark.v = 3", 2),
    ("a has mark.x not exists", 0), ("send has form.g not exists", 0), ("a has mark.v >= 0", 2),
    // Either value changed or gone, and a deleted, delayed, or swapped with the call.
    ("body.items[0].id of tags equals mark.w of a", 7),
  ])
  func `a rule about a field catches another value`(_ rule: String, _ caught: Int) throws {
    var builder = TraceBuilder()
    builder.mark("a", at: 10, fields: Mark("", ["v": 3, "w": 7]))
    let tags = builder.start(
      "POST", "https://api.test/tags?q=1", body: #"{"items":[{"id":7}]}"#, fields: ["X-User": "ann"], at: 20)
    builder.append(.call(tags, .response(ResponseHead(status: 200, fields: ["X-Id": "k"]))), at: 30)
    builder.append(.call(tags, .end(Content(Array(#"{"ok":true}"#.utf8)))), at: 30)
    let form = builder.start("POST", "https://api.test/form", body: "f=a+b&x=2", at: 40)
    builder.answer(form, 200, at: 50)
    let contract = try Contract(
      parsing: """
        contract "s" version 1
        mark a
        call tags = POST https://api.test/tags
        call send = POST https://api.test/form
        \(rule)

        """, file: "s")
    let strength = contract.strength(on: builder.trace(isClosed: true))
    #expect(strength.rules.map(\.caught) == [caught])
  }

  @Test func `what no rule protects is named`() throws {
    let strength = try Self.strength("b only after tags\nexactly 1 a")
    #expect(strength.unprotected.map(\.name) == ["loose"] && strength.unprotected[0].at.microseconds == 50_000)
    #expect(strength.mutants == 16)
    #expect(strength.caught <= strength.rules.reduce(0) { $0 + $1.caught })
  }

  @Test func `rules that did not hold, and advice, take no part`() throws {
    #expect(
      try Self.strength("a only after b\nadvice: no b\nexactly 1 b").rules.map(\.rule.sentence) == ["exactly 1 b"])
  }
}
