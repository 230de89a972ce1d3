import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Cassettes of any size, made up after what recordings of launches look like.
enum SyntheticCassette {
  /// A typical recording of ten users whose identifiers are pseudonyms, and the requests of an app that has others.
  static func redacted(exchanges: Int) -> (cassette: Cassette, live: [Request]) {
    let users = 10
    let cassette = make("redacted", exchanges, pseudonyms: (0..<users).map { identifier($0 + 1) }) { number in
      let id = identifier(number % users + 1)
      let (request, head) = exchange(number, of: id)
      return (request, head, Content(answer(id, number)))
    }
    return (cassette, (1...exchanges).map { exchange($0, of: identifier(1_000_000 + $0 % users)).0 })
  }

  /// Exchanges as vendors' SDKs have them: POST and GET, eight header lines, some of them never the same twice, JSON both
  /// ways.
  static func typical(exchanges: Int) -> Cassette {
    make("typical", exchanges) { number in
      let (request, head) = exchange(number, of: identifier(number))
      return (request, head, Content(answer(identifier(number), number)))
    }
  }

  private static func exchange(_ number: Int, of id: String) -> (Request, ResponseHead) {
    let body = #"{"identity":{"external_id":"\#(id)"},"properties":{"language":"en","count":\#(number)}}"#
    let location = Location(
      scheme: "https", host: "api.example.com", path: "/apps/7d3c5a90/users/\(id)", query: "page=\(number % 7)")
    let request = Request(
      method: number % 3 == 0 ? "GET" : "POST", location: location,
      fields: [
        "Accept": "application/vnd.example.v1+json", "Content-Type": "application/json",
        "SDK-Version": "example/ios/050601", "X-Request-ID": id,
      ], body: number % 3 == 0 ? [] : Array(body.utf8))
    let head = ResponseHead(
      status: 200,
      fields: [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "X-Trace": id,
        "Content-Length": "\(380 + number % 10)",
      ])
    return (request, head)
  }

  /// Exchanges as small as real ones get.
  static func small(exchanges: Int) -> Cassette {
    make("small", exchanges) { number in
      let request = Request(
        method: "GET", location: Location(scheme: "https", host: "api.example.com", path: "/items/\(number)"),
        fields: ["Accept": "application/json"])
      let head = ResponseHead(status: 200, fields: ["Content-Type": "application/json", "Content-Length": "40"])
      return (request, head, Content(Array(#"{"id":\#(number),"name":"item \#(number)","ok":true}"#.utf8)))
    }
  }

  /// One exchange that answers with `content`.
  static func single(_ content: Content, type: String) -> Cassette {
    make("single", 1) { _ in
      let location = Location(scheme: "https", host: "api.example.com", path: "/content")
      let head = ResponseHead(status: 200, fields: ["Content-Type": type, "Content-Length": "\(content.body.count)"])
      return (Request(method: "GET", location: location, fields: ["Accept": "*/*"]), head, content)
    }
  }

  private static func make(
    _ name: String, _ exchanges: Int, pseudonyms: [String] = [],
    _ exchange: (Int) -> (Request, ResponseHead, Content)
  ) -> Cassette {
    var events = [Event(at: .zero, .launch(1))]
    for number in 1...exchanges {
      let (request, head, content) = exchange(number)
      let connection = Connection(id: 1, address: "127.0.0.1:9001", isReused: number > 1)
      let steps: [(Int, Event.Step)] = [
        (0, .request(request)), (211, .connection(connection)), (260, .sent), (40_113, .response(head)),
        (40_190, .chunk(bytes: content.body.count)), (40_233, .end(content)),
      ]
      for (offset, step) in steps {
        events.append(Event(at: Instant(microseconds: Int64(number * 50_000 + offset)), .call(number, step)))
      }
    }
    let end = Instant(microseconds: Int64(exchanges + 1) * 50_000)
    let redacted: JSONObject = pseudonyms.isEmpty ? [:] : ["user": .array(pseudonyms.map(JSON.string))]
    events.append(Event(at: end, .closed(Closing(events: events.count, redacted: redacted))))
    return Cassette(header: CassetteHeader(name: name, by: "LaunchBench"), events: events)
  }

  /// Another one for each number, the same in each run.
  private static func identifier(_ number: Int) -> String {
    var word = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    word ^= word >> 31
    let digits = String(word | 1 << 63, radix: 16)
    return "\(digits.prefix(8))-\(digits.dropFirst(8).prefix(4))-4e8b-a6c7-0b95\(digits.suffix(8))"
  }

  private static func answer(_ id: String, _ number: Int) -> [UInt8] {
    let text =
      #"{"identity":{"onesignal_id":"\#(id)"},"subscriptions":[{"id":"\#(id)","type":"iOSPush","enabled":true,"#
      + #""notification_types":-18,"session_count":\#(number),"sdk":"050601","device_model":"iPhone99,1","#
      + #""device_os":"18.0","rooted":false,"test_type":1,"app_version":"1.0","net_type":0}],"properties":{"tags":"#
      + #"{"mmp_id":"ee7333c3","paywall":"onboarding"},"language":"en","timezone_id":"Europe/Paris"}}"#
    return Array(text.utf8)
  }
}
