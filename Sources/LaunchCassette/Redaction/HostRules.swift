import LaunchHTTP
import LaunchJSON

/// The rules that hold for one host, ready to be looked up by name.
struct HostRules: Sendable {
  typealias Action = RedactionRules.Rule.Action

  /// By name in lower case.
  private(set) var headers: [String: Action] = [:]
  private(set) var queries: [String: Action] = [:]
  private(set) var forms: [String: Action] = [:]
  private(set) var paths: [(pattern: PartPattern, action: Action)] = []
  private(set) var words: [(pattern: WordPattern, action: Action)] = []
  private(set) var json = JSONRules()

  /// - Parameter host: Nil for marks.
  init(_ rules: RedactionRules, host: String?) {
    let applicable = rules.rules.filter { $0.applies(to: host) }
    for rule in applicable.filter({ $0.action == .keep }) + applicable.filter({ $0.action != .keep }) { add(rule) }
  }

  /// Whether a rule says of this value that it is no secret, wherever it stands.
  func keep(_ value: some Collection<UInt8>) -> Bool {
    words.contains { $0.action == .keep && $0.pattern.fits(Array(value)[...]) }
  }

  private mutating func add(_ rule: RedactionRules.Rule) {
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
      json.add(PartPattern(["**", name]), rule.action)
    }
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

  private typealias Entry = (order: Int, pattern: PartPattern, action: Action)

  private var count = 0
  private var entries: [[UInt8]: [Entry]] = [:]
  /// Those whose paths end in a star.
  private var openEntries: [Entry] = []
  /// Whether some last key has this length and last byte: most keys need no other look.
  private var mayBeLast = [Bool](repeating: false, count: 1024)

  mutating func add(_ pattern: PartPattern, _ action: Action) {
    let entry = (count, pattern, action)
    count += 1
    guard case .literal(let key) = pattern.parts.last else { return openEntries.append(entry) }
    entries[key, default: []].append(entry)
    mayBeLast[Self.slot(key[...])] = true
  }

  /// What the first rule for the value at `path` says.
  func action(at path: [Key], _ last: Key) -> Action? {
    var best: Entry?
    if let last, mayBeLast[Self.slot(last)] { best = first(of: entries[Array(last)] ?? [], path, last) }
    if !openEntries.isEmpty, let open = first(of: openEntries, path, last), open.order < best?.order ?? .max {
      best = open
    }
    return best?.action
  }

  private func first(of entries: [Entry], _ path: [Key], _ last: Key) -> Entry? {
    entries.first { entry in
      entry.pattern.captures(of: path.count + 1) { part, key in
        (part < path.count ? path[part] : last)?.elementsEqual(key) ?? false
      } != nil
    }
  }

  private static func slot(_ key: ArraySlice<UInt8>) -> Int { (key.count & 31) << 5 | Int((key.last ?? 0) & 31) }
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
  /// Walks over a JSON text once; what stands before a mistake in it counts.
  /// - Parameters:
  ///   - path: Where the text stands, when it is a part of another one.
  ///   - inherited: What a rule says about all of it.
  func findings(in text: [UInt8], at path: [Key], inherited: Action?) -> [JSONFinding] {
    var findings: [JSONFinding] = []
    var reader = JSONReader(text)
    var path = path
    var key: Key = nil
    /// An action for a whole container, and how deep that one is.
    var held = inherited.map { (action: $0, depth: Int.min) }
    var depth = 0
    while let token = try? reader.next(), token != .end {
      switch token {
      case .key:
        key = text[reader.tokenRange.lowerBound + 1..<reader.tokenRange.upperBound - 1]
      case .beginObject, .beginArray:
        if held == nil, let action = action(at: path, key) { held = (action, depth) }
        // The outermost value has no key.
        if depth > 0 { path.append(key) }
        depth += 1
        key = nil
      case .endObject, .endArray:
        depth -= 1
        if depth > 0 { path.removeLast() }
        if held?.depth == depth { held = nil }
        key = nil
      case .string:
        let range = reader.tokenRange.lowerBound + 1..<reader.tokenRange.upperBound - 1
        if let action = held?.action ?? action(at: path, key) {
          findings.append(JSONFinding(range: range, isString: true, work: .act(action)))
        } else if text.mayBeJSON(range) {
          findings.append(JSONFinding(range: range, isString: true, work: .look(path: path + [key])))
        }
        key = nil
      case .integer, .number:
        if let action = held?.action ?? action(at: path, key) {
          findings.append(JSONFinding(range: reader.tokenRange, isString: false, work: .act(action)))
        }
        key = nil
      case .bool, .null, .end: key = nil
      }
    }
    return findings
  }
}

extension [UInt8] {
  /// Whether a JSON text with something in it may stand at `range`.
  func mayBeJSON(_ range: Range<Int>) -> Bool {
    guard let first = self[range].first(where: { $0 > 0x20 }) else { return false }
    return range.count > 2 && (first == UInt8(ascii: "{") || first == UInt8(ascii: "["))
  }
}
