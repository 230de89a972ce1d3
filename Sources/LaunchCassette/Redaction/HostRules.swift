import LaunchHTTP
import LaunchJSON

/// The rules that hold for one host, ready to be looked up by name.
final class HostRules: Sendable {
  typealias Action = RedactionRules.Rule.Action

  /// Of all rules, which ones these are.
  let isApplicable: [Bool]
  /// By name in lower case.
  let headers: [String: Action]
  let queries: [String: Action]
  let forms: [String: Action]
  let paths: [(pattern: PartPattern, action: Action)]
  let words: [(pattern: WordPattern, action: Action)]
  let json: JSONRules

  /// - Parameter isApplicable: Of all rules, which ones hold for the host.
  init(_ rules: RedactionRules, _ isApplicable: [Bool]) {
    let rules = zip(rules.rules, isApplicable).filter(\.1).map(\.0)
    var headers: [String: Action] = [:]
    var queries: [String: Action] = [:]
    var forms: [String: Action] = [:]
    var paths: [(pattern: PartPattern, action: Action)] = []
    var words: [(pattern: WordPattern, action: Action)] = []
    var json = JSONRules()
    for rule in rules.filter({ $0.action == .keep }) + rules.filter({ $0.action != .keep }) {
      switch rule.place {
      case .header(let name): headers.addFirst(rule.action, name)
      case .query(let name): queries.addFirst(rule.action, name)
      case .form(let name): forms.addFirst(rule.action, name)
      case .path(let pattern): paths.append((pattern, rule.action))
      case .text(let pattern): words.append((pattern, rule.action))
      case .json(let pattern): json.add(pattern, rule.action)
      case .field(let name):
        queries.addFirst(rule.action, name)
        forms.addFirst(rule.action, name)
        json.add(name, rule.action)
      }
    }
    self.isApplicable = isApplicable
    (self.headers, self.queries, self.forms, self.paths, self.words) = (headers, queries, forms, paths, words)
    self.json = json
  }

  /// Whether a rule says of this value that it is no secret, wherever it stands.
  func keep(_ value: some Collection<UInt8>) -> Bool {
    words.contains { $0.action == .keep && $0.pattern.fits(Array(value)[...]) }
  }
}

extension [String: RedactionRules.Rule.Action] {
  fileprivate mutating func addFirst(_ action: Value, _ name: String) {
    if self[name] == nil { self[name] = action }
  }
}

/// Rules for JSON members, found by the last key of their paths.
struct JSONRules: Sendable {
  typealias Action = RedactionRules.Rule.Action
  /// A key on the way to a value; nil for an element of an array.
  typealias Key = ArraySlice<UInt8>?

  fileprivate struct Entry {
    var order: Int
    /// Of the whole path; nil when the last key is enough.
    var pattern: PartPattern?
    var action: Action
  }

  private var count = 0
  private var entries: [[UInt8]: [Entry]] = [:]
  /// Those whose paths end in a star.
  private var openEntries: [Entry] = []
  /// Whether some last key has this length and these bytes: most keys need no other look.
  private var mayBeLast = [Bool](repeating: false, count: 4096)

  mutating func add(_ pattern: PartPattern, _ action: Action) {
    let entry = Entry(order: count, pattern: pattern, action: action)
    guard case .literal(let key) = pattern.parts.last else {
      count += 1
      return openEntries.append(entry)
    }
    add(entry, for: key)
  }

  /// Adds a rule for the members of this name at any depth.
  mutating func add(_ name: String, _ action: Action) {
    add(Entry(order: count, action: action), for: Array(name.utf8))
  }

  private mutating func add(_ entry: Entry, for key: [UInt8]) {
    count += 1
    entries[key, default: []].append(entry)
    mayBeLast[Self.slot(key, key.indices)] = true
  }

  /// Whether it is worth asking for the action.
  /// - Parameters:
  ///   - key: Where the value's key stands in `text`.
  ///   - parent: The key around it; nil for an element of an array.
  func mayAct(on key: Range<Int>?, inside parent: Range<Int>?, in text: [UInt8]) -> Bool {
    if let key, mayBeLast[Self.slot(text, key)] { return true }
    return openEntries.contains { $0.mayFit(inside: parent, in: text) }
  }

  /// What the first rule for the value at `path` says.
  /// - Parameter path: The keys around the value; asked for only when its own key is in a rule.
  func action(at last: Key, in path: () -> [Key]) -> Action? {
    var best: Entry?
    if let last, let entries = entries[Array(last)] {
      best = entries.first { $0.fits(last, in: path) }
    }
    if !openEntries.isEmpty, let open = openEntries.first(where: { $0.fits(last, in: path) }),
      open.order < best?.order ?? .max
    {
      best = open
    }
    return best?.action
  }

  private static func slot(_ text: [UInt8], _ key: Range<Int>) -> Int {
    guard let first = key.first, let last = key.last else { return 0 }
    let bytes = (Int(text[first]) * 31 + Int(text[first + key.count / 2])) * 31 + Int(text[last])
    return (bytes * 31 + key.count) & 4095
  }
}

extension JSONRules.Entry {
  /// Of a path that ends in a star: whether the key before the star may be this one.
  fileprivate func mayFit(inside parent: Range<Int>?, in text: [UInt8]) -> Bool {
    guard let parts = pattern?.parts, parts.count >= 2, parts.last != .many,
      case .literal(let wanted) = parts[parts.count - 2]
    else { return true }
    guard let parent, parent.count == wanted.count else { return false }
    return text[parent].elementsEqual(wanted)
  }

  fileprivate func fits(_ last: JSONRules.Key, in path: () -> [JSONRules.Key]) -> Bool {
    guard let pattern else { return true }
    let path = path()
    return pattern.captures(of: path.count + 1) { part, key in
      (part < path.count ? path[part] : last)?.elementsEqual(key) ?? false
    } != nil
  }
}

/// A value in a JSON text that something has to be done about.
struct JSONFinding {
  enum Work {
    /// A rule says so.
    case act(RedactionRules.Rule.Action)
    /// A string that may hold JSON itself, at this path.
    case look(path: [JSONRules.Key])
  }

  /// The bytes of a string between its quotes, or of a number.
  var range: Range<Int>
  var isString: Bool
  var work: Work
}

extension JSONRules {
  /// Walks over JSON texts that stand one behind the other, mostly one; what stands before a mistake counts.
  /// - Parameters:
  ///   - path: Where the text stands, when it is a part of another one.
  ///   - inherited: What a rule says about all of it.
  func findings(in text: [UInt8], at path: [Key], inherited: Action?) -> [JSONFinding] {
    var walk = JSONWalk(rules: self, text: text, outer: path, inherited: inherited)
    var start = 0
    while let end = walk.run(from: start), end > start { start = end }
    return walk.findings
  }
}

/// One walk over JSON texts.
private struct JSONWalk {
  let rules: JSONRules
  let text: [UInt8]
  let outer: [JSONRules.Key]
  let inherited: JSONRules.Action?
  var findings: [JSONFinding] = []

  /// Walks over the text that begins at `start`.
  /// - Returns: Where it ends; nil when it is not complete.
  mutating func run(from start: Int) -> Int? {
    var reader = JSONReader(text, in: start..<text.count)
    /// Where the keys around the current value stand; nil for elements of arrays. The outermost value has no key.
    var path: [Range<Int>?] = []
    var key: Range<Int>?
    /// An action for a whole container, and how deep that one is.
    var held = inherited.map { (action: $0, depth: Int.min) }
    var depth = 0
    while let token = try? reader.next(), token != .end {
      let range = reader.tokenRange
      switch token {
      case .key:
        key = range.inner
        continue
      case .beginObject, .beginArray:
        if held == nil, let action = action(key, path) { held = (action, depth) }
        if depth > 0 { path.append(key) }
        depth += 1
      case .endObject, .endArray:
        depth -= 1
        if depth > 0 { path.removeLast() }
        if held?.depth == depth { held = nil }
      case .string:
        if let action = held?.action ?? action(key, path) {
          findings.append(JSONFinding(range: range.inner, isString: true, work: .act(action)))
        } else if text.mayBeJSON(range.inner) {
          let work = JSONFinding.Work.look(path: keys(path) + [slice(key)])
          findings.append(JSONFinding(range: range.inner, isString: true, work: work))
        }
      case .integer, .number:
        if let action = held?.action ?? action(key, path) {
          findings.append(JSONFinding(range: range, isString: false, work: .act(action)))
        }
      case .bool, .null, .end: break
      }
      key = nil
      if depth == 0 { return range.upperBound }
    }
    return nil
  }

  private func action(_ key: Range<Int>?, _ path: [Range<Int>?]) -> JSONRules.Action? {
    // The key around a text in a text stands in another one.
    guard path.isEmpty && !outer.isEmpty || rules.mayAct(on: key, inside: path.last ?? nil, in: text) else {
      return nil
    }
    return rules.action(at: slice(key)) { keys(path) }
  }

  private func keys(_ path: [Range<Int>?]) -> [JSONRules.Key] { outer + path.map(slice) }

  private func slice(_ range: Range<Int>?) -> JSONRules.Key { range.map { text[$0] } }
}

extension Range<Int> {
  /// Without the quotes of a string.
  fileprivate var inner: Range<Int> { lowerBound + 1..<upperBound - 1 }
}

extension [UInt8] {
  /// Whether a JSON text with something in it may stand at `range`.
  func mayBeJSON(_ range: Range<Int>) -> Bool {
    guard range.count > 2 else { return false }
    for index in range where self[index] > 0x20 {
      return self[index] == UInt8(ascii: "{") || self[index] == UInt8(ascii: "[")
    }
    return false
  }
}
