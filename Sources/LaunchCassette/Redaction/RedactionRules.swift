/// Which values of a recording are secrets, and where they stand.
///
/// ```swift
/// let rules = try RedactionRules(parsing: text, file: "redaction.rules")
/// var redactor = Redactor(rules: .builtIn.adding(rules))
/// ```
///
/// The language is documented on the page Redaction. Of several rules for one place the first counts, a `keep` before
/// any other; rules that were added later stand before older ones.
public struct RedactionRules: Hashable, Sendable {
  /// One line of a rules file.
  struct Rule: Hashable, Sendable {
    enum Action: Hashable, Sendable {
      /// The value is a secret of this kind, here and wherever else it stands.
      case redact(kind: String)
      /// The text is replaced here by a note with its digest.
      case digest
      /// The value is no secret.
      case keep
    }

    var action: Action
    var place: Place
    /// Any of them; empty means every host, and marks.
    var hosts: [PartPattern]
    /// Where it was written; nil for a built-in rule.
    var source: Source?
  }

  /// The place of a rule in a file.
  struct Source: Hashable, Sendable {
    var file: String
    /// Counted from 1.
    var line: Int
    /// Counted from 1, in characters.
    var column: Int
    var text: String
  }

  /// What a rule says, and which of all rules it is.
  struct Instruction: Hashable, Sendable {
    var action: Rule.Action
    var rule: Int
    /// It is for the values that look like a token alone.
    var isForTokens = false
  }

  /// Where a rule finds its value.
  enum Place: Hashable, Sendable {
    /// A header or trailer, name in lower case.
    case header(String)
    case query(String)
    case form(String)
    /// A query item, a form field, or a JSON member at any depth.
    case field(String)
    case json(PartPattern)
    case path(PartPattern)
    case text(WordPattern)
    /// A header, a query item, a form field, or a JSON member at any depth, by one of the `CredentialNames`.
    case credential(String)

    var isField: Bool { if case .field = self { true } else { false } }
  }

  var rules: [Rule]

  init(rules: [Rule]) { self.rules = rules }

  /// Which rules hold for `host`. Marks have none: there, only rules for every host and named fields count.
  func areApplicable(to host: String?) -> [Bool] {
    // Rules with the same hosts mostly stand together.
    var last: (hosts: [PartPattern], answer: Bool) = ([], true)
    return rules.map { rule in
      guard let host else { return rule.hosts.isEmpty || rule.place.isField }
      if rule.hosts != last.hosts {
        last = (rule.hosts, rule.hosts.isEmpty || rule.hosts.contains { $0.fits(host: host) })
      }
      return last.answer
    }
  }

  /// Nothing is a secret, whatever it looks like; only values that a redactor was told of are replaced.
  public static let none = RedactionRules(rules: [])

  /// Whether there is anything that they find: without a single rule, not even what gives itself away in any text.
  var findAnything: Bool { !rules.isEmpty }

  /// These rules and `other` ones, which stand before them.
  public func adding(_ other: RedactionRules) -> RedactionRules { RedactionRules(rules: other.rules + rules) }
}
