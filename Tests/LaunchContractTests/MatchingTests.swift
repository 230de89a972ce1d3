import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchTrace
import Testing

/// Which requests a `call` declaration means.
struct MatchingTests {
  private static func matches(_ call: String, _ request: Request) throws -> Bool {
    let contract = try Contract(parsing: "contract \"x\" version 1\ncall c = \(call)\nat least 1 c", file: "f")
    let events = [Event(at: .zero, .call(1, .request(request))), Event(at: .zero, .closed(Closing(events: 1)))]
    return contract.reports(on: Trace(name: "t", events: events))[0].verdict == .holds
  }

  static let urls: [(pattern: String, url: String, fits: Bool)] = [
    ("https://a.test/x", "https://a.test/x", true),
    ("https://A.Test/x", "https://a.test/x", true),
    ("https://a.test/x", "https://a.test/x/", false),
    ("https://a.test/x", "https://a.test/x?q=1", true),
    ("https://a.test/X", "https://a.test/x", false),
    ("https://a.test/x", "http://a.test/x", false),
    ("https://a.test/x", "https://a.test:443/x", true),
    ("https://a.test/x", "https://a.test:8443/x", false),
    ("https://a.test:8443/x", "https://a.test:8443/x", true),
    ("http://a.test:80/x", "http://a.test/x", true),
    ("https://a.test", "https://a.test/", true),
    ("https://*.test/x", "https://a.test/x", true),
    ("https://*.test/x", "https://a.b.test/x", false),
    ("https://{a,b.c}.test/x", "https://b.c.test/x", true),
    ("https://{a,b}.test/{x,y/z}", "https://b.test/y/z", true),
    ("https://{a,b}.test/{x,y/z}", "https://c.test/x", false),
    ("https://a.test/apps/*/users", "https://a.test/apps/1/users", true),
    ("https://a.test/apps/*/users", "https://a.test/apps/1/2/users", false),
    ("https://a.test/apps/*/users", "https://a.test/apps//users", false),
    ("https://a.test/**", "https://a.test/", true),
    ("https://a.test/**", "https://a.test/x/y/", true),
    ("https://a.test/x/**", "https://a.test/x", true),
    ("https://a.test/x/**/z", "https://a.test/x/z", true),
    ("https://a.test/x/**/z", "https://a.test/x/y/z/y/z", true),
    ("https://a.test/x/**/z", "https://a.test/x/y/z/y", false),
    ("https://a.test/**/a/**/b", "https://a.test/a/x/a/y/b", true),
  ]

  @Test(arguments: urls)
  func `a URL pattern fits whole hosts and paths`(pattern: String, url: String, fits: Bool) throws {
    let request = Request(method: "GET", location: try Location(parsing: url))
    #expect(try Self.matches("GET \(pattern)", request) == fits)
  }

  static let conditions: [(condition: String, fits: Bool)] = [
    ("method = POST", true), ("method != POST", false), ("method exists", true),
    ("query.q exists", true), ("query.q = \"a b\"", true), ("query.q = 2", true), ("query.q != 3", true),
    ("query.r exists", false), ("query.r != 1", true),
    ("header.content-type = application/json", true), ("header.\"X-User\" = 7", true),
    ("header.X-Nobody exists", false),
    ("body.tags.mmp_id exists", true), ("body.tags.mmp_id = 0a1b", true), ("body.tags.idfa exists", false),
    ("body.items[1].id = 2", true), ("body.items[1].id = 2.0", true), ("body.items[1].id = \"2\"", true),
    ("body.items[1].id = 3", false), ("body.items[2] exists", false), ("body.\"odd.key\" = true", true),
    ("body.nothing = null", true), ("body.tags = 1", false), ("body.status = 3", true), ("body.text != 3", true),
    ("body.tags.mmp_id exists and query.q = 2", true), ("body.tags.mmp_id exists and query.q = 3", false),
    ("form.q exists", false),
  ]

  @Test(arguments: conditions)
  func `conditions look at every part of a request`(condition: String, fits: Bool) throws {
    let body =
      #"{"tags":{"mmp_id":"0a1b"},"items":[{},{"id":2}],"odd.key":true,"nothing":null,"status":"3","text":"x"}"#
    let request = Request(
      method: "POST", location: try Location(parsing: "https://a.test/x?q=a+b&q=2"),
      fields: ["Content-Type": "application/json", "X-User": "7"], body: Array(body.utf8))
    #expect(try Self.matches("ANY https://a.test/x where \(condition)", request) == fits)
  }

  @Test func `form fields are decoded`() throws {
    let request = Request(
      method: "POST", location: try Location(parsing: "https://a.test/x"), body: Array("att_status=3&name=a%20b".utf8))
    #expect(try Self.matches("POST https://a.test/x where form.att_status = 3 and form.name = \"a b\"", request))
    #expect(try !Self.matches("POST https://a.test/x where form.idfa exists", request))
  }

  static let markConditions: [(condition: String, fits: Bool)] = [
    ("mark.mmp_id exists", true), ("mark.mmp exists", false), ("mark.mmp_id = 0a1b", true),
    ("mark.status = 3", true), ("mark.status = 3.0", true), ("mark.status = \"3\"", true), ("mark.status != 3", false),
    ("mark.status != 2", true), ("mark.missing != 2", true), ("mark.missing = 2", false),
    ("mark.app_ready = \"true\"", true), ("mark.flag = true", true), ("mark.flag = false", false),
    ("mark.items[1].id = 2", true), ("mark.items[2] exists", false), ("mark.items.id exists", false),
    ("mark.\"odd.key\" = \"x y\"", true), ("mark.nothing exists", true), ("mark.nothing = null", true),
    ("mark.items = 1", false), ("mark.mark = m", true),
    ("mark.mmp_id exists and mark.status = 3", true), ("mark.mmp_id exists and mark.status = 4", false),
  ]

  @Test(arguments: markConditions)
  func `conditions look at every field of a mark`(condition: String, fits: Bool) throws {
    let contract = try Contract(
      parsing: "contract \"x\" version 1\nmark m = \"a\" or \"b\" where \(condition)\nat least 1 m", file: "f")
    let fields: JSONObject = [
      "mmp_id": "0a1b", "status": 3, "app_ready": "true", "flag": true, "items": [[:], ["id": 2]], "odd.key": "x y",
      "nothing": nil, "mark": "m",
    ]
    for text in ["a", "b"] {
      let trace = TraceBuilder.make { $0.mark(text, at: 1, fields: Mark("", fields)) }.trace()
      #expect((contract.reports(on: trace)[0].verdict == .holds) == fits)
    }
    let other = TraceBuilder.make { $0.mark("c", at: 1, fields: Mark("", fields)) }.trace()
    #expect(contract.reports(on: other)[0].verdict == .broken)
  }

  @Test func `one mark counts under every name whose conditions it meets`() throws {
    let text = """
      contract "x" version 1
      mark tagged = "tags added"
      mark campaign = "tags added" where mark.campaign exists
      mark identified = "tags added" where mark.idfv exists
      exactly 2 tagged
      exactly 1 campaign
      identified only after campaign
      """
    let trace = TraceBuilder.make {
      $0.mark("tags added", at: 1, fields: Mark("", ["campaign": "x"]))
      $0.mark("tags added", at: 2, fields: Mark("", ["idfv": "y"]))
    }.trace()
    #expect(try Contract(parsing: text, file: "f").reports(on: trace).map(\.verdict) == [.holds, .holds, .holds])
  }

  @Test func `declared statuses are ok, and 2xx alone without`() throws {
    let trace = TraceBuilder.make {
      $0.answer($0.start("POST", "https://h.test/b", at: 1), 409, at: 2)
      $0.answer($0.start("POST", "https://h.test/a", at: 3), 409, at: 4)
    }.trace()
    #expect(try trace.verdict(on: "exactly 1 b (ok)") == .holds)
    #expect(try trace.verdict(on: "no a (ok)") == .holds)
  }

  @Test func `marks match by any of their texts, and by their name without`() throws {
    let text = "contract \"x\" version 1\nmark w = \"a\" or \"b\"\nmark c, d\nexactly 2 w\nexactly 1 c\nno d"
    let trace = TraceBuilder.make {
      for name in ["a", "b", "c", "w"] { $0.mark(name, at: 1) }
    }.trace()
    #expect(try Contract(parsing: text, file: "f").reports(on: trace).map(\.verdict) == [.holds, .holds, .holds])
  }
}
