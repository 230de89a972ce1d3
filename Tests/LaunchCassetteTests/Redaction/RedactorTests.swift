import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchCassette

/// What is kept, what is derived anew, and what happens to odd traffic.
@Suite struct RedactorTests {
  @Test func `what says something about the launch and nothing about anybody stays`() {
    let form =
      "att_status=3&environment=sandbox&idfa=00000000-0000-0000-0000-000000000000&session_count=1"
      + "&created_at=2026-11-30T06%3A20%3A52.504Z%2B0000"
    let answer =
      #"{"ask_in":2000,"continue_in":100,"retry_in":5,"timestamp":"2026-11-30T06:20:52.504Z","ryw_delay":500}"#
    let events = [
      request("consent.adjust.com", "/session", ["Content-Type": FormPairs.contentType], form),
      call(1, 1, .response(ResponseHead(status: 429, fields: ["Retry-After": "120000"]))),
      call(2, 1, .end(Content(Array(answer.utf8)))),
      call(3, 2, .connection(Connection(id: 1, address: "127.0.0.1:9001", dns: .microseconds(123_456)))),
      event(4, .mark(Mark("ATT answered", ["status": 3]))),
    ]
    var redactor = Redactor()
    #expect(redactor.redact(events) == events)
    #expect(redactor.redacted.isEmpty)
  }

  @Test(arguments: [
    ("Bearer abc-def-123", "Bearer "), ("Api-Key aaaa_bbbb.cccc1111", "Api-Key "),
    ("Basic dXNlcjpwYXNzd29yZA==", "Basic "),
    ("abcdef123456", ""),
  ])
  func `the scheme of a credential stays`(value: String, scheme: String) {
    var redactor = Redactor()
    let redacted = fields(redactor.redact(request("www.example.com", "/", ["Authorization": value], "")))
    let authorization = redacted["Authorization"] ?? ""
    #expect(authorization.hasPrefix(scheme) && authorization != value && authorization.utf8.count == value.utf8.count)
  }

  @Test func `a secret in the name of a cassette is replaced, and found when the name was written first`() throws {
    let text = """
      {"cassette":1,"name":"launch of jane.doe@example.com","by":"jane.doe@example.com's recorder"}
      {"at":0,"launch":1}
      {"at":1,"mark":"signed in","fields":{"who":"jane.doe@example.com"}}
      {"at":2,"closed":true,"events":2}

      """
    let cassette = try Cassette(parsing: Array(text.utf8), path: "x.cassette")
    let (safe, redactor) = cassette.redacted(by: .builtIn)
    #expect(!String(decoding: safe.serialized, as: UTF8.self).contains("jane"))
    #expect(safe.name.hasPrefix("launch of ") && safe.name.utf8.count == cassette.name.utf8.count)
    #expect(LeakScan(redactor).leaks(in: cassette.serialized).map(\.line) == [1, 3])
    let finished = try redactor.finish(file: cassette.serialized, path: "x.cassette")
    #expect(finished?.header == safe.header)
  }

  @Test func `cookies keep names and attributes`() {
    var redactor = Redactor()
    let head = ResponseHead(status: 200, fields: ["Set-Cookie": "sid=abc123def; Path=/; Secure", "X": "abc123def"])
    guard case .call(_, .response(let set)) = redactor.redact(call(0, 1, .response(head))).kind else { return }
    let pseudonym = set.fields["X"] ?? ""
    #expect(set.fields["Set-Cookie"] == "sid=\(pseudonym); Path=/; Secure")
    let sent = fields(redactor.redact(request("a.example.com", "/", ["Cookie": "a=1; sid=abc123def; b=xy"], "")))
    #expect(sent["Cookie"]?.hasPrefix("a=1; sid=\(pseudonym); b=") == true)
    #expect(sent["Cookie"]?.hasSuffix("b=xy") == false)
  }

  @Test func `the digest of a paywall's path is made anew when what it is made of was a secret`() throws {
    let rules = try RedactionRules(
      parsing: "redact field segment_hash\nredact header adapty-profile-segment-hash", file: "r")
    let fields: Fields = [
      "adapty-paywall-locale": "en", "adapty-paywall-builder-version": "4_4",
      "adapty-cross-placement-eligibility": "false", "adapty-profile-segment-hash": "7e9b0207fdcd526fcde0ac2b03eef410",
    ]
    func digest(_ segment: String) -> String {
      MD5.hexDigest(
        of: Array(#"{"builder_version":"4_4","locale":"en","segment_hash":"\#(segment)","store":"app_store"}"#.utf8))
    }
    let path = "/api/v1/sdk/in-apps/public_live_abc/paywall/variations/main/"
    let original = request("api.adapty.io", path + digest("7e9b0207fdcd526fcde0ac2b03eef410") + "/", fields, "")
    for (rules, isChanged) in [(RedactionRules.builtIn.adding(rules), true), (.builtIn, false)] {
      var redactor = Redactor(rules: rules)
      let redacted = redactor.redact(original)
      let segment = self.fields(redacted)["adapty-profile-segment-hash"] ?? ""
      #expect((segment != "7e9b0207fdcd526fcde0ac2b03eef410") == isChanged)
      guard case .call(_, .request(let request, _)) = redacted.kind else { return }
      #expect(request.location.path.hasSuffix("/main/\(digest(segment))/"))
    }
  }

  @Test func `plain words are hidden as words, not inside others`() {
    var redactor = Redactor()
    let answer = #"{"attribution":{"adgroup":"Search"}}"#
    _ = redactor.redact(request("consent.adjust.com", "/attribution", [:], ""))
    _ = redactor.redact(call(1, 1, .end(Content(Array(answer.utf8)))))
    let mark = Mark("note", ["a": "apple_search_ads", "b": "Searching", "c": "the Search, group", "search": 1])
    guard case .mark(let redacted) = redactor.redact(event(2, .mark(mark))).kind else { return }
    #expect(redacted.fields["a"] == "apple_search_ads")
    #expect(redacted.fields["b"] == "Searching")
    #expect(redacted.fields["search"] == 1)
    #expect(redacted.fields["c"]?.string?.contains("Search") == false)
  }

  @Test func `digits are hidden as numbers, and the numbers of the format stay`() throws {
    var redactor = Redactor(rules: try RedactionRules(parsing: "redact field account", file: "r"))
    let body = #"{"account":123456,"other":"123456","longer":91234567,"list":[123456]}"#
    let events = [
      request("a.example.com", "/123456/x", [:], body), call(123_456, 1, .chunk(bytes: 123_456)),
      event(123_456, .closed(Closing(events: 2))),
    ]
    let redacted = redactor.redact(events)
    guard case .call(_, .request(let request, _)) = redacted[0].kind else { return }
    let value = try JSON(parsing: request.body.bytes)
    #expect(value["account"]?.integer != 123_456)
    #expect(value["other"]?.string == value["account"]?.integer.map(String.init))
    #expect(value["longer"] == 91_234_567)
    #expect(redacted[1] == events[1])
    let file = Cassette(header: CassetteHeader(name: "x"), events: redacted).serialized
    #expect(LeakScan(redactor).leaks(in: file).isEmpty)
  }

  @Test(arguments: [
    ("https://site.test/cb?access_token=abc", "access_token=abc"),
    ("/cb#access_token=abc&x=1", "access_token=abc"),
    ("cb?x=1&password=abc#top", "password=abc"),
    ("https://user@site.test:80?password=abc", "password=abc"),
    ("https://consent.adjust.com/?tracker_token=abc", "tracker_token=abc"),
    ("https://a.test/?u=https%3A%2F%2Fb.test%2F%3Fpassword%3Dabc", "password%3Dabc"),
  ])
  func `a pair of a URL in a header is judged by its name, short as its value may be`(url: String, pair: String) {
    var redactor = Redactor()
    let location = fields(redactor.redact(request("a.example.com", "/", ["Location": url], "")))["Location"] ?? ""
    #expect(!location.contains(pair) && location.contains(pair.dropLast(3)) && location.utf8.count == url.utf8.count)
  }

  @Test(arguments: [
    "https://site.test/?tracker_token=abcdefgh", "https://site.test/password=abcdefgh", "://?password", "https://",
    "x#://?a", "https://a.test/?#", "password=abcdefgh",
  ])
  func `a URL without a pair that a rule names stays`(url: String) {
    var redactor = Redactor()
    let original = request("a.example.com", "/", ["Location": url, "Link": "<\(url)>; rel=next"], "")
    #expect(redactor.redact(original) == original)
  }

  @Test func `URLs in URLs end somewhere`() {
    var redactor = Redactor()
    let nested = String(repeating: "https://a.test/?u=", count: 2000) + "x"
    let original = request("a.example.com", "/", ["Referer": nested], "go=\(nested)")
    #expect(redactor.redact(original) == original)
  }

  @Test(arguments: [
    ("password=inform123456&x=1", true), ("x=1&password=inform123456\r\n", true), ("password: a=inform123456", false),
    ("if (a) password=inform123456", false), ("password=inform123456&", true), ("<p>a=1&password=inform123456", false),
  ])
  func `content that reads as a form is one`(body: String, isForm: Bool) {
    var redactor = Redactor()
    for original in [request("a.test", "/", [:], body), call(1, 1, .end(Content(Array(body.utf8))))] {
      #expect((redactor.redact(original) != original) == isForm)
    }
  }

  @Test(arguments: [
    #"{"password":"inform123456","a":1}"#, #"{"a":{"b":[{"password" : "inform123456"}]}} "#,
    #"{"password":"inform\/123456"}"#, #"{"password":["inform123456"]}"#, #"{"password":123456789}"#,
    #"{"password":"inform123456"#, #"{"password":"inform123456","a":"#, #"{"a":1 "password":"inform123456"}"#,
    #"{"a":"b""password":"inform123456"}"#, #"{"pass\u0077ord":"inform123456"}"#, #"[{"password":"inform123456"}{}"#,
  ])
  func `a member that is meant anywhere is found in whole and in broken JSON`(body: String) {
    var redactor = Redactor()
    let redacted = redactor.redact(call(1, 1, .end(Content(Array(body.utf8)))))
    guard case .call(_, .end(let content)) = redacted.kind else { return }
    let text = String(decoding: content.body.bytes, as: UTF8.self)
    #expect(text.utf8.count == body.utf8.count && !text.contains("inform") && !text.contains("123456789"))
    #expect(redactor.counts.map(\.count) == [1])
  }

  @Test func `what only the header of a HAR's cassette tells is hidden in it and in the calls`() throws {
    let har = #"""
      {"log":{"version":"1.2","creator":{"name":"x","version":"1"},"pages":[{"startedDateTime":"2027-01-15T00:00:00Z",
      "id":"page_1","title":"https://site.test/cb?access_token=abc-991-def","pageTimings":{}}],"entries":[
      {"startedDateTime":"2027-01-15T00:00:00Z","time":1,"request":{"method":"GET","url":"https://a.test/abc-991-def",
      "httpVersion":"HTTP/1.1","headers":[],"queryString":[],"cookies":[{"name":"s","value":"k1"}],"headersSize":-1,
      "bodySize":0},"response":{"status":302,"statusText":"","httpVersion":"HTTP/1.1","headers":[],"cookies":[],
      "content":{"size":0,"mimeType":""},"redirectURL":"/x#id_token=k2","headersSize":-1,"bodySize":0},"cache":{},
      "_initiator":{"type":"script","stack":{"callFrames":[{"url":"https://a.test/?password=k3"}]}},
      "timings":{"send":0,"wait":1,"receive":0}}]}}
      """#
    let cassette = try Cassette(har: Array(har.utf8), path: "a.har")
    let (safe, redactor) = cassette.redacted(by: .builtIn)
    let text = String(decoding: safe.serialized, as: UTF8.self)
    #expect(String(decoding: cassette.serialized, as: UTF8.self).occurrences(of: "abc-991-def") == 2)
    for secret in ["abc-991-def", #""k1""#, "id_token=k2", "password=k3"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(redactor.counts.map(\.kind).sorted() == ["access_token", "cookie", "id_token", "password"])
    #expect(safe.redacted(by: .builtIn).cassette.serialized == safe.serialized)
  }

  @Test func `mutated events go through, keep their lengths and stay what they are`() throws {
    let events = Canaries.traffic { name in Canaries.secrets.first { $0.name == name }?.value ?? name }
    let source = Cassette(header: CassetteHeader(name: "fuzz"), events: events).serialized
    let lines = source.split(separator: UInt8(ascii: "\n")).dropFirst()
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let mutated = (0..<6).compactMap { _ in lines.randomElement(using: &generator) }.map { line in
        var line = Array(line)
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          let place = Int.random(in: 1..<line.count - 1, using: &generator)
          line[place] = Array("%\\+=\"u25a0&/{[é".utf8).randomElement(using: &generator) ?? 0
        }
        return line
      }
      var redactor = Redactor()
      for line in mutated {
        var reader = LineReader(line, in: line.indices)
        guard let event = try? reader.event() else { continue }
        let redacted = redactor.redact(redactor.redact(event))
        var (before, after) = (JSONWriter(), JSONWriter())
        event.encode(into: &before)
        redacted.encode(into: &after)
        #expect(before.bytes.count == after.bytes.count)
        var again = LineReader(after.bytes, in: after.bytes.indices)
        #expect(throws: Never.self) { try again.event() }
      }
    }
  }

  private func request(_ host: String, _ path: String, _ fields: Fields, _ body: String) -> Event {
    let location = Location(scheme: "https", host: host, path: path)
    return call(0, 1, .request(Request(method: "POST", location: location, fields: fields, body: Array(body.utf8))))
  }

  private func fields(_ event: Event) -> Fields {
    guard case .call(_, .request(let request, _)) = event.kind else { return [:] }
    return request.fields
  }
}

extension String {
  /// How often `text` stands in it.
  fileprivate func occurrences(of text: String) -> Int { ranges(of: text).count }
}
