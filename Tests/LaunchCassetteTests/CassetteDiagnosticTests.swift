import LaunchCassette
import Testing

struct CassetteDiagnosticTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var lines: String
    var messages: [String]
    var testDescription: String { lines }

    init(_ lines: String, _ messages: String...) {
      self.lines = lines
      self.messages = messages
    }
  }

  static let request = #"{"at":5,"call":1,"request":{"method":"GET","url":"http://a/"}}"#
  static let response = #"{"at":5,"call":1,"response":{"status":200}}"#
  static let end = #"{"at":9,"closed":true,"events":0}"#

  static let malformed: [Row] = [
    Row(#"{"at":0,"launch":1"# + "\n" + end, "x.cassette:2:19: error: the JSON text ends too early"),
    Row("[]\n" + end, "x.cassette:2:1: error: expected an object"),
    Row("\0\0\n" + end, "x.cassette:2:1: error: expected a value"),
    Row(
      "{\"at\":0,\"mark\":\"\u{1}\"}\n" + end, "x.cassette:2:17: error: a control character in a string must be escaped"
    ),
    Row(#"{"launch":1}"#, #"x.cassette:2:1: error: the member "at" is missing"#),
    Row(#"{"at":"0","launch":1}"#, "x.cassette:2:7: error: expected an integer of at most 64 bits"),
    Row(#"{"at":-1,"launch":1}"#, "x.cassette:2:7: error: expected microseconds that are not negative"),
    Row(#"{"at":0,"launch":0}"#, "x.cassette:2:18: error: expected a launch's number, from 1"),
    Row(#"{"at":0}"#, #"x.cassette:2:1: error: expected one of "launch", "mark", "call" and "closed":true"#),
    Row(
      #"{"at":0,"closed":false,"events":0}"#,
      #"x.cassette:2:1: error: expected one of "launch", "mark", "call" and "closed":true"#),
    Row(
      #"{"at":0,"mark":"a","launch":1}"#,
      #"x.cassette:2:1: error: expected one of "launch", "mark", "call" and "closed":true"#),
    Row(#"{"at":0,"sent":{}}"#, #"x.cassette:2:1: error: the member "call" is missing"#),
    Row(
      #"{"at":0,"call":1,"push":{}}"#,
      "x.cassette:2:1: error: a call's line needs one of request, connection, sent, informational, response, chunk, end, error"
    ),
    Row(#"{"at":0,"call":1,"sent":{},"chunk":{"bytes":1}}"#, "x.cassette:2:46: error: a line has one step of a call"),
    Row(#"{"at":0,"call":0,"sent":{}}"#, "x.cassette:2:16: error: expected a call's number, from 1"),
    Row(#"{"at":0,"mark":"a","fields":[]}"#, #"x.cassette:2:1: error: "fields" needs an object"#),
    Row(#"{"at":0,"closed":true}"#, #"x.cassette:2:1: error: the closing line needs "events", a number"#),
    Row(
      #"{"at":0,"call":1,"request":{"url":"http://a/"}}"#, #"x.cassette:2:28: error: the member "method" is missing"#),
    Row(
      #"{"at":0,"call":1,"request":{"method":"GET","url":"a"}}"#,
      "x.cassette:2:50: error: a location begins with http:// or https:// (byte 0)"),
    Row(#"{"at":0,"call":1,"response":{"status":20}}"#, "x.cassette:2:39: error: expected a status of three digits"),
    Row(
      #"{"at":0,"call":1,"response":{"status":200,"http":"3"}}"#,
      #"x.cassette:2:50: error: expected a version of HTTP: "1.0", "1.1", "2""#),
    Row(
      #"{"at":0,"call":1,"response":{"status":200,"headers":[["a"]]}}"#,
      "x.cassette:2:54: error: expected [name, value]"),
    Row(
      #"{"at":0,"call":1,"response":{"status":200,"headers":[["a","b","c"]]}}"#,
      "x.cassette:2:54: error: expected [name, value]"),
    Row(
      #"{"at":0,"call":1,"error":{"reason":"boom","phase":"dns"}}"#,
      #"x.cassette:2:36: error: expected a reason: "dns", "refused", "connect", "tls", "reset", "timeout", "#
        + #""truncated", "protocol", "cancelled", "unmatched""#),
    Row(
      #"{"at":0,"call":1,"end":{"body":{}}}"#,
      #"x.cassette:2:32: error: a body needs "json", "text", "base64" or "file""#),
    Row(
      #"{"at":0,"call":1,"end":{"body":{"text":"","json":1}}}"#,
      #"x.cassette:2:32: error: a body has only one of "json", "text", "base64" and "file""#),
    Row(
      #"{"at":0,"call":1,"end":{"body":{"base64":"AB=="}}}"#,
      "x.cassette:2:42: error: expected base64 with padding"),
    // Every line that cannot be read is told, and what follows from it is not.
    Row(
      "{\n" + request + "\n}\n" + end,
      "x.cassette:2:2: error: the JSON text ends too early", "x.cassette:4:1: error: expected a value"),
    Row(
      #"{"at":5,"call":1,"sent":{}}"# + "\n" + response,
      #"x.cassette:2:1: error: call 1 has no request above its "sent""#),
    Row(request + "\n" + request, "x.cassette:3:1: error: call 1 has a request already"),
    Row(
      request + "\n" + #"{"at":6,"call":1,"chunk":{"bytes":1}}"#,
      #"x.cassette:3:1: error: call 1 has no response above its "chunk""#),
    Row(
      request + "\n" + #"{"at":6,"call":1,"end":{}}"#,
      #"x.cassette:3:1: error: call 1 has no response above its "end""#),
    Row(
      request + "\n" + response + "\n" + response,
      "x.cassette:4:1: error: call 1 has a response already"),
    Row(
      request + "\n" + #"{"at":6,"call":1,"error":{"reason":"dns","phase":"dns"}}"# + "\n" + response,
      "x.cassette:4:1: error: the time 5 lies before 6, the time of the event above; one of the two is wrong",
      "x.cassette:4:1: error: call 1 has ended already"),
    Row(
      request + "\n" + #"{"at":4,"mark":"m"}"#,
      "x.cassette:3:1: error: the time 4 lies before 5, the time of the event above; one of the two is wrong"),
    Row(
      end + "\n" + #"{"at":9,"mark":"m"}"# + "\n" + #"{"at":9,"mark":"m"}"#,
      "x.cassette:3:1: error: nothing can follow the closing line"),
    Row(end + "\n{", "x.cassette:3:2: error: the JSON text ends too early"),
  ]

  @Test(arguments: malformed)
  func `what cannot be read is told with its place`(row: Row) {
    #expect(throws: CassetteError.self) { try Cassette(parsing: cassette(row.lines), path: "x.cassette") }
    #expect(problem(cassette(row.lines)) == row.messages.joined(separator: "\n"))
  }

  static let warned: [Row] = [
    Row(end),
    Row("\r\n  \n" + end + "\r\n\n"),
    Row(#"{"at":0,"launch":1}"#, "x.cassette:2:1: warning: the recording was cut off: there is no closing line"),
    Row("", "x.cassette:1:1: warning: the recording was cut off: there is no closing line"),
    Row(
      #"{"at":0,"launch":1}"# + "\n" + #"{"at":3,"mark":"x"#,
      "x.cassette:3:18: warning: the last line is not complete and was left out (the JSON text ends too early)",
      "x.cassette:3:1: warning: the recording was cut off: there is no closing line"),
    Row(
      #"{"at":0,"launch":1}"# + "\n\0\0\0\n",
      "x.cassette:3:1: warning: the last line is not complete and was left out (expected a value)",
      "x.cassette:3:1: warning: the recording was cut off: there is no closing line"),
    Row(#"{"at":0,"launch":1}"# + "\n" + end, "x.cassette:3:1: warning: the closing line counts 0 events, there are 1"),
    Row(
      #"{"at":1,"at":0,"closed":true,"events":0}"#,
      #"x.cassette:2:14: warning: the member "at" stands twice; the later one counts"#),
    Row(#"{"at":1,"closed":true,"events":0,"x":1,"x":2}"#, #"x.cassette:2:40: warning: the member "x" stands twice"#),
    Row(
      request + "\n" + response + "\n" + #"{"at":5,"call":1,"chunk":{"bytes":3}}"# + "\n"
        + #"{"at":5,"call":1,"end":{"body":{"text":"ab","lang":"en"}}}"# + "\n" + #"{"at":9,"closed":true,"events":4}"#,
      #"x.cassette:5:45: warning: the member "lang" of a body is not known and will be lost"#,
      "x.cassette:5:1: warning: the body of call 1 has 2 bytes, its chunks say 3"),
    Row(
      request + "\n" + response + "\n" + #"{"at":5,"call":1,"sent":{}}"# + "\n" + #"{"at":9,"closed":true,"events":3}"#,
      #"x.cassette:4:1: warning: call 1 has "sent" after "response""#),
    Row(
      #"{"at":5,"call":2,"from":1,"request":{"method":"GET","url":"http://a/"}}"# + "\n"
        + #"{"at":9,"closed":true,"events":1}"#,
      "x.cassette:2:1: warning: call 2 follows a redirect of call 1, which is not above"),
  ]

  @Test(arguments: warned)
  func `what can be read but looks wrong is a warning`(row: Row) throws {
    let cassette = try Cassette(parsing: cassette(row.lines), path: "x.cassette")
    #expect(cassette.warnings.map(\.description) == row.messages)
  }

  static let noCassettes: [Row] = [
    Row("", #"x.cassette is empty; a cassette begins with {"cassette":1,"name":"…"}"#),
    Row("\n\n", #"x.cassette is empty; a cassette begins with {"cassette":1,"name":"…"}"#),
    Row(
      #"{"log":{}}"#,
      #"x.cassette is no cassette: the member "cassette" is missing (line 1, column 1); its first line must be {"cassette":1,"name":"…"}"#
    ),
    Row(
      #"{"cassette":1,"na"#,
      #"x.cassette is no cassette: the recording ended before its first line was written (line 1, column 18); its first line must be {"cassette":1,"name":"…"}"#
    ),
    Row(
      "\u{FEFF}{}\n",
      #"x.cassette is no cassette: a JSON text must not start with a byte order mark (line 1, column 1); its first line must be {"cassette":1,"name":"…"}"#
    ),
    Row(
      #"{"cassette":0}"#,
      #"x.cassette is no cassette: expected a version, from 1 (line 1, column 13); its first line must be {"cassette":1,"name":"…"}"#
    ),
    Row(
      #"{"cassette":2,"name":"x"}"#,
      "x.cassette has version 2 of the cassette format, this launchtape reads up to 1; use a newer launchtape"),
  ]

  @Test(arguments: noCassettes)
  func `a file that is no cassette is one error`(row: Row) {
    #expect(problem(Array(row.lines.utf8)) == row.messages.first)
  }

  @Test func `a file without a name has its own`() throws {
    let cassette = try Cassette(parsing: Array(#"{"cassette":1}"#.utf8), path: "some/first-launch.cassette")
    #expect(cassette.name == "first-launch")
  }

  @Test func `no more errors are told than anybody reads`() {
    let lines = String(repeating: "{\n", count: 1000)
    #expect(problem(cassette(lines + Self.end))?.split(separator: "\n").count == 50)
  }

  private func problem(_ bytes: [UInt8]) -> String? {
    do throws(CassetteError) {
      _ = try Cassette(parsing: bytes, path: "x.cassette")
      return nil
    } catch {
      return error.description
    }
  }
}
