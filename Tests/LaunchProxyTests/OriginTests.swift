import LaunchHTTP
import LaunchTrace
import Testing

@testable import LaunchProxy

@Suite struct OriginTests {
  @Test(arguments: [
    ("http://api.onesignal.com/x", "https://api.onesignal.com"),
    ("http://api.onesignal.com:80/x", "https://api.onesignal.com"),
    ("https://api.onesignal.com:443/x", "https://api.onesignal.com"),
    ("http://api.onesignal.com:40001/x", "https://api.onesignal.com"),
    ("http://both.test/x", "http://both.test"),
    ("https://both.test/x", "https://both.test"),
    ("http://both.test:8080/x", "https://both.test:8080"),
    ("https://both.test:9/x", "https://both.test"),
    ("http://127.0.0.1:3000/x", "http://127.0.0.1:3000"),
    ("http://127.0.0.1:3001/x", "http://127.0.0.1:3000"),
    ("http://onesignal.com/x", nil),
  ])
  func `the recorded host decides, its scheme and port go before those of the request`(
    url: String, origin: String?
  ) throws {
    #expect(try origins().origin(of: Location(parsing: url))?.description == origin)
  }

  @Test func `an origin is called by its host, and by more only where the host has several`() throws {
    let origins = try origins()
    let names = origins.all.map(origins.name)
    #expect(names == ["api.onesignal.com", "http://both.test", "both.test", "both.test:8080", "127.0.0.1"])
    #expect(names.map { origins.named($0) } == origins.all)
    #expect(origins.named("API.onesignal.com") == origins.all[0])
    #expect(origins.named("https://both.test") == origins.all[2])
    #expect(origins.named("onesignal.com") == nil)
  }

  @Test(
    arguments: [
      ("127.0.0.1:0", 0, nil), ("localhost:65535", 65535, nil), ("127.0.0.1:09001", 9001, nil),
      ("0.0.0.0:80", nil, ReplayServerError.notLoopback("0.0.0.0:80")),
      ("[::1]:80", nil, .notLoopback("[::1]:80")),
      ("example.com:80", nil, .notLoopback("example.com:80")),
      (":80", nil, .notLoopback(":80")),
      ("127.0.0.1", nil, .malformedAddress("127.0.0.1")),
      ("127.0.0.1:", nil, .malformedAddress("127.0.0.1:")),
      ("127.0.0.1:65536", nil, .malformedAddress("127.0.0.1:65536")),
      ("127.0.0.1:+80", nil, .malformedAddress("127.0.0.1:+80")),
      ("127.0.0.1:999999999999999999999", nil, .malformedAddress("127.0.0.1:999999999999999999999")),
      ("", nil, .malformedAddress("")),
    ] as [(String, Int?, ReplayServerError?)])
  func `only loopback addresses are taken`(text: String, port: Int?, error: ReplayServerError?) {
    do throws(ReplayServerError) {
      #expect(try LoopbackAddress(parsing: text).portNumber == port)
    } catch let thrown {
      #expect(thrown == error)
    }
  }

  private func origins() throws -> RecordedOrigins {
    let urls = [
      "https://api.onesignal.com/a", "http://both.test/", "https://api.onesignal.com:443/b", "https://both.test/",
      "https://both.test:8080/", "http://127.0.0.1:3000/",
    ]
    var recording = Recording()
    for url in urls { try recording.call("GET", url) }
    return RecordedOrigins(ExchangeList(recording.trace.events))
  }
}
