import LaunchHTTP
import LaunchJSON

/// The rules that hold for one host, ready to be looked up by name.
final class HostRules: Sendable {
  typealias Instruction = RedactionRules.Instruction

  /// Of all rules, which ones these are.
  let isApplicable: [Bool]
  /// By name in lower case.
  private let headers: [String: Instruction]
  private let queries: [String: Instruction]
  private let forms: [String: Instruction]
  let paths: [(pattern: PartPattern, instruction: Instruction)]
  let words: [(pattern: WordPattern, instruction: Instruction)]
  /// Some rule says of values that they are no secrets, wherever they stand.
  let hasKeepers: Bool
  let json: JSONRules

  /// - Parameter isApplicable: Of all rules, which ones hold for the host.
  init(_ rules: RedactionRules, _ isApplicable: [Bool]) {
    let rules = zip(rules.rules.enumerated(), isApplicable).filter(\.1).map(\.0)
    var headers: [String: Instruction] = [:]
    var queries: [String: Instruction] = [:]
    var forms: [String: Instruction] = [:]
    var paths: [(pattern: PartPattern, instruction: Instruction)] = []
    var words: [(pattern: WordPattern, instruction: Instruction)] = []
    var json = JSONRules()
    let kept = rules.filter { $0.element.action == .keep }
    for (number, rule) in kept + rules.filter({ $0.element.action != .keep }) {
      var instruction = Instruction(action: rule.action, rule: number)
      switch rule.place {
      case .header(let name): headers.addFirst(instruction, name)
      case .query(let name): queries.addFirst(instruction, name)
      case .form(let name): forms.addFirst(instruction, name)
      case .path(let pattern): paths.append((pattern, instruction))
      case .text(let pattern): words.append((pattern, instruction))
      case .json(let pattern): json.add(pattern, instruction)
      case .field(let name):
        queries.addFirst(instruction, name)
        forms.addFirst(instruction, name)
        json.add(name, instruction)
      case .credential(let name):
        instruction.isForTokens = name == RedactionRules.tokenName
        json.credentials.add(name, instruction)
      }
    }
    self.isApplicable = isApplicable
    (self.headers, self.queries, self.forms, self.paths, self.words) = (headers, queries, forms, paths, words)
    hasKeepers = words.contains { $0.instruction.action == .keep }
    self.json = json
  }

  /// What is to be done with the value of a header.
  /// - Parameter name: In lower case.
  func header(_ name: String) -> Instruction? { headers[name] ?? json.credentials.instruction(forHeader: name) }

  /// What is to be done with the value of a query item.
  func query(_ name: String) -> Instruction? { queries[name] ?? json.credentials.instruction(for: name.utf8) }

  /// What is to be done with the value of a form field.
  func form(_ name: String) -> Instruction? { forms[name] ?? json.credentials.instruction(for: name.utf8) }

  /// The rule that says of this value that it is no secret, wherever it stands.
  func keeper(of value: some Collection<UInt8>) -> Int? {
    words.first { $0.instruction.action == .keep && $0.pattern.fits(Array(value)[...]) }?.instruction.rule
  }
}

extension [String: RedactionRules.Instruction] {
  fileprivate mutating func addFirst(_ instruction: Value, _ name: String) {
    if self[name] == nil { self[name] = instruction }
  }
}

/// Rules for JSON members, found by the last key of their paths.
struct JSONRules: Sendable {
  typealias Instruction = RedactionRules.Instruction
  /// A key on the way to a value; nil for an element of an array.
  typealias Key = ArraySlice<UInt8>?

  fileprivate struct Entry {
    var order: Int
    /// Of the whole path; nil when the last key is enough.
    var pattern: PartPattern?
    var instruction: Instruction
  }

  /// The rules whose paths end in this key.
  private struct KeyedEntries {
    var key: [UInt8]
    var entries: [Entry]
  }

  private var count = 0
  private var entries: [[KeyedEntries]] = []
  /// Those whose paths end in a star.
  private var openEntries: [Entry] = []
  /// By length and some bytes of a last key: which of `entries` are for such keys, counted from 1. Zero for most keys, which
  /// need no other look.
  private var places = [UInt16](repeating: 0, count: 4096)
  /// The same for keys before such a star, and for last keys: whether there is one.
  private var mayMatter = [Bool](repeating: false, count: 4096)
  /// Some path ends in a star with no key before it.
  private var isOpenAnywhere = false
  var credentials = CredentialNames()

  mutating func add(_ pattern: PartPattern, _ instruction: Instruction) {
    let entry = Entry(order: count, pattern: pattern, instruction: instruction)
    guard case .literal(let key) = pattern.parts.last else {
      count += 1
      if let parent = entry.keyBeforeStar {
        mayMatter[Self.slot(parent[...])] = true
      } else {
        isOpenAnywhere = true
      }
      return openEntries.append(entry)
    }
    add(entry, for: key)
  }

  /// Adds a rule for the members of this name at any depth.
  mutating func add(_ name: String, _ instruction: Instruction) {
    add(Entry(order: count, instruction: instruction), for: Array(name.utf8))
  }

  private mutating func add(_ entry: Entry, for key: [UInt8]) {
    count += 1
    let slot = Self.slot(key[...])
    mayMatter[slot] = true
    if places[slot] == 0 {
      entries.append([])
      // There are no more than slots.
      places[slot] = UInt16(entries.count)
    }
    let place = Int(places[slot]) - 1
    if let index = entries[place].firstIndex(where: { $0.key == key }) {
      entries[place][index].entries.append(entry)
    } else {
      entries[place].append(KeyedEntries(key: key, entries: [entry]))
    }
  }

  /// What a look at the strings of a text tells. Most texts are done with after it.
  enum Look {
    /// No key is in a rule, and no string may hold JSON or a URL.
    case nothing
    /// If the text is JSON, these are all the findings: members that are meant wherever they stand.
    case members([JSONFinding])
    /// Only a walk over the text can tell.
    case more
  }

  /// Looks at the strings of a text.
  func look(at text: [UInt8]) -> Look {
    if isOpenAnywhere { return .more }
    let bytes = text.span
    let end = bytes.count
    /// Nil until a key is met that a rule may be for.
    var findings: [JSONFinding]?
    /// What the key before a string says of it.
    var instruction: Instruction?
    var index = 0
    while true {
      // Mostly a comma and a colon.
      while index < end, bytes.byte(at: index) != UInt8(ascii: "\"") { index += 1 }
      guard index < end else { return findings.map { .members($0) } ?? .nothing }
      let start = index + 1
      let hasEscapes: Bool
      (index, hasEscapes) = bytes.endOfString(from: start, to: end)
      // A string that is cut off may hold something, too; what is no string is not walked over either.
      guard index > start, bytes.byte(at: index - 1) == UInt8(ascii: "\"") else {
        let rest = start..<end
        return findings != nil || text.mayBeJSON(rest) || text.mayBeURL(rest) ? .more : .nothing
      }
      let string = start..<index - 1
      while index < end, bytes.byte(at: index) <= UInt8(ascii: " ") { index += 1 }
      if index < end, bytes.byte(at: index) == UInt8(ascii: ":") {
        let key = bytes.extracting(string)
        guard hasEscapes || mayMatter[Self.slot(key)] || credentials.mayHold(key) else { continue }
        repeat { index += 1 } while index < end && bytes[index] <= UInt8(ascii: " ")
        let hasString = index < end && bytes.byte(at: index) == UInt8(ascii: "\"")
        let first = entries(for: text[string])?.first
        // A rule that asks for more than the key needs to know where the member stands.
        guard hasString, !hasEscapes, first?.pattern == nil else { return .more }
        instruction = first?.instruction ?? credentials.instruction(for: text[string])
        findings = findings ?? []
        continue
      }
      if let known = instruction, known.fits(text[string]) {
        findings?.append(JSONFinding(range: string, isString: true, work: .act(known)))
      } else if text.mayBeJSON(string) || text.mayBeURL(string) {
        return .more
      }
      instruction = nil
      // No JSON: which quotes begin a string is not known any more.
      if index < end, !bytes[index].endsValue { return .more }
    }
  }

  /// Whether it is worth asking for the action, wherever a value with this key stands.
  @inline(__always)
  func mayAct(on key: Span<UInt8>) -> Bool {
    !openEntries.isEmpty || places[Self.slot(key)] > 0 || credentials.mayHold(key)
  }

  /// The same for a value in its place.
  /// - Parameters:
  ///   - key: The value's key.
  ///   - parent: The key around it; asked for only when it matters.
  func mayAct(on key: Key, inside parent: () -> Key) -> Bool {
    if let key, places[Self.slot(key)] > 0 || credentials.mayHold(key.span) { return true }
    return openEntries.contains { $0.mayFit(inside: parent) }
  }

  /// What the first rule for the value at `path` says.
  /// - Parameter path: The keys around the value; asked for only when its own key is in a rule.
  func action(at last: Key, in path: () -> [Key]) -> Instruction? {
    var best = last.flatMap { entries(for: $0) }?.first { $0.fits(last, in: path) }
    if !openEntries.isEmpty, let open = openEntries.first(where: { $0.fits(last, in: path) }),
      open.order < best?.order ?? .max
    {
      best = open
    }
    return best?.instruction ?? last.flatMap { credentials.instruction(for: $0) }
  }

  /// What the first rule says that ends in this key, or that is for everything under it, wherever that stands.
  func action(atAnyPlaceFor key: ArraySlice<UInt8>) -> Instruction? {
    guard mayMatter[Self.slot(key)] else { return credentials.instruction(for: key) }
    return entries(for: key)?.first?.instruction
      ?? openEntries.first { $0.keyBeforeStar.map { key.elementsEqual($0) } ?? false }?.instruction
      ?? credentials.instruction(for: key)
  }

  /// The rules whose paths end in this key; nil when there are none.
  private func entries(for key: ArraySlice<UInt8>) -> [Entry]? {
    let place = Int(places[Self.slot(key)])
    return place > 0 ? entries[place - 1].first { key.elementsEqual($0.key) }?.entries : nil
  }

  private static func slot(_ key: ArraySlice<UInt8>) -> Int { slot(key.span) }

  @inline(__always)
  private static func slot(_ key: Span<UInt8>) -> Int {
    let count = key.count
    if count == 0 { return 0 }
    let ends = Int(key.byte(at: 0)) &* (31 * 31) &+ Int(key.byte(at: count &- 1))
    return ((ends &+ Int(key.byte(at: count &>> 1)) &* 31) &* 31 &+ count) & 4095
  }
}

extension UInt8 {
  /// What may stand behind a value in JSON.
  fileprivate var endsValue: Bool {
    self == UInt8(ascii: ",") || self == UInt8(ascii: "]") || self == UInt8(ascii: "}")
  }
}

extension JSONRules.Entry {
  /// Of a path that ends in a star: the key before it; nil where any may stand there.
  fileprivate var keyBeforeStar: [UInt8]? {
    guard let parts = pattern?.parts, parts.count >= 2, parts.last != .many,
      case .literal(let key) = parts[parts.count - 2]
    else { return nil }
    return key
  }

  /// Of a path that ends in a star: whether the key before the star may be this one.
  fileprivate func mayFit(inside parent: () -> JSONRules.Key) -> Bool {
    guard let wanted = keyBeforeStar else { return true }
    guard let parent = parent(), parent.count == wanted.count else { return false }
    return parent.elementsEqual(wanted)
  }

  fileprivate func fits(_ last: JSONRules.Key, in path: () -> [JSONRules.Key]) -> Bool {
    guard let pattern else { return true }
    let path = path()
    return pattern.captures(of: path.count + 1) { part, key in
      (part < path.count ? path[part] : last)?.elementsEqual(key) ?? false
    } != nil
  }
}
