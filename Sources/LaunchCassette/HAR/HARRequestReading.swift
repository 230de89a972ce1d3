import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension HAREntryReader {
  /// Reads `request`. What is missing in it is made up, with a remark.
  mutating func request() -> Request {
    let json = entry["request"]
    if json?.object == nil { remarks.add("request", "is missing; taken as a GET of \(unknownLocation)") }
    var method = json?["method"]?.harText ?? ""
    if method.isEmpty {
      if json?.object != nil { remarks.add("request.method", "is missing; taken as GET") }
      method = "GET"
    }
    let fields = fields(of: json, "request")
    return Request(method: method, location: location(json), fields: fields, body: requestBody(json, fields))
  }

  /// The version of HTTP that a message names; nil when it names none.
  func version(of message: JSON?) -> HTTPVersion? {
    guard let text = message?["httpVersion"]?.harText?.lowercased() else { return nil }
    if text.hasSuffix("1.0") { return .http10 }
    if text.hasSuffix("1.1") { return .http11 }
    // HTTP/3 has the messages of HTTP/2 (RFC 9114 section 4), and is the nearest there is.
    return ["h2", "h3", "/2", "/3", "quic"].contains(where: text.contains) ? .http2 : nil
  }

  private mutating func location(_ json: JSON?) -> Location {
    guard let text = json?["url"]?.harText?.trimmingSpaces, !text.isEmpty else {
      if json?.object != nil { remarks.add("request.url", "is missing; taken as \(unknownLocation)") }
      return unknownLocation
    }
    if let location = try? Location(parsing: text) { return location }
    if let location = repaired(text) {
      let place = Location(scheme: location.scheme, host: location.host, port: location.port, path: location.path)
      remarks.add("request.url", "\(text.shownURL) is no URL of HTTP; read as \(place)")
      return location
    }
    if Self.foreignScheme(text) == Optional.none {
      remarks.add("request.url", "\(text.shownURL) is no URL of HTTP; kept below \(unknownLocation)")
    }
    return belowUnknownLocation(text)
  }

  /// A location for a text that is no URL of HTTP: its path and its query. What a `data:` URL holds is content and left out.
  private func belowUnknownLocation(_ text: String) -> Location {
    let isContent = text.utf8.prefix(5).elementsEqual("data:".utf8) { $0.lowercasedASCII == $1 }
    let reference = text.utf8.prefix { isContent ? $0 != UInt8(ascii: ",") : $0 != UInt8(ascii: "#") }
    let path = reference.prefix { $0 != UInt8(ascii: "?") }
    let query = reference.dropFirst(path.count + 1)
    return Location(
      scheme: unknownLocation.scheme, host: unknownLocation.host, path: "/" + String(Substring(path)).percentEncoded,
      query: path.count < reference.count ? String(decoding: Self.escaped(query), as: UTF8.self) : nil)
  }

  /// The scheme of a URL that no client of HTTP can ask for, `data` or `chrome-extension`; nil for any other text, also for
  /// a host with its port.
  static func foreignScheme(_ url: String) -> String? {
    guard let colon = url.firstIndex(of: ":") else { return nil }
    let scheme = url[..<colon].lowercased()
    guard scheme.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
      scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }),
      !["http", "https", "ws", "wss"].contains(scheme)
    else { return nil }
    let isPort = url.utf8[url.utf8.index(after: colon)...].first.map { (0x30...0x39).contains($0) } ?? true
    return isPort && scheme != "data" ? nil : scheme
  }

  /// Percent-encodes what may not stand in a location, drops a user's name and password, and takes the schemes of
  /// WebSockets as those of the requests that open them.
  private func repaired(_ text: String) -> Location? {
    var bytes = Self.escaped(text.utf8)
    for (socket, scheme) in [("ws:", "http:"), ("wss:", "https:")]
    where bytes.prefix(socket.utf8.count).elementsEqual(socket.utf8, by: { $0.lowercasedASCII == $1 }) {
      bytes.replaceSubrange(..<socket.utf8.count, with: scheme.utf8)
      break
    }
    let authority = bytes.firstIndex(of: UInt8(ascii: "/")).map { $0 + 2 } ?? 0
    if authority <= bytes.count {
      let end = bytes[authority...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
      if let at = bytes[authority..<end].lastIndex(of: UInt8(ascii: "@")) { bytes.removeSubrange(authority...at) }
    }
    return try? Location(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// With what may not stand in a location percent-encoded.
  private static func escaped(_ text: some Sequence<UInt8>) -> [UInt8] {
    text.flatMap { $0 <= 0x20 || $0 >= 0x7F ? Array("%".utf8) + hexadecimal($0) : [$0] }
  }

  private mutating func requestBody(_ json: JSON?, _ fields: Fields) -> [UInt8] {
    guard let data = json?["postData"], data.object != nil else { return [] }
    if let text = data["text"]?.harText, !text.isEmpty {
      guard (data["encoding"] ?? data["_encoding"])?.harText?.lowercased() == "base64" else { return Array(text.utf8) }
      if let bytes = Base64.decode(lenient: text.utf8) { return bytes }
      remarks.add("request.postData.text", "is not base64 as its encoding says; kept as it is")
      return Array(text.utf8)
    }
    guard let params = data["params"]?.array, !params.isEmpty else { return [] }
    remarks.add("request.postData", "has its params but no text; the body was written anew from them")
    let type = data["mimeType"]?.harText.flatMap { $0.isEmpty ? nil : $0 } ?? fields["Content-Type"] ?? ""
    guard type.lowercased().hasPrefix("multipart/") else {
      return FormPairs(params.map { ($0["name"]?.harText ?? "", $0["value"]?.harText ?? "") }).serialized
    }
    return multipart(params, boundary: boundary(in: type) ?? boundary(in: fields["Content-Type"] ?? "") ?? "boundary")
  }

  private func boundary(in type: String) -> String? {
    for part in type.utf8.split(separator: UInt8(ascii: ";")).dropFirst() {
      let text = String(decoding: part, as: UTF8.self).trimmingSpaces
      guard text.lowercased().hasPrefix("boundary=") else { continue }
      let value = text.dropFirst("boundary=".count)
      return String(value.hasPrefix("\"") && value.hasSuffix("\"") ? value.dropFirst().dropLast() : value)
    }
    return nil
  }

  /// The content that RFC 7578 gives these parts.
  private func multipart(_ params: [JSON], boundary: String) -> [UInt8] {
    var text = ""
    for param in params {
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(param["name"]?.harText ?? "")\""
      if let file = param["fileName"]?.harText { text += "; filename=\"\(file)\"" }
      if let type = param["contentType"]?.harText { text += "\r\nContent-Type: \(type)" }
      text += "\r\n\r\n\(param["value"]?.harText ?? "")\r\n"
    }
    return Array("\(text)--\(boundary)--\r\n".utf8)
  }
}

extension String {
  /// This text as a message quotes it that is no URL: no user, query or fragment, which may be secrets that nobody has
  /// redacted yet.
  var shownURL: String {
    let scheme = utf8.firstRange(of: "://".utf8).map { utf8[..<$0.upperBound] } ?? utf8.prefix(0)
    let rest = utf8[scheme.endIndex...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { rest[$0...].dropFirst() } ?? rest
    // A password that holds what ends an authority.
    let isUser = authority.split(separator: UInt8(ascii: ":")).dropFirst().contains { $0.contains { !$0.isDigit } }
    let shown = isUser && host.startIndex == rest.startIndex ? "…" : String(Substring(host))
    return JSON.string(String(Substring(scheme)) + shown).shown
  }
}

private func hexadecimal(_ byte: UInt8) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
}

/// Where requests without a usable URL go; RFC 2606 keeps the name from ever resolving.
private let unknownLocation = Location(scheme: "http", host: "har.invalid")

extension Request {
  /// Whether a client can ask for it again: an imported file may list what it loaded from elsewhere than HTTP, or without
  /// saying from where.
  package var canBeAsked: Bool { location.host != unknownLocation.host }
}
