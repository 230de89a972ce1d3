import LaunchHTTP
import Testing

@testable import LaunchServer

struct RequestReaderTests {
  private static let limits = LaunchServer.Limits(idle: .milliseconds(100))

  private func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }

  private func name(_ step: RequestReader.Step) -> String {
    switch step {
    case .request(let head, let body): "\(head.target) \(String(decoding: body, as: UTF8.self))"
    case .refused(let answer):
      String(String(decoding: answer.writes.flatMap { $0.pieces.joined() }, as: UTF8.self).prefix(12))
    case .expectation: "expectation"
    case .starved: "starved"
    case .closed: "closed"
    }
  }

  private func append(_ text: String, at milliseconds: Int64, _ reader: inout RequestReader) {
    reader.append(Array(text.utf8)[...], at: at(milliseconds))
  }

  @Test func `a head has one deadline, content one for each piece, a pause none of its own`() {
    var reader = RequestReader(limits: Self.limits)
    #expect(name(reader.next()) == "starved")
    #expect(reader.deadline == nil)
    append("POST /a HTT", at: 10, &reader)
    #expect(name(reader.next()) == "starved")
    #expect(reader.deadline == at(110))
    append("P/1.1\r\nHost: h\r\n", at: 90, &reader)
    #expect(name(reader.next()) == "starved")
    #expect(reader.deadline == at(110))
    append("Content-Length: 2\r\n\r\nx", at: 105, &reader)
    #expect(name(reader.next()) == "starved")
    #expect(reader.deadline == nil)
    #expect(reader.requestBegan == at(10))
    append("y", at: 180, &reader)
    #expect(name(reader.next()) == "/a xy")
    #expect(reader.lastInput == at(180))
    #expect(reader.requestBegan == nil)
    #expect(name(reader.next()) == "starved")
  }

  @Test func `requests sent together come one by one`() {
    var reader = RequestReader(limits: Self.limits)
    append("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\nGET /3", at: 5, &reader)
    #expect(name(reader.next()) == "/1 ")
    #expect(name(reader.next()) == "/2 ")
    #expect(reader.deadline == at(105))
    #expect(name(reader.next()) == "starved")
    reader.timeOut()
    #expect(name(reader.next()) == "HTTP/1.1 408")
  }

  @Test func `a client that waits for 100 Continue is seen only while it waits`() {
    let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
    var reader = RequestReader(limits: Self.limits)
    append(head, at: 1, &reader)
    #expect(name(reader.next()) == "expectation")
    #expect(name(reader.next()) == "starved")
    append("x" + head + "y", at: 2, &reader)
    #expect(name(reader.next()) == "/ x")
    #expect(name(reader.next()) == "/ y")
  }

  @Test(arguments: [
    ("", false, "closed"), ("", true, "closed"), ("GET ", false, "HTTP/1.1 400"), ("GET ", true, "HTTP/1.1 408"),
  ]) func `an end between requests is quiet, inside one it is told`(input: String, isTimeOut: Bool, step: String) {
    var reader = RequestReader(limits: Self.limits)
    if !input.isEmpty { append(input, at: 1, &reader) }
    if isTimeOut { reader.timeOut() } else { reader.close() }
    #expect(name(reader.next()) == step)
  }

  @Test(arguments: ["7FFFFFFFFFFFFFFF", "b", "3;a=b\r\nabc\r\n8"])
  func `a chunk longer than what is accepted is refused before it comes`(chunks: String) {
    var reader = RequestReader(limits: LaunchServer.Limits(bodyBytes: 10))
    append("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\r\n", at: 1, &reader)
    #expect(name(reader.next()) == "HTTP/1.1 413")
  }

  @Test func `a chunk that fills what is accepted is waited for`() {
    var reader = RequestReader(limits: LaunchServer.Limits(bodyBytes: 10))
    append("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n7\r\n", at: 1, &reader)
    #expect(name(reader.next()) == "starved")
    append("defghij\r\n0\r\n\r\n", at: 2, &reader)
    #expect(name(reader.next()) == "/ abcdefghij")
  }

  @Test func `every cut of a stream gives the same requests`() {
    let stream = Array(
      "POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcPUT /2 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n0\r\n\r\n"
        .utf8)
    for cut in 0...stream.count {
      var reader = RequestReader(limits: Self.limits)
      var found: [String] = []
      for part in [stream[..<cut], stream[cut...]] where !part.isEmpty {
        reader.append(part, at: at(1))
        while case let step = reader.next(), name(step) != "starved" { found.append(name(step)) }
      }
      #expect(found == ["/1 abc", "/2 de"], "cut at \(cut)")
    }
  }
}
