import LaunchCassette
import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchServer
import LaunchTrace
import Synchronization
import Testing

@testable import LaunchProxy

/// What the control endpoint answers, without a socket.
@Suite struct ControlEndpointTests {
  private let endpoint: ControlEndpoint
  private let finishes = Finishes()

  init() throws {
    var recording = Recording()
    try recording.call("GET", "https://a.test/one", answer: "1")
    let contract = try Contract(
      parsing: """
        contract "Order" version 1
        mark go
        call a.first = GET https://a.test/one
        [R1] a.first only after go   # because it says so
        advice: optional: at most 1 go

        """, file: "order.contract")
    let finishes = finishes
    endpoint = ControlEndpoint(
      name: "recorded", replay: ReplayResponder(recording.trace, speed: .immediate),
      contracts: [contract], onFinish: { finishes.count.withLock { $0 += 1 } })
  }

  @Test(arguments: [
    (#"{"mark":"ATT answered","fields":{"status":3}}"#, [Mark("ATT answered", ["status": 3])]),
    (#"[{"mark":"a"},{"fields":{},"mark":"b"}]"#, [Mark("a"), Mark("b")]),
    ("[]", []),
  ])
  func `marks come alone or in a list`(body: String, marks: [Mark]) throws {
    #expect(try MarkPosting(parsing: Array(body.utf8)).marks == marks)
  }

  @Test(arguments: [
    ("", "the content is no JSON: "), (#"{"mark":"a""#, "the content is no JSON: "), ("3", "the mark is no object"),
    (#"[{"mark":"a"},[]]"#, "mark 2 is no object"), ("{}", #"the mark has no "mark" with its name"#),
    (#"{"mark":3}"#, #"the mark has no "mark" with its name"#),
    (#"{"mark":""}"#, #"the mark has no "mark" with its name"#),
    (#"{"mark":"a","feilds":{}}"#, #"the mark has "feilds"; it can have "mark" and "fields""#),
    (#"{"mark":"a","fields":[]}"#, #"the "fields" of the mark are no object"#),
    (#"{"mark":"a","mark":"b"}"#, #"the mark has "mark" twice"#),
    (#"{"mark":"a","fields":{"b":1,"b":2}}"#, #"the "fields" of the mark have "b" twice"#),
  ])
  func `a wrong mark is refused with the reason, and leaves no event`(body: String, message: String) throws {
    let answer = endpoint.respond(to: try request("POST", "http://c/marks", body: body)).answer
    #expect(answer.head?.status == 400)
    #expect(try JSON(parsing: answer.text)["error"]?.string?.hasPrefix(message) == true)
    #expect(endpoint.replay.log.trace(name: "").events.count == 1)
  }

  @Test func `a mark cut at any byte is refused`() {
    let body = Array(#"[{"mark":"é","fields":{"a":[1,2.5e3,null],"b":"\u00e9"}}]"#.utf8)
    for count in body.indices {
      #expect(throws: ControlError.self) { try MarkPosting(parsing: Array(body[..<count])) }
    }
  }

  @Test(arguments: [
    ("GET", "/", 404, nil), ("POST", "/marks/", 404, nil), ("GET", "/marks", 405, "POST"),
    ("DELETE", "/trace", 405, "GET"), ("GET", "/finish", 405, "POST"),
  ])
  func `an unknown request is told what there is`(method: String, path: String, status: Int, allow: String?) throws {
    let answer = endpoint.respond(to: try request(method, "http://c\(path)")).answer
    #expect(answer.head?.status == status)
    #expect(answer.head?.fields["Allow"] == allow)
    #expect(try JSON(parsing: answer.text)["error"]?.string != nil)
  }

  @Test func `the trace is a cassette of what happened so far`() throws {
    try post(#"{"mark":"go"}"#)
    _ = endpoint.replay.respond(
      to: Arrival(try request("GET", "http://a.test/one")), for: endpoint.replay.origins.main(of: "a.test"),
      through: .base)
    let answer = endpoint.respond(to: try request("GET", "http://c/trace")).answer
    let cassette = try Cassette(parsing: Array(answer.text.utf8), path: "served")
    #expect(cassette.warnings.map(\.message) == ["the recording was cut off: there is no closing line"])
    #expect(cassette.name == "recorded")
    #expect(!cassette.trace.isClosed)
    #expect(cassette.trace.exchanges.map(\.request.location.description) == ["https://a.test/one"])
    #expect(cassette.trace.exchanges.first?.recordedContent?.body == Body(Array("1".utf8)))
  }

  @Test func `a long trace is made in pieces of whole lines, as the clients saw it when it was asked for`() throws {
    for number in 1...2000 { try post(#"{"mark":"go","fields":{"number":\#(number)}}"#) }
    let header = CassetteHeader(name: "recorded")
    let text = TraceText(header: header, events: endpoint.replay.log.events)
    let cassette = Cassette(header: header, events: endpoint.replay.log.trace(name: "recorded").events)
    try post(#"{"mark":"late"}"#)
    let pieces = Array(text)
    #expect(pieces.count > 2)
    #expect(pieces.allSatisfy { $0.last == UInt8(ascii: "\n") && $0.count < TraceText.pieceBytes + 1000 })
    #expect(pieces.dropLast().allSatisfy { $0.count >= TraceText.pieceBytes })
    #expect(Array(pieces.joined()) == cassette.serialized)
  }

  @Test func `the verdict tells of every rule, and the exit code counts misses`() throws {
    try post(#"{"mark":"go"}"#)
    func verdict(_ method: String = "GET", _ path: String = "/verdict") throws -> JSON {
      let answer = endpoint.respond(to: try request(method, "http://c\(path)")).answer
      #expect(answer.head?.status == 200)
      return try JSON(parsing: answer.text)
    }
    let open = try verdict()
    #expect(open["closed"] == false)
    #expect(open["exitCode"] == 3)
    let rule = open["contracts"]?[0]?["rules"]?[0]
    #expect(rule?["name"] == "R1")
    #expect(rule?["line"] == 4)
    #expect(rule?["verdict"] == "OPEN, leaning kept")
    #expect(open["contracts"]?[0]?["rules"]?[1]?["advice"] == true)

    let closed = try verdict("POST", "/finish")
    #expect(closed["closed"] == true)
    #expect(closed["exitCode"] == 0)
    #expect(finishes.count.withLock { $0 } == 1)
    let late = try request("POST", "http://c/marks", body: #"{"mark":"late"}"#)
    #expect(endpoint.respond(to: late).answer.head?.status == 400)

    _ = endpoint.replay.respond(to: Arrival(try request("GET", "http://b.test/two")), for: nil, through: .proxy)
    #expect(try verdict()["exitCode"] == 1)
    let misses = try JSON(parsing: endpoint.respond(to: try request("GET", "http://c/misses")).answer.text)["misses"]
    #expect(misses?.array?.count == 1)
    #expect(misses?[0]?["url"] == "http://b.test/two")
    #expect(
      misses?[0]?["message"] == "GET http://b.test/two was never recorded; the recording was cut off at 0.000 s")
  }

  private func post(_ body: String) throws {
    let answer = endpoint.respond(to: try request("POST", "http://c/marks", body: body)).answer
    #expect(answer.head?.status == 200)
    #expect(try JSON(parsing: answer.text)["marks"] == 1)
  }
}

private final class Finishes: Sendable {
  let count = Mutex(0)
}
