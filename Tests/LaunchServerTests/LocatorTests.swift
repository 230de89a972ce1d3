import LaunchHTTP
import Testing

@testable import LaunchServer

struct LocatorTests {
  @Test func `a locator agrees with the head it reads, whatever it has seen before`() {
    var locator = Locator(address: "127.0.0.1:80")
    let hosts: [String?] = ["h", "h", "H:1", "h", nil, "a b", "h", "[::1]:9", nil]
    for host in hosts {
      for target in ["/", "/a?b=?c", "/?", "/%20//x", "http://other:7/y?z", "*", "/é"] {
        let head = RequestHead(method: "GET", target: target, fields: host.map { ["Host": $0] } ?? [:])
        let expected = Result { try head.location(scheme: "http", fallback: "127.0.0.1:80") }
        let found = Result { try locator.location(of: head) }
        #expect((try? found.get()) == (try? expected.get()), "\(host ?? "no host") \(target)")
      }
    }
  }
}
