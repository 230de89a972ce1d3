import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

struct EventLineTests {
  @Test(arguments: eventLines.indices)
  func `every kind of event has one spelling`(index: Int) {
    let (event, line) = eventLines[index]
    var writer = JSONWriter()
    event.encode(into: &writer)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == line + "\n")
  }

  @Test func `a cassette reads back as the events that were written`() throws {
    let cassette = try Cassette(parsing: Array(sampleText.utf8), path: "sample.cassette")
    #expect(cassette.events == eventLines.map(\.event))
    #expect(cassette.warnings == [])
    #expect(cassette.trace.name == "sample")
    #expect(cassette.header.recorded == "2026-11-30T06:20:45.123456Z")
    #expect(cassette.header.by == "launchtape 0.1.0")
  }

  @Test func `a cassette that was written and read is written again byte for byte`() throws {
    let cassette = try Cassette(parsing: Array(sampleText.utf8), path: "sample.cassette")
    #expect(String(decoding: cassette.serialized, as: UTF8.self) == sampleText)
  }

  @Test func `members that are not known are kept, beside the step and inside of it`() throws {
    let text = """
      {"cassette":1,"name":"x","tool":"other"}
      {"at":0,"launch":1,"pid":7}
      {"at":1,"call":1,"request":{"method":"GET","url":"http://a/","headers":[],"priority":{"u":3}},"har":{"n":null}}
      {"at":2,"call":1,"sent":{"bytes":12}}
      {"at":3,"call":1,"error":{"reason":"reset","phase":"response","errno":104}}
      {"at":4,"mark":"m","from":9}
      {"at":5,"closed":true,"events":5,"host":"ci"}

      """
    let cassette = try Cassette(parsing: Array(text.utf8), path: "x.cassette")
    #expect(cassette.warnings == [])
    #expect(cassette.events[1].unknownInside == ["priority": ["u": 3]])
    #expect(cassette.events[1].unknown == ["har": ["n": nil]])
    #expect(String(decoding: cassette.serialized, as: UTF8.self) == text)
  }

  struct BodyCase: CustomTestStringConvertible, Sendable {
    var bytes: [UInt8]
    var stored: String
    var testDescription: String { stored }

    init(_ text: String, _ stored: String) { self.init(Array(text.utf8), stored) }

    init(_ bytes: [UInt8], _ stored: String) {
      self.bytes = bytes
      self.stored = stored
    }
  }

  static let bodies: [BodyCase] = [
    BodyCase(#"{"a":[1,-0,1.50,1e9,true,null,"é"]}"#, #"{"json":{"a":[1,-0,1.50,1e9,true,null,"é"]}}"#),
    BodyCase(#"[]"#, #"{"json":[]}"#),
    BodyCase(#"[[],{}]"#, #"{"json":[[],{}]}"#),
    BodyCase(#"7"#, #"{"json":7}"#),
    BodyCase(#"null"#, #"{"json":null}"#),
    BodyCase(#""\"\\\n\u001f""#, #"{"json":"\"\\\n\u001f"}"#),
    BodyCase(#"{"a":1,"a":2}"#, #"{"json":{"a":1,"a":2}}"#),
    // White space and other spellings of a character are bytes a reader of JSON would lose.
    BodyCase(#"{"a": 1}"#, #"{"text":"{\"a\": 1}"}"#),
    BodyCase(#"[ 1]"#, #"{"text":"[ 1]"}"#),
    BodyCase(#"[1 ,2]"#, #"{"text":"[1 ,2]"}"#),
    BodyCase("{}\n", #"{"text":"{}\n"}"#),
    BodyCase(" {}", #"{"text":" {}"}"#),
    BodyCase(#"["\u0041"]"#, #"{"text":"[\"\\u0041\"]"}"#),
    BodyCase(#"["\/"]"#, #"{"text":"[\"\\/\"]"}"#),
    BodyCase(#"["\u001F"]"#, #"{"text":"[\"\\u001F\"]"}"#),
    BodyCase(#"{"a":1"#, #"{"text":"{\"a\":1"}"#),
    BodyCase("app_token=abc&x=%20", #"{"text":"app_token=abc&x=%20"}"#),
    BodyCase("\u{0}\u{7F}\u{2028}\u{FEFF}", "{\"text\":\"\\u0000\u{7F}\u{2028}\u{FEFF}\"}"),
    BodyCase([0xC3], #"{"base64":"ww=="}"#),
    BodyCase([0x22, 0xED, 0xA0, 0x80, 0x22], #"{"base64":"Iu2ggCI="}"#),
    BodyCase([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], "{\"text\":\"\u{FEFF}{}\"}"),
  ]

  @Test(arguments: bodies)
  func `a body is stored in the most readable form that keeps its bytes`(row: BodyCase) throws {
    let events = [
      call(0, 1, .request(Request(method: "PUT", location: Location(scheme: "http", host: "a"), body: row.bytes)))
    ]
    let cassette = Cassette(header: CassetteHeader(name: "x"), events: events)
    let text = String(decoding: cassette.serialized, as: UTF8.self)
    #expect(text.contains(#""headers":[],"body":"# + row.stored + "}}"))
    #expect(try Cassette(parsing: cassette.serialized, path: "x").events == events)
  }

  @Test func `a body as deep as JSON may be is still read back`() throws {
    for depth in [508, 509, 510, 511, 512, 513] {
      let body = Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
      let request = Request(method: "PUT", location: Location(scheme: "http", host: "a"), body: body)
      let cassette = Cassette(header: CassetteHeader(name: "x"), events: [call(0, 1, .request(request))])
      #expect(try Cassette(parsing: cassette.serialized, path: "x").events == cassette.events)
    }
  }

  @Test func `a body of JSON laid out by hand means its compact form`() throws {
    let text = cassette(
      #"{"at":0,"call":1,"request":{"method":"PUT","url":"http://a/","body":{ "json" : {"a" : [1, "\u0041"]} }}}"#)
    let events = try Cassette(parsing: text, path: "x").events
    guard case .call(1, .request(let request, nil)) = events.first?.kind else { return #expect(Bool(false)) }
    #expect(String(decoding: request.body.bytes, as: UTF8.self) == #"{"a":[1,"A"]}"#)
  }

  @Test func `keys and texts mean the same with escapes`() throws {
    let text = cassette(
      #"{"\u0061t":1,"call":1,"reque\u0073t":{"url":"https:\/\/a.b/c","m\u0065thod":"G\u0045T","#
        + #""headers":[["\u0041","b"],["A", "b"] ,["A","é"]],"body":{"base64":"\/\/8="}}}"#,
      #"{"at":1,"call":1,"inf\u006Frmational":{"status":103}}"#,
      #"{"at":1,"call":1,"connectiom":{"status":103},"sent":{}}"#)
    let cassette = try Cassette(parsing: text, path: "x")
    let request = Request(
      method: "GET", location: Location(scheme: "https", host: "a.b", path: "/c"),
      fields: Fields([Field("A", "b"), Field("A", "b"), Field("A", "é")]), body: [0xFF, 0xFF])
    #expect(
      cassette.events.map(\.kind) == [
        .call(1, .request(request)), .call(1, .informational(ResponseHead(status: 103))), .call(1, .sent),
      ])
  }

  @Test(arguments: [
    "https://api.example.com/a?b=c?d", "http://a:80/", "http://a:08080/", "http://a:65535/x", "https://a",
    "https://a?q",
    "http://[::1]:8080/", "HTTP://A/b", "https://a_b/", "https://a/é?ü", "https://a/#f", "https://a?#", "http://a:/",
    "http://1.2.3.4/%20",
  ])
  func `a URL is read as locations are`(url: String) throws {
    let line = #"{"at":1,"call":1,"request":{"method":"GET","url":""# + url + #""}}"#
    let events = try Cassette(parsing: cassette(line), path: "x").events
    #expect(events.map(\.kind) == [.call(1, .request(Request(method: "GET", location: try Location(parsing: url))))])
  }

  @Test(arguments: ["https://a:0/", "https://a:65536/", "https://a b/", "https:///a", "https://u@a/"])
  func `a URL that is no location is refused`(url: String) {
    let line = #"{"at":1,"call":1,"request":{"method":"GET","url":""# + url + #""}}"#
    #expect(throws: CassetteError.self) { try Cassette(parsing: cassette(line), path: "x") }
    #expect(throws: LocationError.self) { try Location(parsing: url) }
  }

  @Test func `members may stand in any order, and most have a default`() throws {
    let text = cassette(
      #"{"request":{"url":"https://a","method":"GET"},"call":4,"at":1}"#,
      #"{"call":4,"connection":{"id":1},"at":1}"#,
      #"{"call":4,"response":{"status":204},"at":2}"#,
      #"{"end":{},"call":4,"at":3}"#)
    let location = Location(scheme: "https", host: "a")
    #expect(
      try Cassette(parsing: text, path: "x").events == [
        call(1, 4, .request(Request(method: "GET", location: location))),
        call(1, 4, .connection(Connection(id: 1, address: ""))),
        call(2, 4, .response(ResponseHead(status: 204))),
        call(3, 4, .end(Content())),
      ])
  }
}
