import LaunchHTTP
import LaunchJSON
import Testing

@testable import LaunchClients

/// Which host a call goes to after which failure: vendors.md 2.1 and 2.5.
@Suite struct AdaptyServersTests {
  private let now = WallTime(milliseconds: 1_000_000)
  private let requests = AdaptyRequests(publicKey: "public.0", device: .sample)
  private let a = Location(scheme: "https", host: "a.example", path: "/api/v1")
  private let b = Location(scheme: "https", host: "b.example", path: "/api/v1")

  private var servers: AdaptyServers {
    let urls: JSON = ["default": ["https://a.example", "https://b.example"]]
    return AdaptyServers(
      .eu, AdaptyNetConfig(Script.netConfig(["api_endpoints": urls])["data"], now: now) ?? .initial)
  }

  private func failure(_ status: Int, _ fields: Fields = [:], _ body: String = "") -> AdaptyFailure {
    let response = Response(head: ResponseHead(status: status, fields: fields), body: Array(body.utf8))
    return AdaptyFailure(response, now: now) ?? .unreadable
  }

  static let switching: [(AdaptyFailure, Bool)] =
    [503, 520, 524, 526].map { (.refused(status: $0), true) }
    + [500, 502, 404, 429, 499, 521].map { (.refused(status: $0), false) }
    + [.dns, .refused, .connect, .timeout, .tls].map { (.transport(TransportError($0, during: .connect)), true) }
    + [.reset, .truncated, .protocol, .cancelled, .unmatched].map {
      (.transport(TransportError($0, during: .body)), false)
    }

  @Test(arguments: switching) func `some failures move the main calls to the next host`(
    failure: AdaptyFailure, moves: Bool
  ) throws {
    var servers = servers
    #expect(try servers.base(requests.products, now) == a)
    servers.note(failure, requests.products, at: a)
    #expect(try servers.base(requests.products, now) == (moves ? b : a))
  }

  @Test func `several failures at one host move on once, and the last host stays`() throws {
    var servers = servers
    for base in [a, a, b, b] { servers.note(.refused(status: 503), requests.products, at: base) }
    #expect(try servers.base(requests.products, now) == b)
    servers.renew(nil, now)
    #expect(try servers.base(requests.products, now) == b)
    servers.renew(self.servers.configuration, now)
    #expect(try servers.base(requests.products, now) == a)
  }

  @Test func `failures of other servers move nothing`() throws {
    var servers = servers
    let call = requests.audiencePaywall(.configs, placement: "p", language: "en")
    servers.note(.refused(status: 503), call, at: call.server.base(.eu))
    #expect(try servers.base(call, now) == call.server.base(.eu))
    #expect(try servers.base(requests.products, now) == a)
  }

  @Test func `without a main host there is none`() {
    var servers = servers
    servers.renew(AdaptyNetConfig(Script.netConfig(["api_endpoints": [:]])["data"], now: now), now)
    #expect(throws: AdaptyFailure.banned) { try servers.base(requests.products, now) }
  }

  /// Which kinds of server are banned after a 401 of another.
  static let unauthorized: [(AdaptyCall.Server, Set<AdaptyCall.Server>)] = [
    (.main, [.main, .configs, .fallback, .ua]), (.configs, [.configs]), (.ua, [.ua]), (.fallback, [.fallback]),
  ]

  @Test(arguments: unauthorized) func `401 bans a kind of server for the process, and main every kind`(
    server: AdaptyCall.Server, banned: Set<AdaptyCall.Server>
  ) {
    var servers = servers
    servers.note(failure(401), call(server), at: a)
    let end = WallTime(milliseconds: .max)
    for other in AdaptyCall.Server.allCases { #expect(servers.isBanned(call(other), end) == banned.contains(other)) }
  }

  /// Until when a call is banned, in seconds from the answer.
  static let bans: [(status: Int, fields: Fields, body: String, seconds: Double?)] = [
    (429, ["Retry-After": "30"], "", 30), (429, ["retry-after": "0.5"], "", 0.5), (429, [:], "60", nil),
    (429, ["retry-after": "soon"], "", nil), (429, ["retry-after": "-5"], "", nil),
    (429, ["retry-after": "nan"], "", nil),
    (429, ["retry-after": "1e400"], "", 3_155_760_000), (444, [:], "2", 120), (444, [:], "0.5", 30),
    (444, [:], "", 86_400), (444, [:], "<html>", 86_400), (444, ["retry-after": "1"], "x", 86_400),
    (503, ["retry-after": "30"], "", nil),
  ]

  @Test(arguments: bans) func `429 and 444 ban the call alone, for as long as they say`(
    status: Int, fields: Fields, body: String, seconds: Double?
  ) {
    var servers = servers
    servers.note(failure(status, fields, body), requests.products, at: a)
    #expect(servers.isBanned(requests.products, now) == (seconds != nil))
    let end = now + (seconds ?? 0)
    let last = WallTime(milliseconds: end.milliseconds - 1)
    if seconds != nil { #expect(servers.isBanned(requests.products, last)) }
    #expect(!servers.isBanned(requests.products, end))
    #expect(!servers.isBanned(requests.fetchProfile(.init(profileID: "p")), now))
  }

  @Test func `the longer ban counts`() {
    var servers = servers
    for seconds in ["30", "5"] { servers.note(failure(429, ["retry-after": seconds]), requests.products, at: a) }
    #expect(servers.isBanned(requests.products, now + 29.999))
  }

  static let bodies: [(String, [String])] = [
    (#"{"error_code":"A","detail":[{"type":"B"}]}"#, ["A"]),
    (#"{"detail":[{"type":"B"},{"type":"C"},{}]}"#, ["B", "C"]),
    (#"{"errors":[{"code":"D"},{"code":4},"x"],"detail":[]}"#, ["D"]), (#"{"detail":"x"}"#, []), ("<html>", []),
    ("", []),
  ]

  @Test(arguments: bodies) func `three shapes of error body are understood`(body: String, codes: [String]) {
    #expect(failure(400, [:], body) == .refused(status: 400, codes: codes))
    #expect(failure(200, [:], body) == (codes.isEmpty ? .unreadable : .refused(status: 200, codes: codes)))
  }

  private func call(_ server: AdaptyCall.Server) -> AdaptyCall {
    var call = requests.netConfig
    call.server = server
    return call
  }
}
