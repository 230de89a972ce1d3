import LaunchHTTP
import LaunchJSON
import LaunchTrace
import TestSupport
import Testing

@testable import LaunchCassette

private let secret = "cnryvwxzhjkQ77"
private let longSecret = "cnryvwxzhjkQ77-long"

/// Credentials under their usual names, however those are written, in bodies however those are written.
@Suite struct CredentialTests {
  static let names = [
    "password", "Password", "PASSWORD", "passwd", "pwd", "passphrase", "user_password", "userPassword", "new_password",
    "newPassword", "new-password", "oldPassword", "currentPassword", "confirmPassword", "passwordConfirmation",
    "secret",
    "secretKey", "client_secret", "clientSecret", "Client-Secret", "api_key", "apiKey", "apikey", "APIKey",
    "private_key", "privateKey", "access_token", "accessToken", "AccessToken", "access-token", "refresh_token",
    "refreshToken", "id_token", "idToken", "auth_token", "authToken", "session_token", "sessionToken", "_password",
  ]

  @Test(arguments: names) func `a credential's name counts in any case, with or without joints`(name: String) {
    #expect(!redacted(answer: #"{"a":1,"\#(name)":"\#(secret)"}"#).contains(secret))
    #expect(!redacted(answer: #"{"a":{"b":[{"\#(name)" : "\#(secret)"}]}}"#).contains(secret))
    #expect(!redacted(answer: #"data: {"\#(name)":"\#(secret)"}"#).contains(secret))
    #expect(!redacted(form: "a=1&\(name)=\(secret)").contains(secret))
    #expect(!fields(redactedHead(name, secret)).contains(secret))
    #expect(!fields(redactedHead("X-\(name)", secret)).contains(secret))
    #expect(!redactedQuery("a=1&\(name)=\(secret)").contains(secret))
  }

  @Test(arguments: [
    "Authorization", "X-Api-Key", "Api-Key", "X-Auth-Token", "X-Access-Token", "X-Goog-Api-Key",
    "Ocp-Apim-Subscription-Key", "X-Session-Id", "X-CSRF-Token",
  ])
  func `a header that carries a credential is redacted`(name: String) {
    #expect(!fields(redactedHead(name, secret)).contains(secret))
    #expect(!fields(redactedHead(name.lowercased(), secret)).contains(secret))
  }

  @Test(arguments: ["keyword", "secretary", "passwords_count", "tokens", "apikeys", "id", "pwdx", "s", "_", ""])
  func `a name that merely looks like one is none`(name: String) {
    #expect(redacted(answer: #"{"\#(name)":"\#(secret)"}"#).contains(secret))
  }

  @Test func `a token alone is one where its value looks like one`() {
    for text in [
      #"{"token":"\#(longSecret)"}"#, #"{"Token":"\#(longSecret)"}"#, "token=\(longSecret)&a=1",
      #"data: {"token":"\#(longSecret)"}"#,
    ] {
      #expect(!redacted(answer: text).contains(longSecret))
    }
    for text in [
      #"{"token":"short"}"#, #"{"token":"a sentence of many words"}"#, #"{"token":{"kind":"abcdefghijklmnopqrst"}}"#,
      #"{"token":["abcdefghijklmnopqrst"]}"#, "token=short&a=1", #"data: {"token":"short"}"#,
    ] {
      #expect(redacted(answer: text) == text)
    }
    let inside = redacted(answer: #"{"token":"{\"password\":\"\#(secret)\"}"}"#)
    #expect(!inside.contains(secret) && inside.contains("password"))
    let url = redacted(answer: #"{"token":"https://a.test/?access_token=\#(secret)"}"#)
    #expect(!url.contains(secret) && url.contains("https://a.test/?access_token="))
  }

  @Test func `rules for exact names stand before those for credentials`() throws {
    var redactor = Redactor(rules: try .builtIn.adding(RedactionRules(parsing: "keep field Password", file: "r")))
    let body = #"{"Password":"\#(secret)","token":"\#(longSecret)"}"#
    _ = redactor.redact(request("api.adapty.io", "/", [:], body))
    #expect(redactor.counts.map(\.kind) == ["attribution_token"])
  }

  @Test(arguments: [
    #"{"pass\u0077ord":"\#(secret)"}"#, #"{"\u0070\u0061ssword" : "\#(secret)"}"#,
    #"{"a":{"access\u005ftoken":"\#(secret)"}}"#,
    #"{"o":"{\"pass\\u0077ord\":\"\#(secret)\"}"}"#,
    #"{"o":"{\"i\":\"{\\\"pass\\\\u0077ord\\\":\\\"\#(secret)\\\"}\"}"}"#,
    #"data: {"pass\u0077ord":"\#(secret)"}"#, #"{"a":NaN,"pass\u0077ord":"\#(secret)"}"#,
    #"{"\u0069dfa":"\#(secret)"}"#, #"{"attr\u0069bution":{"a":1},"password":"\#(secret)"}"#,
  ])
  func `names in JSON are compared as they read`(text: String) {
    let answer = redacted(answer: text)
    #expect(!answer.contains(secret) && answer.utf8.count == text.utf8.count)
    #expect(!redacted(form: text, type: "application/json").contains(secret))
  }

  @Test func `a path is compared as it reads, too`() throws {
    let rules = try RedactionRules(parsing: "redact json us\u{65}r.mail as mail\nredact json tags.* as tag", file: "r")
    for text in [#"{"us\u0065r":{"mail":"\#(secret)"}}"#, #"{"t\u0061gs":{"a":"\#(secret)"}}"#] {
      var redactor = Redactor(rules: rules)
      #expect(!body(redactor.redact(call(1, 1, .end(Content(Array(text.utf8)))))).contains(secret))
    }
  }

  static let forms = [
    "a=1&password=%", "a=1&password=%&", "&a=1&password=%", "a=1&&password=%", "bare&password=%", "password=%",
    "&password=%",
    "password=%\n", "a=1&password=%\r\n", "a=1\r\npassword=%\r\nb=2", "a=1;password=%", "password=%;a=1",
    "a=1; password=% ; b=2",
    "a=1 & password=% & b=2", "a+b=1&password=%", "a=1&pass%77ord=%", "a=1&password=%&par", "hello, world&password=%",
    "bare;password=%", #"a="1"&password=%"#, "a=1&password=%;", "u=https://a.test/?x=1&password=%", "=&password=%&=",
  ]

  @Test(arguments: forms) func `a form may be written carelessly`(form: String) {
    let at = form.utf8.lastIndex(of: UInt8(ascii: "%")) ?? form.utf8.endIndex
    for value in [secret, "abc"] {
      let text = String(form.utf8[..<at]).map { $0 + value + form[form.utf8.index(after: at)...] } ?? ""
      for type in [FormPairs.contentType, "text/plain"] {
        let (sent, got) = (redacted(form: text, type: type), redacted(answer: text, type: type))
        #expect(!sent.contains(value) && !got.contains(value))
        // Everything else stays.
        for result in [sent, got] {
          #expect(result.utf8.prefix(at.utf16Offset(in: form)).elementsEqual(form.utf8[..<at]))
          #expect(result.hasSuffix(String(form[form.utf8.index(after: at)...])))
          #expect(result.utf8.count == text.utf8.count)
        }
      }
    }
  }

  @Test(arguments: [
    "var a = 1; password = prompt('x'); foo()", "<p>a=1&password=abcdef</p>", "if (a && password == b) { c = 1 }",
    "plain text", "", "&&&", "===", "a;b;c", "private_key",
  ])
  func `a page and a script are no forms`(text: String) { #expect(redacted(answer: text) == text) }

  @Test(arguments: ["a=1&password=%&", "a=1&password=%&par", "a=1&password=%&b=2\u{0}\u{1}", "&password=%"])
  func `content that could be decoded in part is withheld when it is a form with a secret`(form: String) throws {
    for value in [secret, "abc"] {
      let content = Array(form.replacing("%", with: value).utf8)
      let unpacker = Unpacker(decode: { _, _, _ in Unpacker.Content(content, reach: .part) }, encode: { _, _ in nil })
      var redactor = Redactor(unpacker: unpacker)
      let event = redactor.redact(call(1, 1, .end(Content([0x1F, 0x8B, 8, 0], isRaw: true))))
      #expect(event.withheld != nil)
    }
    let unpacker = Unpacker(
      decode: { _, _, _ in Unpacker.Content(Array("a=1&b=2&".utf8), reach: .part) }, encode: { _, _ in nil })
    var redactor = Redactor(unpacker: unpacker)
    #expect(redactor.redact(call(1, 1, .end(Content([0x1F, 0x8B, 8, 0], isRaw: true)))).withheld == nil)
  }

  @Test func `a value in lines is one value`() {
    let key = "-----BEGIN KEY-----\nQUJDREVGR0hJSktMTU5PUA\nUVJTVFVWV1hZWmFiYw==\n-----END KEY-----"
    let form = redacted(form: "a=1&private_key=\(key)")
    #expect(!form.contains("QUJDREVG") && !form.contains("UVJTVF") && form.hasPrefix("a=1&private_key=-----"))
  }

  @Test func `no form and no JSON makes trouble, cut or damaged anywhere`() {
    var generator = SeededGenerator(seed: 11)
    let texts =
      Self.forms + [#"{"pass\u0077ord":"\#(secret)","a":{"token":"\#(longSecret)"}}"#, "a=1;b=2\r\nc==;&;=&d"]
    for text in texts {
      let bytes = Array(text.utf8)
      for count in bytes.indices {
        var cut = Array(bytes[..<count])
        #expect(redacted(bytes: cut).count == count)
        guard count > 0 else { continue }
        cut[Int.random(in: 0..<count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        #expect(redacted(bytes: cut).count == count)
      }
    }
  }
}

private func redacted(answer: String, type: String = "text/plain") -> String {
  var redactor = Redactor()
  _ = redactor.redact(request("www.example.com", "/", [:], ""))
  _ = redactor.redact(call(1, 1, .response(ResponseHead(status: 200, fields: ["Content-Type": type]))))
  return body(redactor.redact(call(2, 1, .end(Content(Array(answer.utf8))))))
}

private func redacted(bytes: [UInt8]) -> [UInt8] {
  var redactor = Redactor()
  guard case .call(_, .end(let content)) = redactor.redact(call(2, 1, .end(Content(bytes)))).kind else { return [] }
  return content.body.bytes
}

private func redacted(form: String, type: String = FormPairs.contentType) -> String {
  var redactor = Redactor()
  return body(redactor.redact(request("www.example.com", "/", ["Content-Type": type], form)))
}

private func redactedHead(_ name: String, _ value: String) -> Event {
  var redactor = Redactor()
  return redactor.redact(request("www.example.com", "/", Fields([Field(name, value)]), ""))
}

private func redactedQuery(_ query: String) -> String {
  var redactor = Redactor()
  let location = Location(scheme: "https", host: "www.example.com", path: "/", query: query)
  let event = redactor.redact(call(0, 1, .request(Request(method: "GET", location: location))))
  guard case .call(_, .request(let request, _)) = event.kind else { return "" }
  return request.location.query ?? ""
}

private func body(_ event: Event) -> String {
  switch event.kind {
  case .call(_, .request(let request, _)): String(decoding: request.body.bytes, as: UTF8.self)
  case .call(_, .end(let content)): String(decoding: content.body.bytes, as: UTF8.self)
  default: ""
  }
}

private func fields(_ event: Event) -> String {
  guard case .call(_, .request(let request, _)) = event.kind else { return "" }
  return request.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
}

private func request(_ host: String, _ path: String, _ fields: Fields, _ body: String) -> Event {
  let location = Location(scheme: "https", host: host, path: path)
  return call(
    0, 1, .request(Request(method: "POST", location: location, fields: fields, body: Array(body.utf8)), from: nil))
}
