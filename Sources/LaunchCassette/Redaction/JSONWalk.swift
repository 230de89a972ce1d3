import LaunchHTTP
import LaunchJSON

/// A value in a JSON text that something has to be done about.
struct JSONFinding {
  enum Work {
    /// A rule says so.
    case act(RedactionRules.Instruction)
    /// A string that may hold JSON itself, at this path.
    case look(path: [JSONRules.Key])
    /// A string that may hold URLs; `isReference` says that it may be a relative one.
    case followURLs(isReference: Bool)
    /// In a HAR, the value of the header with this name.
    case header(String)
    /// In a HAR, the text of a form.
    case form
    /// In a HAR, a URL that is its own content.
    case dataURL
  }

  /// The bytes of a string between its quotes, or of a number.
  var range: Range<Int>
  var isString: Bool
  var work: Work
}

extension HostRules {
  /// Walks over JSON texts that stand one behind the other, mostly one. Behind a mistake, what looks like a member is judged by
  /// its key alone.
  /// - Parameters:
  ///   - path: Where the text stands, when it is a part of another one.
  ///   - inherited: What a rule says about all of it.
  ///   - isHAR: Whether they are the members of a HAR, whose lists of names and values the other rules are for.
  func findings(
    in text: [UInt8], at path: [JSONRules.Key], inherited: Instruction?, isHAR: Bool
  ) -> [JSONFinding] {
    var walk = JSONWalk(rules: self, text: text, outer: path, inherited: inherited, isHAR: isHAR)
    var start = 0
    while let end = walk.run(from: start), end < text.count { start = end }
    guard let mistake = walk.mistake, mistake < text.count else { return walk.findings }
    // The quote that ended the last string may have been meant to begin the next one.
    return walk.findings + json.looseFindings(in: text, from: max(0, mistake - 1))
  }
}

/// One walk over JSON texts. Not to be copied: it is asked about every value.
private struct JSONWalk: ~Copyable {
  let rules: HostRules
  let text: [UInt8]
  let outer: [JSONRules.Key]
  let inherited: JSONRules.Instruction?
  let isHAR: Bool
  /// Whether names may be written with escapes.
  private let hasEscapes: Bool
  /// The containers that are open, when pairs are looked for.
  private var open: [Pair] = []
  private(set) var findings: [JSONFinding] = []
  /// Where the text stopped to be JSON.
  private(set) var mistake: Int?

  /// A container that may be a `{"name":…,"value":…}` or a `[name,value]`.
  private struct Pair {
    var start: Int
    var isList: Bool
    /// Strings of a list.
    var count = 0
    var name: Range<Int>?
    var value: Range<Int>?
  }

  init(
    rules: HostRules, text: [UInt8], outer: [JSONRules.Key], inherited: JSONRules.Instruction?, isHAR: Bool
  ) {
    (self.rules, self.text, self.outer, self.inherited, self.isHAR) = (rules, text, outer, inherited, isHAR)
    hasEscapes = text.holds(UInt8(ascii: "\\"))
  }

  /// Walks over the text that begins at `start`.
  /// - Returns: Where it ends; nil when it is not complete.
  mutating func run(from start: Int) -> Int? {
    let text = text
    let bytes = text.span
    var tokens = JSONTokens(text, from: start)
    /// Where the keys around the current value stand; nil for elements of arrays. The outermost value has no key.
    var path: [Range<Int>?] = []
    path.reserveCapacity(8)
    var key: Range<Int>?
    /// An action for a whole container, and how deep that one is.
    var held = inherited.map { (instruction: $0, depth: Int.min) }
    var depth = 0
    while let (token, range) = tokens.next(bytes) {
      switch token {
      case .key:
        key = range.inner
        continue
      case .beginObject, .beginArray:
        if held == nil, let instruction = instruction(key, path), !instruction.isForTokens {
          held = (instruction, depth)
        }
        if depth > 0 { path.append(key) }
        if isHAR { open.append(Pair(start: range.lowerBound, isList: token == .beginArray)) }
        depth += 1
      case .endObject, .endArray:
        if isHAR, let pair = open.popLast(), held == nil { judge(pair, path) }
        depth -= 1
        if depth > 0 { path.removeLast() }
        if held?.depth == depth { held = nil }
      case .string:
        if isHAR { note(range.inner, under: key) }
        if let work = work(on: range.inner, key, path, held?.instruction) {
          findings.append(JSONFinding(range: range.inner, isString: true, work: work))
        }
      case .number:
        if let instruction = held?.instruction ?? instruction(key, path), instruction.fits(text[range]) {
          findings.append(JSONFinding(range: range, isString: false, work: .act(instruction)))
        }
      case .literal: break
      }
      key = nil
      if depth == 0 { return range.upperBound }
    }
    mistake = tokens.mistake
    return nil
  }

  private func work(
    on string: Range<Int>, _ key: Range<Int>?, _ path: [Range<Int>?], _ held: JSONRules.Instruction?
  ) -> JSONFinding.Work? {
    if let instruction = held ?? instruction(key, path), instruction.fits(text[string]) { return .act(instruction) }
    if text.mayBeJSON(string) { return .look(path: keys(path) + [slice(key)]) }
    if !isHAR { return text.mayBeURL(string) ? .followURLs(isReference: false) : nil }
    if let key, let work = workInList(on: string, key, path) { return work }
    if text.mayBeDataURL(string) { return .dataURL }
    if let key, text[key].elementsEqual("redirectURL".utf8) || text[key].elementsEqual("url".utf8) {
      return .followURLs(isReference: true)
    }
    if let key, text[key].elementsEqual("text".utf8) {
      if text[string].areFormPairs { return .form }
      if !text.mayBeURL(string), text[string].mayBeForm { return .form }
    }
    return text.mayHoldURL(string) ? .followURLs(isReference: false) : nil
  }

  /// Remembers a name or a value of the innermost object.
  private mutating func note(_ string: Range<Int>, under key: Range<Int>?) {
    guard !open.isEmpty else { return }
    guard let key else {
      switch open[open.count - 1].count {
      case 0: open[open.count - 1].name = string
      case 1: open[open.count - 1].value = string
      default: open[open.count - 1].value = nil
      }
      open[open.count - 1].count += 1
      return
    }
    if text[key].elementsEqual("name".utf8) { open[open.count - 1].name = string }
    if text[key].elementsEqual("value".utf8) { open[open.count - 1].value = string }
  }

  /// Judges the value of a pair by the rules for its name. A list of headers, say, may also be a patch of one.
  private mutating func judge(_ pair: Pair, _ path: [Range<Int>?]) {
    guard let nameRange = pair.name, let value = pair.value else { return }
    let list = path.reversed().compactMap { key in key.flatMap { HARList(text[$0]) } }.first
    if pair.isList, list == nil || path.last.flatMap({ $0 }).flatMap({ HARList(text[$0]) }) != nil { return }
    let name = String(decoding: CodedText(text[nameRange], .json)?.bytes ?? Array(text[nameRange]), as: UTF8.self)
    guard let work = work(on: value, named: name, in: list) else { return }
    // This says more than what the value alone said.
    let inside = findings.reversed().prefix { $0.range.lowerBound > pair.start }.count
    if let known = findings.suffix(inside).lastIndex(where: { $0.range == value }) { findings.remove(at: known) }
    findings.append(JSONFinding(range: value, isString: true, work: work))
  }

  /// What is to be done with the member of an object that stands in the place of a list of names and values.
  private func workInList(on value: Range<Int>, _ key: Range<Int>, _ path: [Range<Int>?]) -> JSONFinding.Work? {
    // A patch puts the whole of a value under this key.
    let path = path.last.flatMap { $0 }.map { text[$0].elementsEqual("=".utf8) } == true ? path.dropLast() : path[...]
    guard isHAR, let around = path.last ?? nil, let list = HARList(text[around]) else { return nil }
    return work(on: value, named: String(decoding: slice(key) ?? [], as: UTF8.self), in: list)
  }

  private func work(
    on value: Range<Int>, named name: String, in list: HARList?
  ) -> JSONFinding.Work? {
    let instruction =
      switch list {
      case .headers: nil as JSONRules.Instruction?
      case .cookies: rules.header("cookie") ?? rules.header("set-cookie")
      case .queryString: rules.query(name)
      case .params: rules.form(name)
      case nil: rules.query(name) ?? rules.form(name) ?? rules.header(name.lowercasedASCII)
      }
    if list == .headers { return .header(name) }
    return instruction.flatMap { $0.fits(text[value]) ? .act($0) : nil }
  }

  private func instruction(_ key: Range<Int>?, _ path: [Range<Int>?]) -> JSONRules.Instruction? {
    // The key around a text in a text stands in another one.
    let isWhole = path.isEmpty && !outer.isEmpty
    if !isWhole, !hasEscapes, let key, !rules.json.mayAct(on: text.span.extracting(key)) { return nil }
    let last = slice(key)
    guard isWhole || rules.json.mayAct(on: last, inside: { slice(path.last ?? nil) }) else { return nil }
    return rules.json.action(at: last) { keys(path) }
  }

  private func keys(_ path: [Range<Int>?]) -> [JSONRules.Key] { outer + path.map { slice($0) } }

  /// The key at `range`, its escapes undone.
  private func slice(_ range: Range<Int>?) -> JSONRules.Key {
    range.map { hasEscapes ? text.name(at: $0) : text[$0] }
  }
}

/// The lists of names and values in a HAR, also those that exporters have of their own: `_requestHeaders`.
private enum HARList: String, CaseIterable {
  case headers, cookies, queryString, params

  init?(_ key: ArraySlice<UInt8>) {
    let list = Self.allCases.first { list in
      let name = list.rawValue.utf8
      return key.suffix(name.count).elementsEqual(name) { $0.lowercasedASCII == $1.lowercasedASCII }
    }
    guard let list else { return nil }
    self = list
  }
}

extension Range<Int> {
  /// Without the quotes of a string.
  fileprivate var inner: Range<Int> { lowerBound + 1..<upperBound - 1 }
}

extension [UInt8] {
  /// The name of a member, its escapes undone.
  func name(at range: Range<Int>) -> ArraySlice<UInt8> {
    guard holds(UInt8(ascii: "\\"), in: range), let decoded = CodedText(self[range], .json) else { return self[range] }
    return decoded.bytes[...]
  }

  /// Whether what stands at `range` begins as a `data:` URL, and not as an event of a stream.
  fileprivate func mayBeDataURL(_ range: Range<Int>) -> Bool {
    range.count > 5 && self[range].prefix(5).elementsEqual("data:".utf8) { $0.lowercasedASCII == $1 }
      && self[range.lowerBound + 5] != 0x20
  }

  /// Whether a JSON text with something in it may stand at `range`.
  func mayBeJSON(_ range: Range<Int>) -> Bool {
    guard range.count > 2 else { return false }
    for index in range where self[index] > 0x20 {
      return self[index] == UInt8(ascii: "{") || self[index] == UInt8(ascii: "[")
    }
    return false
  }
}
