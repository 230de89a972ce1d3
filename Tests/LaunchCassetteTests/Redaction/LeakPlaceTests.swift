import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchCassette

/// Secrets where an event names the machines that talked.
@Suite struct LeakPlaceTests {
  @Test func `the address of a connection is redacted as any other text`() throws {
    var redactor = try Redactor(rules: RedactionRules(parsing: "redact json who as who", file: "r"))
    _ = redactor.redact(call(0, 1, .end(Content(Array(#"{"who":"203.0.113.77"}"#.utf8)))))
    let event = redactor.redact(
      call(1, 2, .connection(Connection(id: 1, address: "203.0.113.77:443", tls: .seconds(1)))))
    guard case .call(_, .connection(let connection)) = event.kind else { return }
    #expect(connection.address.hasSuffix(":443") && connection.address != "203.0.113.77:443")
    #expect(connection.address.utf8.count == 16 && connection.tls == .seconds(1))
    #expect(redactor.redact(event) == event)
  }

  @Test func `a secret in a host is told of with what to do`() throws {
    var redactor = try Redactor(rules: RedactionRules(parsing: "redact json who as who", file: "r"))
    let answer = redactor.redact(call(0, 1, .end(Content(Array(#"{"who":"tenant-4711"}"#.utf8)))))
    let location = Location(scheme: "https", host: "tenant-4711.example.com", path: "/")
    let request = redactor.redact(call(1, 2, .request(Request(method: "GET", location: location), from: nil)))
    let file = Cassette(header: CassetteHeader(name: "x"), events: [answer, request]).serialized
    let leaks = LeakScan(redactor).leaks(in: file)
    #expect(leaks == [LeakScan.Leak(line: 3, kind: "who", isInHost: true)])
    #expect(
      "\(LeakError(path: "x.cassette", leaks: leaks))"
        == "x.cassette was not written: after redaction it would still hold a secret of the kind who on line 3, in the host of "
        + "its URL; hosts stay as they are, so a rule must say that this is no secret: keep text matching WORD")
  }
}
