import LaunchDiagnostics
import LaunchJSON

/// Where a value stands in a request or a mark: `form.created_at`, `header."X-User"`, `body.items[0].id`, `mark.status`.
struct FieldPath: Hashable, Sendable {
  enum Root: String, Hashable, Sendable {
    case method, query, header, form, body, mark, status
    case responseHeader = "response.header"
    case responseBody = "response.body"

    /// Whether only the answer to a call tells.
    var isOfAnswer: Bool { self == .status || self == .responseHeader || self == .responseBody }
  }

  /// Whose field it is: `where` looks at a request or a mark, rules also at the answer of a call.
  enum Owner: Hashable, Sendable {
    case request, mark, call

    var roots: [Root] {
      switch self {
      case .request: [.method, .query, .header, .form, .body]
      case .mark: [.mark]
      case .call: [.method, .query, .header, .form, .body, .status, .responseHeader, .responseBody]
      }
    }
    var example: String { self == .mark ? "mark.status" : "body.properties.tags" }
  }

  enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  var root: Root
  /// None for `method` and `status`; the name alone for `query`, `form` and headers.
  var steps: [Step]
  /// As the author wrote it.
  var text: String

  init(_ root: Root, _ steps: [Step], text: String) {
    self.root = root
    self.steps = steps
    self.text = text
  }

  /// - Parameter clause: The words in front of the field, for messages.
  init(parsing token: Token, of owner: Owner, after clause: String = "where") throws(Mistake) {
    var parser = FieldPathParser(token, of: owner, after: clause)
    (root, steps) = try parser.parse()
    text = token.text
  }

  /// Whether the text begins as fields do.
  static func isLikely(_ text: String) -> Bool {
    let root = text.prefix { !".[\"".contains($0) }
    return root == "response" || Root(rawValue: String(root)) != nil
  }

  /// The value that the steps lead to.
  func value(in json: JSON) -> JSON? {
    var value: JSON? = json
    for step in steps {
      value =
        switch step {
        case .key(let key): value?[key]
        case .index(let index): value?[index]
        }
    }
    return value
  }
}

private struct FieldPathParser {
  let token: Token
  let owner: FieldPath.Owner
  let clause: String
  let characters: [Character]
  var index = 0

  init(_ token: Token, of owner: FieldPath.Owner, after clause: String) {
    self.token = token
    self.owner = owner
    self.clause = clause
    characters = Array(token.text)
  }

  mutating func parse() throws(Mistake) -> (FieldPath.Root, [FieldPath.Step]) {
    var name = plainKey()
    if name == "response", owner == .call { name = try answerRoot() }
    guard let root = FieldPath.Root(rawValue: name), owner.roots.contains(root) else { throw wrongRoot(name) }
    var steps: [FieldPath.Step] = []
    while index < characters.count { steps.append(try step()) }
    switch root {
    case .method where !steps.isEmpty, .status where !steps.isEmpty: throw mistake("'\(name)' has no parts")
    case .query, .header, .form, .responseHeader:
      guard steps.count == 1, case .key = steps[0] else {
        throw mistake("'\(name)' takes one name, as in \(name).example; quote a name that holds a dot")
      }
    case .body where steps.isEmpty, .responseBody where steps.isEmpty:
      throw mistake("'\(name)' takes a path, as in \(name).items[0].id")
    case .mark:
      guard case .key? = steps.first else { throw mistake("'mark' takes the name of a field, as in mark.status") }
    default: break
    }
    return (root, steps)
  }

  private func wrongRoot(_ name: String) -> Mistake {
    let roots = owner.roots.map(\.rawValue)
    let list = roots.dropLast().joined(separator: ", ") + " and \(roots.last ?? "")"
    let nearest = Suggestion.nearest(to: name, in: roots)
    let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
    switch owner {
    case .request where name == "status" || name == "response":
      return mistake("'\(clause)' looks at the request, and '\(name)' is not known before the call is answered")
    case .request where name == "mark", .call where name == "mark":
      return mistake("'mark' is a field of marks; the fields of a call begin with \(list)")
    case .request, .call:
      return mistake("'\(name)' is no field; fields begin with \(list)" + hint)
    case .mark where name == "response" || FieldPath.Root(rawValue: name) != nil:
      return mistake("'\(name)' is part of a call; the fields of a mark begin with mark, as in mark.status")
    case .mark:
      let meant = nearest ?? "mark.\(token.text)"
      return mistake("'\(name)' is no field; the fields of a mark begin with mark; did you mean '\(meant)'?")
    }
  }

  /// What follows `response`: its status is the one of the call, and headers and body have names of their own.
  private mutating func answerRoot() throws(Mistake) -> String {
    guard case .key(let part)? = index < characters.count ? try step() : nil else {
      throw mistake("'response' takes body or header, as in response.body.id")
    }
    return part == "status" ? part : "response." + part
  }

  private mutating func step() throws(Mistake) -> FieldPath.Step {
    switch characters[index] {
    case ".":
      index += 1
      let key = index < characters.count && characters[index] == "\"" ? quotedKey() : plainKey()
      if key.isEmpty { throw mistake("a name is missing after '.' in '\(token.text)'") }
      return .key(key)
    case "[":
      guard let end = characters[index...].firstIndex(of: "]"),
        case let digits = String(characters[(index + 1)..<end]),
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let element = Int(digits)
      else { throw mistake("an element is written '[0]', and '\(token.text)' does not") }
      index = end + 1
      return .index(element)
    default: throw mistake("'\(token.text)' is no field path; parts are joined with '.'")
    }
  }

  private mutating func plainKey() -> String {
    let start = index
    while index < characters.count, !".[\"".contains(characters[index]) { index += 1 }
    return String(characters[start..<index])
  }

  /// The lexer has checked that the quotes close and that backslashes stand before quotes or backslashes.
  private mutating func quotedKey() -> String {
    var key = ""
    index += 1
    while index < characters.count, characters[index] != "\"" {
      if characters[index] == "\\", index + 1 < characters.count { index += 1 }
      key.append(characters[index])
      index += 1
    }
    index += 1
    return key
  }

  private func mistake(_ message: String) -> Mistake { Mistake(column: token.column, message: message) }
}
