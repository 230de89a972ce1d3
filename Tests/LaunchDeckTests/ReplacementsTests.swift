import Testing

@testable import LaunchDeck

struct ReplacementsTests {
  @Test(arguments: [
    ("nothing of it", nil), ("", nil), ("use", nil), ("user-1", "A\""), ("x user-1 user-12,user-1", "x A\" user-1,A\""),
    ("user-123", "user-13"), ("uuser-1r", "uA\"r"),
  ])
  func `the longest text counts, and what was put in is not replaced again`(text: String, expected: String?) {
    var replacements = Replacements()
    replacements.replace("user-1", by: "A\"")
    replacements.replace("user-12", by: "user-1")
    replacements.replace("user-1", by: "B")
    let bytes = Array(text.utf8)
    let plain = replacements.replaced(bytes.span, isJSON: false)
    #expect(plain.map { String(decoding: $0, as: UTF8.self) } == expected)
    let escaped = replacements.replaced(bytes.span, isJSON: true)
    let expectedEscaped = expected?.replacing("\"", with: "\\\"")
    #expect(escaped.map { String(decoding: $0, as: UTF8.self) } == expectedEscaped)
  }
}
