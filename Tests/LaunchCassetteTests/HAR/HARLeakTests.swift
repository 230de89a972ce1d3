@testable import LaunchCassette
import LaunchHTTP
import LaunchJSON
import Testing

/// Secrets in the odd places of a HAR: in what is read of it, in what is kept beside that, and in what messages say.
struct HARLeakTests {
  /// Members of a request, each with `%` for the secret.
  static let requests = [
    #""url":"/x?access_token=%""#, #""url":"x.test/y?a=1&access_token=%#top""#, #""url":"/x#access_token=%""#,
    #""url":"https://user:%@a.test/x""#, #""url":"ftp://a.test/x?access_token=%""#, #""url":"not a url?password=%""#,
    #""url":"data:application/json,{\"password\":\"%\"}""#, #""url":"data:,%7B%22password%22%3A%22%%22%7D""#,
    #""url":"DATA:text/plain;charset=utf-8,a=1&password=%""#,
    #""url":"https://a.test/","cookies":{"sid":"%"}"#, #""url":"https://a.test/","cookies":[["sid","%"]]"#,
    #""url":"https://a.test/","queryString":[["access_token","%"]]"#,
    #""url":"https://a.test/","queryString":{"access_token":"%"}"#,
    #""url":"https://a.test/","_requestHeaders":{"Authorization":"Bearer %"}"#,
    #""url":"https://a.test/","_requestHeaders":[["Authorization","Bearer %"]]"#,
    #""url":"https://a.test/","method":"POST","postData":{"text":"a=1","params":[["password","%"]]}"#,
    #""url":"https://a.test/","method":"POST","postData":{"text":"a=1","params":{"password":"%"}}"#,
    #""url":"https://a.test/","method":"POST","postData":{"params":[["password","%"]]}"#,
    #""url":"https://a.test/","method":"POST","postData":{"text":"a=1&password=%&"}"#,
    #""url":"https://a.test/","method":"POST","postData":{"text":"{\"pass\\u0077ord\":\"%\"}"}"#,
  ]

  @Test(arguments: requests) func `no odd place of a request keeps a secret`(request: String) throws {
    try expectNoLeak(of: "cnryvwxzhjkQ77", in: filled(request, "cnryvwxzhjkQ77"))
  }

  @Test(arguments: requests) func `what is too short to be searched for is replaced where it stands`(request: String)
    throws
  {
    // Nothing says of a name at an `@` that it is one.
    guard !request.contains("user:") else { return }
    try expectNoLeak(of: "Kq7zX", in: filled(request, "Kq7zX"))
  }

  @Test func `a message does not quote a header line without a name`() throws {
    let cassette = try Cassette(har: har(#""url":"https://a.test/","headers":[{"value":"Bearer abc"}]"#), path: "x.har")
    let messages = cassette.warnings.map { "\($0)" }.filter { $0.contains("headers") }
    #expect(
      messages == ["x.har:1:73: warning: log.entries[0].request.headers[0]: is no header line; left out of the call"])
  }

  @Test func `base64 in a URL is looked into`() throws {
    for text in [#"{"password":"Kq7zX"}"#, #"{"a":1,"password":"cnryvwxzhjkQ77"}"#, "a=1&password=Kq7zX&b="] {
      let encoded = String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self)
      let root = har(#""url":"data:application/json;base64,\#(encoded)""#)
      let safe = try Cassette(har: root, path: "x.har").redacted(by: .builtIn).0
      let url = try JSON(parsing: safe.har)["log"]?["entries"]?[0]?["request"]?["url"]?.string ?? ""
      let content = url.split(separator: ",").last.flatMap { Base64.decode(lenient: String($0).utf8) } ?? []
      let decoded = String(decoding: content, as: UTF8.self)
      #expect(decoded.utf8.count == text.utf8.count && decoded.contains("password"))
      #expect(!decoded.contains("Kq7zX") && !decoded.contains("cnryvwxzhjkQ77"))
    }
  }

  @Test(arguments: [
    ("https://user:pw@a.test/x?q=1", "https://a.test/x"), ("https://a.test/a b?k=s#f", "https://a.test/a b"),
    ("/x?k=s", "/x"), ("user:p?w@a.test", "…"), ("https://user:p/w@a.test/x", "https://…"), ("not a url", "not a url"),
    ("https://user:p@w@a.test/x y", "https://a.test/x y"), ("", ""), ("?", ""), ("#", ""), ("@", ""), ("://", "://"),
  ])
  func `a message shows of a URL neither user nor query nor fragment`(url: String, shown: String) {
    #expect(url.shownURL == "\"\(shown)\"")
  }

  @Test func `a URL that is none comes back as it was`() throws {
    for url in ["/x?a=1&b=%20c#f", "x y?z w", "data:text/css,body%7B%7D?x", "ftp://a.test/x?y", "?", "a?"] {
      let cassette = try Cassette(har: har(#""url":"\#(url)""#), path: "x.har")
      let again = try Cassette(parsing: cassette.serialized, path: "x.cassette")
      #expect(again.events == cassette.events)
      #expect(try JSON(parsing: again.har)["log"]?["entries"]?[0]?["request"]?["url"]?.string == url)
    }
  }

  private func filled(_ request: String, _ value: String) -> [UInt8] {
    if request.contains("%7B") { return har(request.replacing("%3A%22%", with: "%3A%22\(value)%")) }
    return har(request.replacing("%", with: value))
  }

  private func har(_ request: String) -> [UInt8] {
    Array(
      #"""
      {"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[{"startedDateTime":"2026-01-01T00:00:00Z",
      "time":1,"request":{\#(request)},"response":{"status":200,"headers":[],"content":{"text":"ok"}}}]}}
      """#.utf8)
  }

  private func expectNoLeak(of secret: String, in har: [UInt8]) throws {
    let cassette = try Cassette(har: har, path: "x.har")
    #expect(cassette.serialized.isHolding(secret))
    let safe = cassette.redacted(by: .builtIn).0
    #expect(!safe.serialized.isHolding(secret))
    #expect(!safe.har.isHolding(secret))
    for warning in cassette.warnings + safe.warnings { #expect(!Array("\(warning)".utf8).isHolding(secret)) }
  }
}

extension [UInt8] {
  fileprivate func isHolding(_ text: String) -> Bool {
    let own = String(decoding: self, as: UTF8.self)
    return own.contains(text) || own.percentDecoded.contains(text)
  }
}
