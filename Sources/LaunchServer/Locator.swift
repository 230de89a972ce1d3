import LaunchHTTP

/// Finds where requests of one connection go. Most name the same host again, which is then not parsed again.
struct Locator {
  private let address: String
  private var host: String?
  private var known = Location(scheme: "http", host: "")

  /// - Parameter address: Stands in for the `Host` an HTTP/1.0 request may leave out.
  init(address: String) { self.address = address }

  /// - Throws: `CodecError` as `RequestHead.location(scheme:fallback:)` does.
  mutating func location(of head: RequestHead) throws(CodecError) -> Location {
    let host = head.fields["Host"] ?? address
    if host == self.host, head.target.utf8.first == UInt8(ascii: "/") {
      var location = known
      let question = head.target.utf8.firstIndex(of: UInt8(ascii: "?"))
      location.path = question.map { String(head.target[..<$0]) } ?? head.target
      location.query = question.map { String(head.target[head.target.utf8.index(after: $0)...]) }
      return location
    }
    let location = try head.location(scheme: "http", fallback: address)
    if head.target.utf8.first == UInt8(ascii: "/") { (self.host, known) = (host, location) }
    return location
  }
}
