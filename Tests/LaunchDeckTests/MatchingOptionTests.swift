import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

struct MatchingOptionTests {
  static let ignored: [(field: String, recorded: Request, asked: Request)] = [
    ("query.ts", get("/a", query: "ts=1&x=1"), get("/a", query: "x=1&ts=2&ts=3")),
    (
      "example.com form.nonce", post("/a", "nonce=1", type: BindingTests.form),
      post("/a", "nonce=2", type: BindingTests.form)
    ),
    ("*.com body.sent_at", post("/a", #"{"sent_at":1,"x":1}"#), post("/a", #"{"x":1,"sent_at":{"y":2}}"#)),
    ("**.example.com body.e[*].id", post("/a", #"{"e":[{"id":1},{"id":2}]}"#), post("/a", #"{"e":[{"id":3},{}]}"#)),
    ("body.*.id", post("/a", #"{"a":{"id":1},"b":{"id":1}}"#), post("/a", #"{"a":{"id":2},"b":{"id":2}}"#)),
    ("body[1]", post("/a", "[1,2]"), post("/a", "[1,3]")),
    (#"body."a.b c""#, post("/a", #"{"a.b c":1}"#), post("/a", #"{"a.b c":2}"#)),
    ("path[1]", get("/a/1/b"), get("/a/2/b")),
    (
      "form.p.ts", post("/a", #"p={"ts":1}"#, type: BindingTests.form),
      post("/a", #"p={"ts":2}"#, type: BindingTests.form)
    ),
    (
      "form.image", MatchingTests.multipart("x", MatchingTests.parts),
      MatchingTests.multipart("x", [0, 2].map { MatchingTests.parts[$0] })
    ),
  ]

  @Test(arguments: ignored.indices)
  func `an ignored field does not count`(index: Int) throws {
    let (field, recorded, asked) = Self.ignored[index]
    let trace = closed(recording(exchange(1, recorded, answering: "")))
    var strict = Player(trace)
    #expect(throws: Miss.self) { try strict.answer(asked) }
    var matching = Matching()
    try matching.ignore(field)
    var player = Player(trace, matching: matching)
    #expect(try player.answer(asked).call == 1)
  }

  @Test func `a field of another host is compared`() throws {
    for host in ["other.com", "*.example.com", "com", "**.org", "a.**.example.com", "example.com.a"] {
      var matching = Matching()
      try matching.ignore("\(host) query.ts")
      var player = Player(
        closed(recording(exchange(1, get("/a", query: "ts=1"), answering: ""))), matching: matching)
      #expect(throws: Miss.self, "\(host)") { try player.answer(get("/a", query: "ts=2")) }
    }
  }

  static let mistakes: [(option: String, text: String, message: String)] = [
    ("ignore", "", "'' is no part of a request; places begin with query, form, body or path"),
    ("ignore", "boy.x", "'boy' is no part of a request; places begin with query, form, body or path"),
    ("ignore", "header.Date", "header fields are not compared, so there is none to ignore"),
    ("ignore", "body", "'body' needs a place in it, as in body.sent_at"),
    ("ignore", "path.x", "segments of the path have numbers, as in path[2], and the first is 0"),
    ("ignore", "path", "'path' needs a place in it, as in path[2]"),
    ("ignore", "body.", "a name is missing behind '.'"),
    ("ignore", "body[", "']' is missing"),
    ("ignore", "body[-1]", "an element is written [0], or [*] for every one, not [-1]"),
    ("ignore", #"body."a"#, "the closing quote is missing"),
    ("ignore", #"body."a"b"#, "'b' cannot stand there; parts are joined with '.', and odd names quoted"),
    ("ignore", "a*.com body.x", "'a*.com' is no host; write api.example.com, *.example.com or **.example.com"),
    ("ignore", "https://a body.x", "'https://a' is no host; write api.example.com, *.example.com or **.example.com"),
    ("map", "a.com", "write HOST=ADDRESS, as in api.onesignal.com=127.0.0.1:9001"),
    ("map", "a.com=", "'' is no host, with or without a port"),
    ("map", "a b=c", "'a b' is no host, with or without a port"),
    ("map", "a.com=127.0.0.1:99999", "'127.0.0.1:99999' is no host, with or without a port"),
    ("map", "a.com/x=127.0.0.1", "'a.com/x' has a path; only hosts are mapped"),
    ("repeat", "often", "'often' is no policy; there is fail, last and loop"),
    ("repeat", "", "'' is no policy; there is fail, last and loop"),
    ("repeat", "7=", "'' is no policy; there is fail, last and loop"),
    ("repeat", "0=loop", "'0' is no number of a call; write 7=loop"),
  ]

  @Test(arguments: mistakes.indices)
  func `a mistake in an option is told`(index: Int) {
    let (option, text, message) = Self.mistakes[index]
    var matching = Matching()
    let error = #expect(throws: MatchingError.self) {
      switch option {
      case "ignore": try matching.ignore(text)
      case "map": try matching.map(text)
      default: try matching.repeat(text)
      }
    }
    #expect(error?.description == "'\(text)': \(message)")
  }

  @Test(arguments: ignored.indices)
  func `a field that a recorded request has is not absent`(index: Int) throws {
    let (field, recorded, _) = Self.ignored[index]
    var matching = Matching()
    try matching.ignore(field)
    let exchanges = closed(recording(exchange(1, recorded, answering: ""))).exchanges
    #expect(matching.absentFields(in: exchanges) == [])
    #expect(matching.absentFields(in: []).map(\.description) == [field])
  }

  @Test func `what the recording does not have is told`() throws {
    var matching = Matching()
    for field in ["query.ts", "query.st", "other.com query.ts", "body.a"] { try matching.ignore(field) }
    for policy in ["1=loop", "9=last", "3=fail"] { try matching.repeat(policy) }
    let trace = closed(
      recording(
        exchange(1, get("/a", query: "ts=1"), answering: ""), exchange(4, post("/a", #"{"b":1}"#), answering: "")))
    #expect(
      matching.absentFields(in: trace.exchanges).map(\.description) == ["query.st", "other.com query.ts", "body.a"])
    #expect(matching.absentCalls(in: trace.exchanges) == [3, 9])
  }

  static let maps: [(map: String, recorded: String, asked: String, isAnswered: Bool)] = [
    ("api.onesignal.com=127.0.0.1:9001", "https://api.onesignal.com/a", "http://127.0.0.1:9001/a", true),
    ("api.onesignal.com=127.0.0.1:9001", "https://api.onesignal.com/a", "https://127.0.0.1:9001/a", true),
    ("api.onesignal.com=127.0.0.1:9001", "https://api.onesignal.com/a", "https://api.onesignal.com/a", true),
    ("api.onesignal.com=127.0.0.1:9001", "https://api.onesignal.com/a", "http://127.0.0.1:9002/a", false),
    ("api.onesignal.com=http://127.0.0.1:9001", "https://api.onesignal.com/a", "https://127.0.0.1:9001/a", false),
    ("API.example.com=localhost", "https://api.example.com/a", "http://localhost/a", true),
    ("api.example.com=localhost", "https://api.example.com/a", "http://localhost:80/a", true),
    ("api.example.com=localhost:443", "https://api.example.com/a", "https://localhost/a", true),
    ("http://api.example.com:81=localhost:9", "http://api.example.com:81/a", "http://localhost:9/a", true),
    ("api.example.com=127.0.0.1:9001", "http://127.0.0.1:9001/a", "https://api.example.com/a", true),
  ]

  @Test(arguments: maps.indices)
  func `a mapped address is the host`(index: Int) throws {
    let (map, recorded, asked, isAnswered) = Self.maps[index]
    var matching = Matching()
    try matching.map(map)
    func request(_ url: String) throws -> Request { Request(method: "GET", location: try Location(parsing: url)) }
    var player = Player(closed(recording(exchange(1, try request(recorded), answering: ""))), matching: matching)
    let answer = Result { try player.answer(try request(asked)) }
    #expect(((try? answer.get()) != nil) == isAnswered)
  }

  @Test func `an address stands for one host`() throws {
    var matching = Matching()
    try matching.map("a.com=localhost:9")
    try matching.map("b.com=localhost:10")
    let error = #expect(throws: MatchingError.self) { try matching.map("b.com=http://localhost:9") }
    #expect(
      error?.message == "localhost:9 stands for a.com already; give each host an address of its own")
  }

  @Test func `a vendor's fields are ignored at its mapped address`() throws {
    var matching = Matching()
    try matching.map("consent.adjust.com=127.0.0.1:9001")
    let recorded = post("/session", "sent_at=1", host: "consent.adjust.com", type: BindingTests.form)
    var asked = post("/session", "sent_at=2", host: "127.0.0.1", type: BindingTests.form)
    (asked.location.scheme, asked.location.port) = ("http", 9001)
    var player = Player(closed(recording(exchange(1, recorded, answering: ""))), matching: matching)
    #expect(try player.answer(asked).call == 1)
  }

  @Test func `an encoded body is compared decoded when somebody decodes it`() throws {
    func request(_ body: String) -> Request {
      var request = post("/a", body)
      request.fields.append("Content-Encoding", "X-Reverse")
      return request
    }
    let recorded = closed(recording(exchange(1, request("}1:\"a\"{"), answering: "")))
    let asked = request(" }0.1:\"a\"{")
    var strict = Player(recorded)
    #expect(throws: Miss.self) { try strict.answer(asked) }
    var matching = Matching()
    matching.decode = { body, coding in coding == "x-reverse" ? body.reversed() : nil }
    var player = Player(recorded, matching: matching)
    #expect(try player.answer(asked).call == 1)
  }

  @Test func `large and binary bodies are compared as bytes`() throws {
    func request(_ body: [UInt8]) -> Request {
      Request(method: "PUT", location: Location(scheme: "https", host: "a", path: "/"), body: body)
    }
    for body in [[UInt8](repeating: 0xFF, count: 9), [UInt8](repeating: 0x41, count: 100_000)] {
      var player = Player(closed(recording(exchange(1, request(body), answering: ""))))
      let miss = #expect(throws: Miss.self) { try player.answer(request(body + [1])) }
      #expect(miss?.description.contains("body is \(body.count + 1) bytes, digest ") == true)
      #expect(try player.answer(request(body)).call == 1)
    }
  }
}

struct RepeatTests {
  private static func recorded(_ policies: [String?]) -> Trace {
    var trace = recording(
      policies.indices.flatMap { exchange($0 + 1, get("/a"), answering: "") } + exchange(9, get("/b"), answering: ""))
    for (index, policy) in policies.enumerated() {
      guard let policy else { continue }
      let place = trace.events.firstIndex { $0.kind == .call(index + 1, .request(get("/a"))) }
      if let place { trace.events[place].unknown["repeat"] = .string(policy) }
    }
    return closed(trace)
  }

  static let cases: [(option: [String], cassette: [String?], calls: [Int])] = [
    ([], [nil, nil], [1, 2]),
    (["fail"], [nil, nil], [1, 2]),
    (["last"], [nil, nil], [1, 2, 2, 2, 2]),
    (["loop"], [nil, nil], [1, 2, 1, 2, 1]),
    (["1=loop"], [nil, nil], [1, 2, 1, 2, 1]),
    (["2=last"], [nil, nil], [1, 2, 2, 2, 2]),
    (["9=loop"], [nil, nil], [1, 2]),
    (["loop", "2=fail"], [nil, nil], [1, 2]),
    ([], [nil, "last"], [1, 2, 2, 2, 2]),
    ([], ["loop", "last"], [1, 2, 1, 2, 1]),
    (["loop"], ["fail", nil], [1, 2]),
    (["2=last"], ["loop", nil], [1, 2, 2, 2, 2]),
  ]

  @Test(arguments: cases.indices)
  func `the policy decides when all answers are used`(index: Int) throws {
    let (options, cassette, calls) = Self.cases[index]
    var matching = Matching()
    for option in options { try matching.repeat(option) }
    var player = Player(Self.recorded(cassette), matching: matching)
    let answers = (0..<5).compactMap { _ in try? player.answer(get("/a")).call }
    #expect(answers == calls)
    #expect(player.misses.count == 5 - calls.count)
    #expect(player.unused.map(\.call) == [9])
  }

  @Test func `a cassette with another word is told so by the miss`() throws {
    var player = Player(Self.recorded(["often"]))
    _ = try player.answer(get("/a"))
    let miss = #expect(throws: Miss.self) { try player.answer(get("/a")) }
    #expect(
      miss?.description
        == "GET https://example.com/a was asked for more often than recorded: 1 of 1 answers are used (call 1); "
        + #"'often': call 1 has this beside "repeat", where fail, last or loop belongs"#)
  }
}
