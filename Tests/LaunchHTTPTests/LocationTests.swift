import LaunchHTTP
import TestSupport
import Testing

struct LocationTests {
  static let accepted: [(text: String, location: Location)] = [
    ("https://api.onesignal.com", Location(scheme: "https", host: "api.onesignal.com")),
    (
      "HTTP://API.Example.com:8080/A/b?C=d",
      Location(scheme: "http", host: "api.example.com", port: 8080, path: "/A/b", query: "C=d")
    ),
    ("https://h:443/", Location(scheme: "https", host: "h", port: 443)),
    ("https://h:/x", Location(scheme: "https", host: "h", path: "/x")),
    ("https://h?q", Location(scheme: "https", host: "h", query: "q")),
    ("https://h/?", Location(scheme: "https", host: "h", query: "")),
    ("https://h/a/../b/%7e%zz//c", Location(scheme: "https", host: "h", path: "/a/../b/%7e%zz//c")),
    ("https://h/é?x=ü", Location(scheme: "https", host: "h", path: "/é", query: "x=ü")),
    ("https://h/p?a=/?b#top", Location(scheme: "https", host: "h", path: "/p", query: "a=/?b")),
    ("http://[::1]:9001/x", Location(scheme: "http", host: "[::1]", port: 9001, path: "/x")),
    ("http://[::FFFF:127.0.0.1]", Location(scheme: "http", host: "[::ffff:127.0.0.1]")),
    ("http://127.0.0.1:1/@:", Location(scheme: "http", host: "127.0.0.1", port: 1, path: "/@:")),
  ]

  @Test(arguments: accepted) func `a location keeps everything but letter case of scheme and host`(
    row: (text: String, location: Location)
  ) throws {
    #expect(try Location(parsing: row.text) == row.location)
  }

  static let refused: [(text: String, error: LocationError)] = [
    ("", LocationError(.missingScheme, at: 0)),
    ("/path", LocationError(.missingScheme, at: 0)),
    ("api.adjust.com/session", LocationError(.missingScheme, at: 0)),
    ("127.0.0.1:80", LocationError(.missingScheme, at: 0)),
    ("localhost:80/x", LocationError(.unsupportedScheme("localhost"), at: 0)),
    ("ftp://h/", LocationError(.unsupportedScheme("ftp"), at: 0)),
    ("https:/h", LocationError(.missingHost, at: 6)),
    ("https://", LocationError(.missingHost, at: 8)),
    ("https:///x", LocationError(.missingHost, at: 8)),
    ("https://:80/", LocationError(.missingHost, at: 8)),
    ("https://me:secret@h/", LocationError(.userInfo, at: 8)),
    ("https://exämple.com/", LocationError(.hostByte(0xC3), at: 10)),
    ("https://a|b/", LocationError(.hostByte(0x7C), at: 9)),
    ("http://[::1", LocationError(.malformedAddress, at: 7)),
    ("http://[abc]/", LocationError(.malformedAddress, at: 7)),
    ("http://[::1]x/", LocationError(.malformedPort, at: 12)),
    ("http://h:0/", LocationError(.malformedPort, at: 8)),
    ("http://h:65536/", LocationError(.malformedPort, at: 8)),
    ("http://h:+1/", LocationError(.malformedPort, at: 8)),
    ("http://h:99999999999999999999/", LocationError(.malformedPort, at: 8)),
    ("http://h/a b", LocationError(.forbiddenByte(0x20), at: 10)),
    ("http://h/\r\nX: y", LocationError(.forbiddenByte(0x0D), at: 9)),
  ]

  @Test(arguments: refused) func `a mistake is named with its position`(row: (text: String, error: LocationError)) {
    #expect(throws: row.error) { try Location(parsing: row.text) }
  }

  @Test func `a location prints as it was written`() throws {
    for text in ["https://h/", "http://[::1]:9001/x?", "https://h/a?b=c&b=%zz"] {
      #expect(try Location(parsing: text).description == text)
    }
  }

  /// RFC 3986 section 5.4, less the forms with other schemes and parameters.
  static let references: [(reference: String, result: String)] = [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("https://Other:8443/x/../y?z", "https://other:8443/y?z"), ("a/b:c", "http://a/b/c/a/b:c"),
  ]

  @Test(arguments: references) func `a reference resolves as RFC 3986 says`(row: (reference: String, result: String))
    throws
  {
    let base = try Location(parsing: "http://a/b/c/d;p?q")
    #expect(try base.resolving(row.reference).description == row.result)
  }

  @Test func `a redirect to another scheme is refused`() throws {
    let base = try Location(parsing: "http://a/b")
    #expect(throws: LocationError(.unsupportedScheme("file"), at: 0)) { try base.resolving("file:///etc/passwd") }
    #expect(throws: LocationError(.missingHost, at: 5)) { try base.resolving("http:g") }
  }

  @Test func `query items are decoded in order with duplicates`() throws {
    let location = try Location(parsing: "https://h/?b=2&a=1+1&&b=%C3%A9%20x&flag&=v&bad=%zz&raw=%FF%20&n=a=b")
    let items = location.queryItems.map { "\($0.name):\($0.value)" }
    #expect(items == ["b:2", "a:1+1", "b:é x", "flag:", ":v", "bad:%zz", "raw:%FF%20", "n:a=b"])
    #expect(Location(scheme: "https", host: "h").queryItems.isEmpty)
  }

  @Test func `any bytes as a location end in a value or an error`() throws {
    var random = SeededGenerator(seed: 7)
    let samples = Self.accepted.map { Array($0.text.utf8) } + Self.references.map { Array($0.reference.utf8) }
    for _ in 0..<20_000 {
      let text = String(decoding: random.mutating(samples.randomElement(using: &random) ?? []), as: UTF8.self)
      guard let location = try? Location(parsing: text) else { continue }
      #expect(try Location(parsing: location.description) == location)
      _ = try? location.resolving(text)
      _ = location.queryItems
    }
  }
}
