import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Events of every kind with the lines they stand on in a cassette.
let eventLines: [(event: Event, line: String)] = [
  (event(0, .launch(1)), #"{"at":0,"launch":1}"#),
  (event(0, .mark(Mark("start counting"))), #"{"at":0,"mark":"start counting"}"#),
  (
    event(1204, .mark(Mark("ATT answered", ["status": 3]))),
    #"{"at":1204,"mark":"ATT answered","fields":{"status":3}}"#
  ),
  (
    call(
      41_377, 1,
      .request(
        Request(
          method: "POST", location: Location(scheme: "https", host: "api.onesignal.com", path: "/apps/a1/users"),
          fields: ["Content-Type": "application/json"], body: Array(#"{"identity":{}}"#.utf8)))),
    #"{"at":41377,"call":1,"request":{"method":"POST","url":"https://api.onesignal.com/apps/a1/users","#
      + #""headers":[["Content-Type","application/json"]],"body":{"json":{"identity":{}}}}}"#
  ),
  (
    call(
      60_112, 1,
      .connection(
        Connection(
          id: 1, address: "127.0.0.1:9001", dns: .microseconds(812), connect: .microseconds(1903),
          tls: .microseconds(9120), version: .http2))),
    #"{"at":60112,"call":1,"connection":{"id":1,"address":"127.0.0.1:9001","dns":812,"connect":1903,"tls":9120,"#
      + #""http":"2"}}"#
  ),
  (call(60_140, 1, .sent), #"{"at":60140,"call":1,"sent":{}}"#),
  (
    call(80_020, 1, .informational(ResponseHead(status: 103, fields: ["Link": "</a.css>"], version: .http2))),
    #"{"at":80020,"call":1,"informational":{"status":103,"headers":[["Link","</a.css>"]],"http":"2"}}"#
  ),
  (
    call(
      93_001, 1,
      .response(
        ResponseHead(status: 200, fields: Fields([Field("set-cookie", "a=1"), Field("Set-Cookie", "b=2")])))),
    #"{"at":93001,"call":1,"response":{"status":200,"headers":[["set-cookie","a=1"],["Set-Cookie","b=2"]],"#
      + #""http":"1.1"}}"#
  ),
  (call(93_120, 1, .chunk(bytes: 9)), #"{"at":93120,"call":1,"chunk":{"bytes":9}}"#),
  (
    call(
      133_160, 1,
      .end(
        Content(
          Array(#"{"a":1.0}"#.utf8), trailers: ["X-Sum": "7"], encoding: "gzip", wireBytes: 29))),
    #"{"at":133160,"call":1,"end":{"body":{"json":{"a":1.0}},"encoding":"gzip","wireBytes":29,"#
      + #""trailers":[["X-Sum","7"]]}}"#
  ),
  (
    call(
      133_200, 2,
      .request(
        Request(
          method: "GET",
          location: Location(scheme: "http", host: "[::1]", port: 8080, path: "/b", query: "q=%C3%A9&q=")), from: 1)),
    #"{"at":133200,"call":2,"from":1,"request":{"method":"GET","url":"http://[::1]:8080/b?q=%C3%A9&q=","headers":[]}}"#
  ),
  (
    call(133_205, 2, .connection(Connection(id: 1, address: "127.0.0.1:9001", isReused: true))),
    #"{"at":133205,"call":2,"connection":{"id":1,"address":"127.0.0.1:9001","reused":true,"http":"1.1"}}"#
  ),
  (
    call(133_300, 2, .response(ResponseHead(status: 200, version: .http10))),
    #"{"at":133300,"call":2,"response":{"status":200,"headers":[],"http":"1.0"}}"#
  ),
  (call(133_301, 2, .chunk(bytes: 2)), #"{"at":133301,"call":2,"chunk":{"bytes":2}}"#),
  (
    call(
      5_000_133, 2,
      .error(TransportError(.timeout, during: .body, "no \"end\""), Content([0x1F, 0x8B], isRaw: true))),
    #"{"at":5000133,"call":2,"error":{"reason":"timeout","phase":"body","message":"no \"end\"","#
      + #""body":{"base64":"H4s="},"raw":true}}"#
  ),
  (
    event(
      9_120_044,
      .closed(
        Closing(
          events: 15, redacted: ["idfa": ["AAAAAAAA-0000"]],
          overhead: Overhead(deliveries: 9, p50: .microseconds(3), p99: .microseconds(8), max: .microseconds(12))))),
    #"{"at":9120044,"closed":true,"events":15,"overhead":{"deliveries":9,"p50":3,"p99":8,"max":12},"redacted":{"idfa":["AAAAAAAA-0000"]}}"#
  ),
]

let headerLine = #"{"cassette":1,"name":"sample","recorded":"2026-11-30T06:20:45.123456Z","by":"launchtape 0.1.0"}"#

/// A whole cassette with an event of every kind.
let sampleText = ([headerLine] + eventLines.map(\.line)).map { $0 + "\n" }.joined()

func event(_ microseconds: Int64, _ kind: Event.Kind) -> Event {
  Event(at: Instant(microseconds: microseconds), kind)
}

func call(_ microseconds: Int64, _ number: Int, _ step: Event.Step) -> Event {
  event(microseconds, .call(number, step))
}

/// A cassette's text: a plain header, then these lines.
func cassette(_ lines: String...) -> [UInt8] {
  Array(([#"{"cassette":1,"name":"x"}"#] + lines).joined(separator: "\n").utf8)
}
