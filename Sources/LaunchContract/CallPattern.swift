import LaunchHTTP

/// Which requests a `call` declaration means.
struct CallPattern: Hashable, Sendable {
  /// Nil for `ANY`.
  var method: String?
  var url: LocationPattern
  /// All of them hold.
  var conditions: [Condition]
}

/// A URL with `{a,b}` alternatives, `*` for one host label or one path segment, and `**` for any number of segments.
struct LocationPattern: Hashable, Sendable {
  var scheme: String
  /// Nil for the scheme's default.
  var port: Int?
  /// The alternative hosts.
  var hosts: [PartPattern]
  /// The alternative paths. One that ends in `/` has an empty last segment.
  var paths: [PartPattern]

  /// The hosts that alone can match; nil when there are others.
  var onlyHosts: [String]? {
    let texts = hosts.compactMap(\.onlyText)
    return texts.count == hosts.count ? texts : nil
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

  private static func labels(_ host: String) throws(PatternError) -> PartPattern {
    guard !host.isEmpty else { throw PatternError("the host is missing") }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let parts = try parts(labels) { label throws(PatternError) in
      if label == "**" { throw PatternError("'**' stands in paths; in a host, '*' is one label") }
      if label.isEmpty { throw PatternError("the host '\(host)' has an empty label") }
    }
    return PartPattern(parts, separator: UInt8(ascii: "."), of: host)
  }

  private static func segments(_ path: String) throws(PatternError) -> PartPattern {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return PartPattern(try parts(segments) { _ in }, separator: UInt8(ascii: "/"), of: path)
  }

  private static func parts(
    _ texts: some Collection<Substring>, check: (Substring) throws(PatternError) -> Void
  ) throws(PatternError) -> [PartPattern.Part] {
    var parts: [PartPattern.Part] = []
    for text in texts {
      try check(text)
      switch text {
      case "*": parts.append(.one)
      case "**": parts.append(.many)
      case let text where text.contains("*"):
        throw PatternError("'*' stands for a whole part, and '\(text)' mixes it with other characters")
      default: parts.append(.literal(Array(text.utf8)))
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
