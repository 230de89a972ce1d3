import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Synchronization
import TestSupport
import Testing

@testable import LaunchCassette

/// Writing changes back into text that stays encoded as it was, and as long.
@Suite struct InPlaceTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var coding: CodedText.Coding
    var text: String
    /// After every letter and digit has become the next one.
    var changed: String
    var testDescription: String { text }
  }

  static let rows = [
    Row(coding: .percent, text: "a%62c%2Fd", changed: "b%63d%2Fe"),
    Row(coding: .percent, text: "%4a%5a", changed: "%4b%5b"),
    Row(coding: .percent, text: "a+b%", changed: "b+c%"),
    Row(coding: .form, text: "a+b%20%2b1", changed: "b+c%20%2b2"),
    Row(coding: .json, text: #"a\u0062\n\"c"#, changed: #"b\u0063\n\"d"#),
    Row(coding: .json, text: #"\u00e9x\ud83d\ude00y"#, changed: #"\u00e9y\ud83d\ude00z"#),
  ]

  private func next(_ byte: UInt8) -> UInt8 { byte.isLetter || byte.isDigit ? byte + 1 : byte }

  @Test(arguments: rows) func `what is changed is written in the form that stood there`(row: Row) throws {
    var text = Array(row.text.utf8)
    guard var coded = CodedText(text[...], row.coding) else { return }
    coded.bytes = coded.bytes.map(next)
    coded.write(into: &text)
    #expect(String(decoding: text, as: UTF8.self) == row.changed)
  }

  @Test(arguments: rows) func `a text cut anywhere keeps its length and what was not changed`(row: Row) {
    let whole = Array(row.text.utf8)
    for count in 0...whole.count {
      let cut = Array(whole.prefix(count))
      var text = cut
      guard var coded = CodedText(text[...], row.coding) else { continue }
      coded.write(into: &text)
      #expect(text == cut)
      guard let last = coded.bytes.indices.last else { continue }
      coded.bytes[last] = next(coded.bytes[last])
      coded.write(into: &text)
      #expect(text.count == count)
      #expect(CodedText(text[...], row.coding)?.bytes == coded.bytes)
      // Of another length, nothing fits.
      coded.bytes.append(0x41)
      var same = text
      coded.write(into: &same)
      #expect(same == text)
    }
  }

  @Test func `one byte changed in base64 changes that byte alone, whatever the text around it`() throws {
    for length in 1...12 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 53 &+ 7) }
      let digits = Base64.encode(bytes).prefix { base64Value($0) != nil }
      for place in 0..<length {
        var text = Array("\"".utf8) + digits + Array("\"".utf8)
        var run = try #require(Base64Run(in: text, around: 2, groupAt: 1))
        #expect(Array(run.bytes.prefix(length)) == bytes)
        run.bytes[place] ^= 0x55
        run.write(into: &text)
        var expected = bytes
        expected[place] ^= 0x55
        let again = try #require(Base64Run(in: text, around: 2, groupAt: 1))
        #expect(Array(again.bytes.prefix(length)) == expected && text.count == digits.count + 2)
      }
    }
  }

  @Test func `base64 cut anywhere is read from every place, and written back as it was`() {
    let text = Array(
      "x=\(String(decoding: Base64.encode(Array("a secret of 25 characters".utf8)), as: UTF8.self));".utf8)
    for count in 0...text.count {
      let cut = Array(text.prefix(count))
      for place in cut.indices {
        for group in 0..<4 {
          guard let run = Base64Run(in: cut, around: place, groupAt: group) else { continue }
          var same = cut
          run.write(into: &same)
          #expect(same == cut && cut.indices.contains(run.range.lowerBound) && run.range.upperBound <= count)
        }
      }
    }
  }

  @Test func `a known secret is replaced on the spot, at every cut of the text around it`() throws {
    let body =
      #"{"list":[{"token":"zk-4q9-secret"}],"note":"of zk-4q9-secret\/x","text":"{\"token\":\"zk-4q9-secret\"}"}"#
    let whole = Array(body.utf8)
    let rules = try RedactionRules(parsing: "redact json **.token as token", file: "r")
    for count in 0...whole.count {
      var redactor = Redactor(rules: rules)
      _ = redactor.redact(call(0, 1, .end(Content(Array(#"{"token":"zk-4q9-secret"}"#.utf8)))))
      let event = call(1, 2, .error(TransportError(.reset, during: .body), Content(Array(whole.prefix(count)))))
      guard case .call(_, .error(_, let content)) = redactor.redact(event).kind else { continue }
      #expect(content.body.count == count)
      #expect(!String(decoding: content.body.bytes, as: UTF8.self).contains("zk-4q9-secret"))
    }
  }

  @Test(arguments: [
    #"{"a":NaN,"token":"zk-4q9-secret","b":{"token":  "zk-4q9-other"}}"#,
    #"{"a":1,,"token":["zk-4q9-secret",{"x":"zk-4q9-other"}]}"#,
    #"{"note:"of","token":"zk-4q9-secret","token":"zk-4q9-other"}"#,
    #"{"a":"x","token":"zk-4q9-secret" "token":"zk-4q9-other"#,
    #"event: a\#ndata: {"token":"zk-4q9-secret"}\#n\#n"#, #"cb({"token":4477123,"token":"zk-4q9-secret"});"#,
    #"{'a':1,"token":-4477123,"token":"zk-4q9-secret"#,
    #"[{"a":1}] // {"who":{"name":"zk-4q9-secret","n":4477123,"l":["zk-4q9-x"]}}"#,
  ])
  func `behind a mistake in JSON and in other text, members are judged by their keys`(text: String) throws {
    let rules = try RedactionRules(parsing: "redact json **.token as token\nredact json who.* as who", file: "r")
    for count in 1...text.utf8.count {
      var redactor = Redactor(rules: rules)
      guard
        case .call(_, .end(let content)) = redactor.redact(call(1, 2, .end(Content(Array(text.utf8.prefix(count))))))
          .kind
      else { continue }
      #expect(content.body.count == count)
      let left = String(decoding: content.body.bytes, as: UTF8.self)
      if count == text.utf8.count { #expect(!left.contains("zk-4q9") && !left.contains("4477123"), "\(left)") }
    }
  }

  @Test func `a value that its text is cut off in is found by its rule`() throws {
    let rules = try RedactionRules(parsing: "redact json **.token as token", file: "r")
    for text in [#"{"token":"zk-4q9-sec"#, #"{"a":1,"b":{"token": "zk-4q9-sec"#, #"{"x":"{\"token\":\"zk-4q9-sec"#] {
      var redactor = Redactor(rules: rules)
      let event = call(1, 2, .error(TransportError(.reset, during: .body), Content(Array(text.utf8))))
      guard case .call(_, .error(_, let content)) = redactor.redact(event).kind else { continue }
      #expect(content.body.count == text.utf8.count)
      #expect(!String(decoding: content.body.bytes, as: UTF8.self).contains("zk-4q9"), "\(text)")
    }
  }

  @Test func `four tasks at once redact through one sink, each value to one pseudonym`() async throws {
    let sink = Collector()
    let redacting = RedactingSink(
      Redactor(rules: try RedactionRules(parsing: "redact json token as token", file: "r")), next: sink)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            let text = #"{"token":"secret-\#(number)-value","task":\#(task)}"#
            redacting.append(call(0, task * 50 + number + 1, .end(Content(Array(text.utf8)))))
            _ = redacting.redactor.counts
          }
        }
      }
    }
    let bodies = sink.bodies
    #expect(bodies.count == 200 && !bodies.contains { $0.contains("secret-") })
    let tokens = Set(bodies.compactMap { try? JSON(parsing: Array($0.utf8))["token"]?.string })
    #expect(tokens.count == 50)
    #expect(redacting.redactor.counts.map(\.count) == [50])
  }
}

private final class Collector: EventSink {
  private let list = Mutex<[String]>([])

  var bodies: [String] { list.withLock { $0 } }

  func append(_ event: Event) {
    guard case .call(_, .end(let content)) = event.kind else { return }
    list.withLock { $0.append(String(decoding: content.body.bytes, as: UTF8.self)) }
  }

  func commit() {}
}
