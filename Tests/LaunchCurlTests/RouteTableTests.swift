import LaunchCurl
import TestSupport
import Testing

@Suite struct RouteTableTests {
  @Test(arguments: [
    ("127.0.0.1:9001", Route(host: "127.0.0.1", port: 9001)), ("sandbox.test", Route(host: "sandbox.test", port: 80)),
    ("[::1]:9001", Route(host: "[::1]", port: 9001)), ("[fe80::1]", Route(host: "[fe80::1]", port: 80)),
    ("tls://127.0.0.1:9443", Route(host: "127.0.0.1", port: 9443, security: .tls(caFile: "ca.pem"))),
    ("TLS://sandbox.test", Route(host: "sandbox.test", port: 443, security: .tls(caFile: "ca.pem"))),
  ]) func `addresses are read`(text: String, route: Route) throws {
    #expect(try Route(parsing: text, caFile: "ca.pem") == route)
    #expect(try Route(parsing: route.description, caFile: "ca.pem") == route)
  }

  @Test(arguments: [
    ("", RouteError.missingAddress("")), ("api.test", .missingAddress("api.test")), ("=1.1.1.1:1", .invalidHost("")),
    ("a b=1.1.1.1:1", .invalidHost("a b")), ("api.test=", .invalidHost("")), ("api.test=:90", .invalidHost("")),
    ("api.test=a/b:90", .invalidHost("a/b")), ("api.test=::1", .invalidHost(":")),
    ("api.test=[::1:90", .invalidHost("[::1")), ("api.test=http://1.1.1.1:90", .invalidScheme("http://")),
    ("api.test=://1.1.1.1:90", .invalidScheme("://")), ("api.test=1.1.1.1:", .invalidPort("")),
    ("api.test=1.1.1.1:0", .invalidPort("0")), ("api.test=1.1.1.1:65536", .invalidPort("65536")),
    ("api.test=1.1.1.1:+9", .invalidPort("+9")),
    ("api.test=1.1.1.1:99999999999999999999", .invalidPort("99999999999999999999")),
    ("taken.test=1.1.1.1:1", .duplicateHost("taken.test")), ("TAKEN.test=1.1.1.1:1", .duplicateHost("TAKEN.test")),
  ]) func `what is not a route is one clear error`(text: String, error: RouteError) {
    #expect(throws: error) { _ = try RouteTable(parsing: ["taken.test=2.2.2.2:2", text], otherwise: .refuse) }
    #expect(!error.description.isEmpty)
  }

  @Test func `hosts are found in any letter case`() throws {
    let table = try RouteTable(parsing: ["API.Test=1.1.1.1:1"], otherwise: .direct)
    #expect(table["api.test"] == Route(host: "1.1.1.1", port: 1))
    #expect(table["api.TEST"] == table["api.test"])
    #expect(table["other.test"] == nil)
  }

  @Test func `any text is a route or an error`() {
    var random = SeededGenerator(seed: 0x0907)
    let alphabet = Array("a1.:[]=/tls-%é \0")
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0..<16, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" })
      do throws(RouteError) {
        let table = try RouteTable(parsing: [text], otherwise: .refuse)
        let host = String(text.prefix { $0 != "=" })
        #expect(table[host].map { RouteTable([host: $0], otherwise: .refuse) } == table)
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
