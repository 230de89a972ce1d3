import LaunchHTTP
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchDeck

struct RequestFieldsTests {
  private static let form = "application/x-www-form-urlencoded"
  private static let hosts = ["example.com", "consent.adjust.com", "api.adapty.io", "api.onesignal.com"]
  private static let samples: [(type: String?, body: String)] = [
    ("application/json", #"{"data":{"attributes":{"events":[{"event_id":"1","n":[1,2.50,-0,1e3]},{"a\"b":null}]}}}"#),
    ("application/vnd.api+json; charset=utf-8", #"[{"client_time":1,"é":"\u00e9\ud83d\ude00"},true,[],{}]"#),
    (form, "app_token=a%20b&sent_at=1&x=1&x=2&x=%FF&callback_params=%7B%22a%22%3A%5B1%5D%7D&&=&y"),
    ("Application/X-WWW-Form-URLEncoded ; a=b", #"p={"b":2,"a":[{}]}&+=+&%2=%zz"#),
    (
      "multipart/form-data; boundary=\"x\"",
      "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\nContent-Type: image/png\r\n\r\n\u{1}\r\n--x\r\n"
        + "content-disposition: form-data; name=data\r\n\r\n{\"a\": 1}\r\n--x--\r\n"
    ),
    ("text/plain", "just text, é"),
    (nil, #" {"deltas":{"session_time":3}}"#),
  ]

  private let rules: MatchingRules

  init() throws {
    var matching = Matching()
    try matching.ignore("body.data.attributes.*.x")
    try matching.ignore("path[1]")
    try matching.ignore("query.a[0]")
    rules = MatchingRules(matching, for: ExchangeList([]))
  }

  private func request(_ body: [UInt8], type: String?, host: String, query: String? = nil) -> Request {
    var fields: Fields = ["Accept": "*/*"]
    if let type { fields.append("Content-Type", type) }
    let location = Location(scheme: "https", host: host, path: "/a/b%2fc/", query: query)
    return Request(method: "POST", location: location, fields: fields, body: body)
  }

  /// The fingerprint, after holding the list against it.
  private func fingerprint(_ request: Request) -> (Fingerprint, list: [String]) {
    let key = rules.fields(of: request, isListing: false)
    let fields = rules.fields(of: request, isListing: true)
    #expect(key.fields.isEmpty && key.bytes.isEmpty)
    #expect(key.fingerprint == fields.fingerprint && key.count == fields.count)
    #expect(fields.fields.count == fields.count && key.segmentCount == fields.segmentCount)
    #expect(fields.fields.reduce(.zero) { $0 + $1.fingerprint } == fields.fingerprint)
    let list = fields.fields.map { field in
      "\(field.kind) \(fields.place(of: field)) \(fields.bytes[field.value])"
    }
    return (key.fingerprint, list.sorted())
  }

  @Test func `mutated bodies have equal fingerprints exactly when they have equal fields`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<4_000 {
      let sample = Self.samples[Int.random(in: 0..<Self.samples.count, using: &random)]
      let host = Self.hosts[Int.random(in: 0..<Self.hosts.count, using: &random)]
      let first = random.mutated(Array(sample.body.utf8))
      let second = random.mutated(first)
      let query = String(decoding: random.mutated(first), as: UTF8.self)
      let one = fingerprint(request(first, type: sample.type, host: host, query: query))
      let other = fingerprint(request(second, type: sample.type, host: host, query: query))
      #expect((one.0 == other.0) == (one.list == other.list), "\(first) and \(second)")
      #expect(fingerprint(request(first, type: sample.type, host: host, query: query)).0 == one.0)
    }
  }

  @Test(arguments: samples)
  func `a body cut anywhere is a body`(sample: (type: String?, body: String)) {
    let body = Array(sample.body.utf8)
    var seen: [Fingerprint: [String]] = [:]
    for end in 0...body.count {
      let (fingerprint, list) = fingerprint(request(Array(body[..<end]), type: sample.type, host: "example.com"))
      #expect(seen[fingerprint] ?? list == list)
      seen[fingerprint] = list
    }
  }

  @Test func `JSON in any order and layout has one fingerprint`() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let (one, other) = random.json(depth: 4)
      let first = fingerprint(request(Array(one.utf8), type: nil, host: "example.com"))
      #expect(fingerprint(request(Array(other.utf8), type: nil, host: "example.com")).0 == first.0, "\(one) \(other)")
    }
  }

  @Test func `pairs in any order have one fingerprint, and values of one name only in theirs`() {
    var random = SeededGenerator(seed: 9)
    for count in [2, 31, 32, 33, 200] {
      let pairs = (0..<count).map { "name\($0 % 50)=\($0)" }
      // Sorted by name alone, the values of each name keep their order.
      let sorted = (0..<50).shuffled(using: &random).flatMap { name in pairs.indices.filter { $0 % 50 == name } }
      let one = fingerprint(request(Array(pairs.joined(separator: "&").utf8), type: Self.form, host: "a"))
      let other = fingerprint(
        request(Array(sorted.map { pairs[$0] }.joined(separator: "&").utf8), type: Self.form, host: "a"))
      #expect(one.0 == other.0)
      let reversed = fingerprint(
        request(Array(pairs.reversed().joined(separator: "&").utf8), type: Self.form, host: "a"))
      #expect((one.0 == reversed.0) == (count <= 50))
    }
  }

  @Test func `every bit of a fingerprint depends on the bytes`() {
    let halves = (0..<2_000).map { number in
      let text = Fingerprint([UInt8](repeating: UInt8(number % 251), count: number / 20)).description
      return String(repeating: "0", count: 32 - text.count) + text
    }
    #expect(halves.allSatisfy { $0.prefix(16) != $0.suffix(16) })
    let lengths = (0..<64).map { Fingerprint([UInt8](repeating: 0, count: $0)) }
    #expect(Set(lengths).count == 64)
    var ones = [Int](repeating: 0, count: 32)
    for text in halves {
      for (index, digit) in text.enumerated() { ones[index] += (digit.hexDigitValue ?? 0).nonzeroBitCount }
    }
    // 8,000 bits each, half of which are set: 4,000, give or take four standard deviations of 45.
    #expect(ones.allSatisfy { (3_820...4_180).contains($0) }, "\(ones)")
  }
}

extension SeededGenerator {
  /// `sample` with up to four bytes replaced, inserted, removed or repeated.
  fileprivate mutating func mutated(_ sample: [UInt8]) -> [UInt8] {
    let interesting = Array("{}[]\",:\\%+&=#.-0e \r\n\0\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
    var bytes = sample
    for _ in 0..<Int.random(in: 0...4, using: &self) {
      let index = Int.random(in: 0...bytes.count, using: &self)
      let byte = interesting.randomElement(using: &self) ?? 0
      switch Int.random(in: 0..<4, using: &self) {
      case 0: bytes.insert(byte, at: index)
      case 1 where index < bytes.count: bytes[index] = byte
      case 2 where index < bytes.count: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(8), at: index)
      }
    }
    return bytes
  }

  /// A value written twice: members of the second in another order, with space around everything.
  fileprivate mutating func json(depth: Int) -> (String, String) {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &self) {
    case 0: return ("1.50", " 15e-1 ")
    case 1: return (#""é\n""#, #" "\u00e9\u000a""#)
    case 2: return Bool.random(using: &self) ? ("1", "1.0") : ("true", " true")
    case 3: return ("null", "\tnull")
    case 4:
      let values = (0..<Int.random(in: 0..<4, using: &self)).map { _ in json(depth: depth - 1) }
      return ("[\(values.map(\.0).joined(separator: ","))]", "[ \(values.map(\.1).joined(separator: " , ")) ]")
    default:
      let members = (0..<Int.random(in: 0..<4, using: &self)).map { number in
        let (one, other) = json(depth: depth - 1)
        return (#""k\#(number)":\#(one)"#, #""\u006b\#(number)" : \#(other)"#)
      }
      let shuffled = members.shuffled(using: &self)
      return ("{\(members.map(\.0).joined(separator: ","))}", "{ \(shuffled.map(\.1).joined(separator: ", ")) }")
    }
  }
}
