/// A place in requests that is left out of matching, because it holds something else in every run.
///
/// ```swift
/// try IgnoredField("query.ts")                        // in requests to any host
/// try IgnoredField("api.example.com body.sent_at")
/// try IgnoredField("**.example.com body.events[*].id")
/// ```
///
/// A place is `query.NAME`, `form.NAME` (a multipart form's parts, too), `path[2]` (segments count from 0), or a path into
/// a JSON body: `body.items[0].id`, where `*` or `[*]` is every member or element. `form` and `query` go on into values that are
/// JSON text: `form.callback_params.ts`. A name with other characters than letters, digits, `_` and `-` is quoted:
/// `body."sent.at"`. What stands inside an ignored place is ignored with it. In a host, `*` is one label and `**` any number.
public struct IgnoredField: Hashable, Sendable {
  /// One step down from a place.
  enum Step: Hashable, Sendable {
    case name(String)
    case index(Int)
    case every
  }

  /// The hosts it holds for; nil for every host.
  let host: HostPattern?
  /// From the root of the request.
  let steps: [Step]
  /// As it was written.
  public let description: String

  /// - Throws: `MatchingError` that says what is wrong with `text`.
  public init(_ text: String) throws(MatchingError) {
    // A quoted name may hold a space; a host comes before every quote.
    let space = text.firstIndex { $0 == " " || $0 == "\"" }.flatMap { text[$0] == " " ? $0 : nil }
    host = try space.map { index throws(MatchingError) in try hostPattern(text[..<index], of: text) }
    var parser = PlaceParser(space.map { text[text.index(after: $0)...] } ?? text[...], of: text)
    steps = try parser.parse()
    description = text
  }

  /// Whether it holds for requests to `host`.
  func applies(to host: [Substring]) -> Bool {
    self.host?.fits(host) ?? true
  }
}

extension IgnoredField: CustomStringConvertible {}

private func hostPattern(_ word: Substring, of text: String) throws(MatchingError) -> HostPattern {
  guard let pattern = HostPattern(word) else {
    throw MatchingError(text, "'\(word)' is no host; write api.example.com, *.example.com or **.example.com")
  }
  return pattern
}

private struct PlaceParser {
  private let characters: [Character]
  private let text: String
  private var index = 0

  init(_ place: Substring, of text: String) {
    characters = Array(place)
    self.text = text
  }

  mutating func parse() throws(MatchingError) -> [IgnoredField.Step] {
    let root = plainName()
    switch root {
    case "query", "form", "body", "path": break
    case "header", "headers": throw MatchingError(text, "header fields are not compared, so there is none to ignore")
    default: throw MatchingError(text, "'\(root)' is no part of a request; places begin with query, form, body or path")
    }
    var steps: [IgnoredField.Step] = [.name(root)]
    while index < characters.count { steps.append(try step()) }
    guard steps.count > 1 else {
      throw MatchingError(
        text, "'\(root)' needs a place in it, as in \(root == "path" ? "path[2]" : "\(root).sent_at")")
    }
    if root == "path", case .name = steps[1] {
      throw MatchingError(text, "segments of the path have numbers, as in path[2], and the first is 0")
    }
    return steps
  }

  private mutating func step() throws(MatchingError) -> IgnoredField.Step {
    let mark = characters[index]
    index += 1
    switch mark {
    case ".":
      let isQuoted = index < characters.count && characters[index] == "\""
      let name = isQuoted ? try quotedName() : plainName()
      if name.isEmpty { throw MatchingError(text, "a name is missing behind '.'") }
      return name == "*" && !isQuoted ? .every : .name(name)
    case "[":
      guard let end = characters[index...].firstIndex(of: "]") else { throw MatchingError(text, "']' is missing") }
      let inside = String(characters[index..<end])
      index = end + 1
      if inside == "*" { return .every }
      guard let number = Int(inside), number >= 0 else {
        throw MatchingError(text, "an element is written [0], or [*] for every one, not [\(inside)]")
      }
      return .index(number)
    default:
      throw MatchingError(text, "'\(mark)' cannot stand there; parts are joined with '.', and odd names quoted")
    }
  }

  private mutating func plainName() -> String {
    let start = index
    while index < characters.count, !".[\"".contains(characters[index]) { index += 1 }
    return String(characters[start..<index])
  }

  private mutating func quotedName() throws(MatchingError) -> String {
    var name = ""
    index += 1
    while index < characters.count, characters[index] != "\"" {
      if characters[index] == "\\", index + 1 < characters.count { index += 1 }
      name.append(characters[index])
      index += 1
    }
    guard index < characters.count else { throw MatchingError(text, "the closing quote is missing") }
    index += 1
    return name
  }
}
