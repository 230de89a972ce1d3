/// Reads one rule: `[NAME] advice: optional: SENTENCE [scope] [except NAMES] [per FIELD] [± DURATION]`.
///
/// The sentences stand in files by what they are about; each has a small function that the tables in `RuleSentences`
/// lead to.
struct RuleParser {
  struct Parsed {
    var name: String?
    var isAdvice = false
    var isOptional = false
    /// Where the sentence starts.
    var column = 1
    var form: Rule.Form
    var scope: Rule.Scope?
    var key: Rule.KeyField?
  }

  /// Mistakes that did not keep the rest of the rule from being read.
  var mistakes: [Mistake] = []
  /// Doubts about a rule that can be used.
  var doubts: [Mistake] = []
  var cursor: TokenCursor
  /// With the numbers that the rule needed for attempts.
  var names: Names
  let tolerance: Int64
  /// Whether a name that is not declared is worth a search for the one that was meant.
  let hasHints: Bool
  /// The names the rule mentions so far, in the order of the sentence.
  var parties: [Party] = []
  /// What `±` says, or else the file's tolerance; what has a time bound asks for it when the whole rule is read.
  private(set) var widening: Int64

  init(_ tokens: [Token], names: Names, tolerance: Int64, hasHints: Bool = true) {
    cursor = TokenCursor(tokens)
    self.names = names
    self.tolerance = tolerance
    self.hasHints = hasHints
    widening = tolerance
  }

  mutating func parse() throws(Mistake) -> Parsed {
    let label = cursor.label()?.text
    let (isAdvice, isOptional) = try modifiers()
    let column = cursor.column
    readTolerance()
    var form = try sentence()
    let scope = try scope(of: form)
    try parseExceptions(&form)
    let key = try key(of: form)
    try parseTolerance(form)
    try cursor.expectEnd()
    refuseSameNames()
    doubt(form, scope)
    return Parsed(
      name: label, isAdvice: isAdvice, isOptional: isOptional, column: column, form: form, scope: scope, key: key)
  }

  private mutating func modifiers() throws(Mistake) -> (isAdvice: Bool, isOptional: Bool) {
    var seen: Set<String> = []
    while let token = cursor.peek, cursor.accept("advice") || cursor.accept("optional") {
      try cursor.expect(symbol: ":")
      if !seen.insert(token.text).inserted {
        throw Mistake(column: token.column, message: "'\(token.text):' stands here twice")
      }
    }
    return (seen.contains("advice"), seen.contains("optional"))
  }

  /// The tolerance stands at the end of a rule, and its sentence is what it widens: looks ahead.
  private mutating func readTolerance() {
    guard let place = cursor.tokens.lastIndex(where: { $0.isSymbol("±") }) else { return }
    var rest = TokenCursor(Array(cursor.tokens[(place + 1)...]))
    widening = (try? rest.duration()) ?? tolerance
  }

  private mutating func parseTolerance(_ form: Rule.Form) throws(Mistake) {
    guard cursor.peek?.isSymbol("±") == true || form.hasTimeBound else { return }
    let column = cursor.column
    guard cursor.accept(symbol: "±") else { return }
    _ = try cursor.duration()
    if !form.hasTimeBound {
      throw Mistake(
        column: column,
        message: "'±' widens a time bound, and this rule has none; 'within', 'at least … after' and 'back off' have one"
      )
    }
  }
}

extension Rule.Form {
  /// Whether a tolerance means something (rules 6, 7, 15 and 22).
  fileprivate var hasTimeBound: Bool {
    switch self {
    case .response(_, _, let bound, _): bound != nil
    case .gap, .backoff, .fallback: true
    default: false
    }
  }
}
