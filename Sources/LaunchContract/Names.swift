/// What a name in a rule stands for.
struct Declaration: Hashable, Sendable {
  enum Meaning: Hashable, Sendable {
    case mark(MarkPattern)
    case call(CallDeclaration)
    /// `attempt of A`: each attempt of the call with this number.
    case attempts(Int)
    /// `calls`: every call.
    case everyCall
    /// `launch.begin`, `launch.end`.
    case launchBegin, launchEnd
    /// Its declaration has a mistake of its own, so rules that use the name are not blamed.
    case unusable
  }

  var name: String
  var meaning: Meaning
  /// The file that declares it; empty for the names every contract has.
  var file = ""
  /// Where it is declared; 0 for the names every contract has.
  var line = 0
  var column = 0
  /// The line of the declaration as written.
  var sourceLine = ""
  /// What `per key` means; nil when nothing is declared.
  var key: FieldPath?
  /// What `in order of order` means; nil when nothing is declared.
  var order: FieldPath?

  /// A mark has a moment and no outcome.
  var isPoint: Bool {
    switch meaning {
    case .mark, .launchBegin, .launchEnd: true
    case .call, .attempts, .everyCall, .unusable: false
    }
  }
}

/// A `call` declaration's right side.
struct CallDeclaration: Hashable, Sendable {
  var pattern: CallPattern
  var success = StatusSet.successful
  /// The field whose value attempts of one logical call share; nil for the whole request.
  var attemptField: FieldPath?
}

/// The statuses that count as ok: `2xx, 409`.
struct StatusSet: Hashable, Sendable {
  static let successful = StatusSet(ranges: [200...299])

  var ranges: [ClosedRange<Int>]

  /// As a contract writes it: `2xx, 409`.
  var text: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound / 100)xx" }.joined(separator: ", ")
  }

  func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}

/// The names of a contract. A name's number is its place in `declarations`.
struct Names: Hashable, Sendable {
  static let everyCall = 0
  static let launchBegin = 1
  static let launchEnd = 2
  /// Those that every contract has.
  static let builtIn = Names()

  private(set) var declarations = [
    Declaration(name: "calls", meaning: .everyCall),
    Declaration(name: "launch.begin", meaning: .launchBegin),
    Declaration(name: "launch.end", meaning: .launchEnd),
  ]
  private var numbers = ["calls": 0, "launch.begin": 1, "launch.end": 2]

  /// The names the file declares, by number.
  var declared: [Int] {
    declarations.indices.filter { number in
      switch declarations[number].meaning {
      case .mark, .call, .unusable: true
      case .attempts, .everyCall, .launchBegin, .launchEnd: false
      }
    }
  }

  subscript(number: Int) -> Declaration { declarations[number] }

  func number(of name: String) -> Int? { numbers[name] }

  /// The number that stands for each attempt of the call `number` in a rule; a name that is no call stays itself.
  mutating func attempts(of number: Int) -> Int {
    guard case .call = self[number].meaning else { return number }
    let base = self[number]
    let name = "attempt of \(base.name)"
    if let known = numbers[name] { return known }
    var derived = base
    (derived.name, derived.meaning) = (name, .attempts(number))
    _ = add(derived)
    return declarations.count - 1
  }

  /// False when the name is taken.
  mutating func add(_ declaration: Declaration) -> Bool {
    guard numbers[declaration.name] == nil else { return false }
    numbers[declaration.name] = declarations.count
    declarations.append(declaration)
    return true
  }
}

/// The words that mean something to the language. They are reserved as whole names; a name may contain one.
enum Vocabulary {
  static let statements = ["contract", "tolerance", "include", "mark", "call", "when"]

  static let keywords = Set(
    """
    contract version tolerance include mark call when or where not exists matches in and ok attempts attempt by key
    order every each is are followed only after before until between while starts ends ending then within of at
    least most exactly no except per if happens one else first last nothing these right among time open never
    overlaps turns take retries back off from factor cap jitter full tries any uses equals same differs has
    answered sent outcome settles quiet for its own the end gapless launch advice optional method query header
    form body status response us ms s min ANY
    """.split { $0 == " " || $0 == "\n" }.map(String.init))

  /// `att.answered`: letters, digits, `_` and `-` in parts joined by dots, the first character a letter.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.unicodeScalars.allSatisfy {
          $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-"
            || $0.properties.generalCategory == .nonspacingMark
        }
    }
  }
}
