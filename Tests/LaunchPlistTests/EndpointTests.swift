import Testing

@testable import LaunchPlist

@Suite struct EndpointTests {
  private static let rows: [(text: String, faults: [Endpoint.Fault], domain: String?)] = [
    ("https://example.com", [], "example.com"),
    ("HTTPS://Example.COM", [], "example.com"),
    ("https://adjust-skadnetwork.com", [], "adjust-skadnetwork.com"),
    ("https://xn--mnchen-3ya.de", [], "xn--mnchen-3ya.de"),
    (" ", [.form("is blank; write https://example.com")], nil),
    ("https://example.com ", [.form("has blanks in it; write https://example.com")], nil),
    ("https://exam ple.com", [.form("has blanks in it; write https://example.com")], nil),
    ("example.org", [.form("'example.org' does not begin with https://; write https://example.org")], nil),
    ("www.example.org/x", [.form("'www.example.org/x' does not begin with https://; write https://example.org")], nil),
    ("//example.org", [.form("'//example.org' does not begin with https://; write https://example.org")], nil),
    (
      "https:/example.org", [.form("'https:/example.org' does not begin with https://; write https://example.com")], nil
    ),
    ("ftp://example.org", [.form("has the scheme 'ftp'; write https://example.org")], "example.org"),
    ("://example.org", [.form("has the scheme ''; write https://example.org")], "example.org"),
    (
      "https://",
      [.form("'https://' has no domain that somebody can own: the host is missing; write https://example.com")], nil
    ),
    (
      "https://localhost",
      [
        .form(
          "'https://localhost' has no domain that somebody can own: 'localhost' is no domain name; write "
            + "https://example.com")
      ], nil
    ),
    (
      "https://10.0.0.1",
      [.form("'https://10.0.0.1' has no domain that somebody can own: it is an IP address; write https://example.com")],
      nil
    ),
    (
      "https://[::1]",
      [.form("'https://[::1]' has no domain that somebody can own: it is an IP address; write https://example.com")],
      nil
    ),
    (
      "https://münchen.de",
      [
        .form(
          "'https://münchen.de' has no domain that somebody can own: the host must be in its ASCII form, xn--…; write "
            + "https://example.com")
      ], nil
    ),
    (
      "https://example.com/a/b?c=d#e",
      [
        .part("has the path '/a/b'; Apple appends its own: write https://example.com"),
        .part("has a query, which is not allowed; write https://example.com"),
        .part("has a fragment, which is not allowed; write https://example.com"),
      ], "example.com"
    ),
    (
      "https://me:secret@example.com:8080",
      [
        .part("has a user name in it, which is not allowed; write https://example.com"),
        .part("has a port, which is not allowed; write https://example.com"),
      ], "example.com"
    ),
    ("https://example.com?", [.part("has a query, which is not allowed; write https://example.com")], "example.com"),
    (
      "https://example.com/#",
      [
        .doubt("ends with '/', which is ignored; write https://example.com"),
        .part("has a fragment, which is not allowed; write https://example.com"),
      ], "example.com"
    ),
    (
      "https://a.b.example.co.uk/",
      [
        .doubt("ends with '/', which is ignored; write https://example.co.uk"),
        .doubt("names 'a.b.example.co.uk', of which only 'example.co.uk' is used; write https://example.co.uk"),
      ], "example.co.uk"
    ),
  ]

  @Test(arguments: rows) func `an endpoint is a scheme and a domain`(
    row: (text: String, faults: [Endpoint.Fault], domain: String?)
  ) {
    let endpoint = Endpoint(row.text)
    #expect(endpoint.faults == row.faults)
    #expect(endpoint.domain == row.domain)
  }

  private static let hosts: [(host: String, domain: String?)] = [
    ("example.com", "example.com"), ("a.b.c.example.com", "example.com"), ("example.co.uk", "example.co.uk"),
    ("www.example.com.au", "example.com.au"), ("x.example.co.jp", "example.co.jp"), ("co.uk", nil), ("com", nil),
    ("", nil), ("a..com", nil), ("example.com.", nil), (".example.com", nil), ("-a.com", nil), ("a-.com", nil),
    ("a_b.com", nil), ("127.0.0.1", nil), ("1.2", nil), (String(repeating: "a", count: 64) + ".com", nil),
  ]

  @Test(arguments: hosts) func `a host has one registrable domain, or none`(row: (host: String, domain: String?)) {
    #expect(RegistrableDomain.of(row.host) == row.domain)
  }
}
