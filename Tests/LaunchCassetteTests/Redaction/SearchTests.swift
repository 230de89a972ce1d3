import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchCassette

/// Secrets are found wherever they begin, however many there are, and whatever was remembered before.
@Suite struct SearchTests {
  @Test func `a secret of six bytes is found at every place of a text`() throws {
    var table = SecretTable()
    #expect(table.learn(Array("zk-4q9".utf8), kind: "k") == 0)
    for before in 0..<20 {
      for behind in 0..<5 {
        var text = Array(
          (String(repeating: ".", count: before) + "ZK-4q9" + String(repeating: ".", count: behind)).utf8)
        let length = text.count
        #expect(table.secrets(in: text) == [0])
        #expect(table.replace(in: &text))
        #expect(table.secrets(in: text).isEmpty && text.count == length)
      }
    }
  }

  @Test func `many secrets are found as one is, plain and in base64`() throws {
    var table = SecretTable()
    var generator = SeededGenerator(seed: 5)
    let values = (0..<3000).map { number in
      Array("\(String(UInt64.random(in: .min ... .max, using: &generator), radix: 36))x\(number)".utf8)
    }
    for (number, value) in values.enumerated() { #expect(table.learn(value, kind: "k") == number) }
    for number in stride(from: 0, to: values.count, by: 97) {
      #expect(table.learn(values[number].map(\.lowercasedASCII), kind: "other") == number)
      #expect(table.secrets(in: Array("a=".utf8) + values[number]) == [number])
      #expect(table.secrets(in: Base64.encode(Array("?".utf8) + values[number])) == [number])
    }
  }

  @Test(arguments: [false, true])
  func `content that gzip or zlib merely stores can be decoded after a secret in it was replaced`(isZlib: Bool) throws {
    var table = SecretTable()
    _ = table.learn(Array("zk-4q9-secret".utf8), kind: "k")
    let (head, tail) = (Array("id=zk-4q9-secret&".utf8), Array("more".utf8))
    let blocks =
      [UInt8](littleEndian: head.count, isLast: false) + head + [UInt8](littleEndian: tail.count, isLast: true) + tail
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0x18, 0, 0, 0, 0, 0, 3] + Array("f\0c\0".utf8)
    let start = isZlib ? [0x78, 0x01] : gzip
    let sum =
      isZlib ? [0x50, 0x34, 0x07, 0x87] : (0..<4).map { UInt8(truncatingIfNeeded: (head + tail).crc32 >> (8 * $0)) }
    let stream = start + blocks + sum + (isZlib ? [] : [UInt8(head.count + tail.count), 0, 0, 0])
    for wrap in [{ $0 }, { Array("x=".utf8) + Base64.encode($0) + Array("\"".utf8) }] as [([UInt8]) -> [UInt8]] {
      var text = wrap(stream)
      #expect(table.replace(in: &text))
      let place = try #require(text.count == stream.count ? 0 : 2)
      let bytes = place == 0 ? text : try #require(Base64.decode(text[2...].dropLast()))
      #expect(bytes.count == stream.count && bytes != stream && StoredStream(bytes) != nil)
      #expect(!bytes[start.count...].starts(with: blocks))
    }
  }

  @Test func `a stream that was cut or broken stays as it is, but for the secret`() {
    var table = SecretTable()
    _ = table.learn(Array("zk-4q9-secret".utf8), kind: "k")
    let content = Array("zk-4q9-secret".utf8)
    let stream = [0x78, 0x01] + [UInt8](littleEndian: content.count, isLast: true) + content + [1, 2, 3, 4]
    for end in 0...stream.count {
      var text = Array(stream.prefix(end))
      _ = table.replace(in: &text)
      #expect(text.count == end && text.suffix(max(0, end - 20)) == stream[..<end].suffix(max(0, end - 20)))
    }
  }

  @Test func `every key that was inserted is a candidate wherever it stands`() {
    var generator = SeededGenerator(seed: 9)
    let texts = (0..<200).map { _ in (0..<6).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    let filter = WindowFilter(texts.map { WindowFilter.key(of: $0, at: 0) })
    for (number, text) in texts.enumerated() {
      let padding = [UInt8](repeating: 0, count: number % 7)
      let places = places(in: padding + text + padding, filter)
      #expect(places.contains(padding.count) && places == places.sorted())
    }
    #expect(places(in: [], filter).isEmpty && places(in: [1, 2, 3, 4, 5], filter).isEmpty)
  }

  private func places(in text: [UInt8], _ filter: WindowFilter) -> [Int] {
    var places: [Int] = []
    filter.visitCandidates(in: text, text.indices) { place, _ in
      places.append(place)
      return true
    }
    return places
  }

  @Test func `a header line seen before is looked at again once a secret in it is known`() {
    var redactor = Redactor()
    let head = ResponseHead(status: 200, fields: ["X-Trace": "of 77-ab-user-55", "Set-Cookie": "sid=abc123def"])
    let first = redactor.redact(call(0, 1, .response(head)))
    #expect(redactor.redact(call(1, 2, .response(head))).kind == call(1, 2, first.step).kind)
    #expect(first.heading["X-Trace"] == "of 77-ab-user-55")
    _ = redactor.redact(call(2, 3, .response(ResponseHead(status: 200, fields: ["Set-Cookie": "a=77-ab-user-55"]))))
    let again = redactor.redact(call(3, 4, .response(head)))
    #expect(again.heading["X-Trace"]?.contains("77-ab-user-55") == false)
    #expect(again.heading["Set-Cookie"] == first.heading["Set-Cookie"])
  }

  @Test func `what holds no secret keeps its storage and its bytes`() {
    var redactor = Redactor()
    let body = Array(#"{"ok":true,"list":[1,2,{"name":"none of it"}]}"#.utf8)
    let event = call(0, 1, .end(Content(body)))
    #expect(redactor.redact(event) == event)
    #expect(redactor.redacted.isEmpty)
  }

  @Test func `every value of a body of several JSON texts is looked at`() {
    var redactor = Redactor()
    let body = #"{"a":1}\#n{"password":"hunter-2-one"}\#n\#n[{"password":"hunter-2-two"}]\#n{"password":"hunter-2"#
    guard case .end(let content) = redactor.redact(call(0, 1, .end(Content(Array(body.utf8))))).step else { return }
    let text = String(decoding: content.body.bytes, as: UTF8.self)
    #expect(!text.contains("hunter-2-one") && !text.contains("hunter-2-two") && text.utf8.count == body.utf8.count)
  }

  @Test func `a rule for everything under a key points at nothing elsewhere`() throws {
    var redactor = Redactor(rules: try RedactionRules(parsing: "redact json identity.* as who", file: "r"))
    let body = #"{"identity":{"a":"first-value"},"other":{"a":"second-value"},"identity.":["third-value"]}"#
    guard case .end(let content) = redactor.redact(call(0, 1, .end(Content(Array(body.utf8))))).step else { return }
    let text = String(decoding: content.body.bytes, as: UTF8.self)
    #expect(!text.contains("first-value") && text.contains("second-value") && text.contains("third-value"))
  }
}

extension Event {
  fileprivate var step: Step { if case .call(_, let step) = kind { step } else { .sent } }

  fileprivate var heading: Fields { if case .response(let head) = step { head.fields } else { [:] } }
}

extension [UInt8] {
  /// What stands before the content of a stored block.
  fileprivate init(littleEndian count: Int, isLast: Bool) {
    let length = [UInt8(count & 0xFF), UInt8(count >> 8)]
    self = [isLast ? 1 : 0] + length + length.map { ~$0 }
  }
}
