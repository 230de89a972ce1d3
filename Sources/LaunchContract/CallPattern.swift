import LaunchHTTP

/// Which requests a `call` declaration means.
struct CallPattern: Hashable, Sendable {
  /// Nil for `ANY`.
  var method: String?
  var url: LocationPattern
  /// All of them hold.
  var conditions: [Condition]

  func matches(_ view: inout RequestView) -> Bool {
    if let method, method != view.request.method { return false }
    guard url.matches(&view) else { return false }
    return conditions.allSatisfy { $0.holds(for: &view) }
  }
}

/// A URL with `{a,b}` alternatives, `*` for one host label or one path segment, and `**` for any number of segments.
struct LocationPattern: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    /// Exactly one, not empty.
    case one
    /// Any number, none included.
    case many
  }

  var scheme: String
  /// Nil for the scheme's default.
  var port: Int?
  /// The labels of each alternative host.
  var hosts: [[Part]]
  /// The segments of each alternative path. A path that ends in `/` has an empty last segment.
  var paths: [[Part]]

  func matches(_ view: inout RequestView) -> Bool {
    let location = view.request.location
    guard location.scheme == scheme, location.port ?? defaultPort == port ?? defaultPort else { return false }
    let (labels, segments) = (view.labels, view.segments)
    return hosts.contains { Self.fits(labels[...], $0) } && paths.contains { Self.fits(segments, $0) }
  }

  private var defaultPort: Int { scheme == "https" ? 443 : 80 }

  /// Whether the parts fit the pattern: remembers only the last `**`, which is enough, so the cost is at most their product.
  private static func fits(_ parts: ArraySlice<Substring>, _ pattern: [Part]) -> Bool {
    var (part, place) = (parts.startIndex, 0)
    var retry: (part: Int, place: Int)?
    while part < parts.endIndex {
      if place < pattern.count, pattern[place] == .many {
        retry = (part, place)
        place += 1
      } else if place < pattern.count, fits(parts[part], pattern[place]) {
        part += 1
        place += 1
      } else if let last = retry {
        retry = (last.part + 1, last.place)
        (part, place) = (last.part + 1, last.place + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == .many }
  }

  private static func fits(_ text: Substring, _ part: Part) -> Bool {
    switch part {
    case .literal(let literal): text == literal
    case .one: !text.isEmpty
    case .many: true
    }
  }
}

extension LocationPattern {
  init(parsing token: Token) throws(Mistake) {
    func mistake(_ message: String) -> Mistake { Mistake(column: token.column, message: message) }
    guard let separator = token.text.firstRange(of: "://") else {
      throw mistake("expected a URL such as https://api.example.com/users/*, found '\(token.text)'")
    }
    scheme = String(token.text[..<separator.lowerBound])
    guard scheme == "https" || scheme == "http" else {
      throw mistake("'\(scheme)' is no scheme a launch uses; write https or http")
    }
    let rest = token.text[separator.upperBound...]
    for (mark, hint) in [
      ("?", "the query is matched with 'where query.name = value'"), ("#", "fragments are never sent"),
    ]
    where rest.contains(mark) {
      throw mistake("a URL pattern has no '\(mark)'; \(hint)")
    }
    let slash = Self.outsideBraces("/", in: rest) ?? rest.endIndex
    let path = slash == rest.endIndex ? "/" : rest[slash...]
    var host = rest[..<slash]
    if let colon = Self.outsideBraces(":", in: host), !host.hasPrefix("[") {
      let digits = host[host.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits), number <= 65535 else {
        throw mistake("'\(digits)' is no port number")
      }
      port = number
      host = host[..<colon]
    }
    do throws(PatternError) {
      hosts = try Self.alternatives(String(host).lowercasedASCII).map { host throws(PatternError) in
        try Self.labels(host)
      }
      paths = try Self.alternatives(String(path)).map { path throws(PatternError) in try Self.segments(path) }
    } catch {
      throw mistake(error.message)
    }
  }

  private static func outsideBraces(_ wanted: Character, in text: Substring) -> Substring.Index? {
    var depth = 0
    return text.indices.first { index in
      if text[index] == "{" { depth += 1 }
      if text[index] == "}" { depth -= 1 }
      return depth <= 0 && text[index] == wanted
    }
  }

  private static func labels(_ host: String) throws(PatternError) -> [Part] {
    guard !host.isEmpty else { throw PatternError("the host is missing") }
    return try parts(host.split(separator: ".", omittingEmptySubsequences: false)) { label throws(PatternError) in
      if label == "**" { throw PatternError("'**' stands in paths; in a host, '*' is one label") }
      if label.isEmpty { throw PatternError("the host '\(host)' has an empty label") }
    }
  }

  private static func segments(_ path: String) throws(PatternError) -> [Part] {
    try parts(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()) { _ in }
  }

  private static func parts(
    _ texts: some Collection<Substring>, check: (Substring) throws(PatternError) -> Void
  ) throws(PatternError) -> [Part] {
    var parts: [Part] = []
    for text in texts {
      try check(text)
      switch text {
      case "*": parts.append(.one)
      case "**": parts.append(.many)
      case let text where text.contains("*"):
        throw PatternError("'*' stands for a whole part, and '\(text)' mixes it with other characters")
      default: parts.append(.literal(String(text)))
      }
    }
    return parts
  }

  /// `a.{b,c}.d` as `a.b.d` and `a.c.d`.
  private static func alternatives(_ text: String) throws(PatternError) -> [String] {
    var results = [""]
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
        throw PatternError("'\(text)' has a brace without its partner")
      }
      let choices = rest[rest.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
      guard !choices.contains(where: { $0.contains("{") || $0.isEmpty }) else {
        throw PatternError("alternatives are written {a,b}, none of them empty or with braces of its own")
      }
      guard results.count * choices.count <= 64 else { throw PatternError("more than 64 alternatives") }
      let head = rest[..<open]
      results = results.flatMap { result in choices.map { result + head + $0 } }
      rest = rest[rest.index(after: close)...]
    }
    return results.map { $0 + rest }
  }
}

private struct PatternError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}
