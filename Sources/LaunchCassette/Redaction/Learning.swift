import LaunchHTTP
import LaunchJSON

/// Finding secrets: by the rules of a host in every part of a message, and by their looks in any text.
///
/// What a rule points at is replaced on the spot, so that values too short to be searched for are dealt with here.
extension Redactor {
  /// Does what a rule says with one value, its escapes undone.
  private mutating func act(_ instruction: HostRules.Instruction, on value: inout [UInt8], _ rules: HostRules) {
    guard instruction.fits(value) else { return }
    isUsed[instruction.rule] = true
    switch instruction.action {
    case .keep: break
    case .digest: value = note(on: value, count: value.count)
    case .redact where isKept(value, rules): break
    case .redact(let kind):
      // Of a JSON text it is the values that say something.
      if value.mayBeJSON(value.indices), (try? JSON(parsing: value)) != nil {
        learnFromJSON(&value, rules, inherited: instruction)
      } else {
        replace(&value, kind: kind)
      }
    }
  }

  /// Whether a rule says of this value that it is no secret, wherever it stands.
  private mutating func isKept(_ value: some Collection<UInt8>, _ rules: HostRules) -> Bool {
    guard rules.hasKeepers, let keeper = rules.keeper(of: value) else { return false }
    isUsed[keeper] = true
    return true
  }

  /// What stands for a text of which nobody needs more than whether it is the same: its digest, then dots.
  private func note(on text: [UInt8], count: Int) -> [UInt8] {
    let head = Array("<!-- md5 ".utf8)
    if text.starts(with: head) { return text }
    let note = head + Array("\(MD5.hexDigest(of: text)) -->".utf8)
    return note.count <= count
      ? note + Array(repeating: UInt8(ascii: "."), count: count - note.count)
      : Array(repeating: UInt8(ascii: "."), count: count)
  }

  /// A short text, by where it stands.
  enum Place {
    case path, query, text
    /// That of a connection; nothing is learnt from it.
    case address
    case field(String)

    /// No header is called like the others.
    var name: String {
      switch self {
      case .path: ":path"
      case .query: ":query"
      case .text: ":text"
      case .address: ":address"
      case .field(let name): name
      }
    }
  }

  /// What stands for a short text: learnt from, and with everything replaced that is known; nil when it stays as it is.
  /// - Parameter rules: What to learn by; nil to learn nothing.
  mutating func redacted(_ place: Place, _ text: String, _ rules: HostRules?) -> String? {
    let name = place.name
    if let rules {
      switch memory.answer(for: text, under: name, rules, secrets: table.secrets.count) {
      case .same: return nil
      case .changed(let result): return result
      case .unknown: break
      }
    }
    let original = Array(text.utf8)
    var bytes = original
    if let rules { learn(from: &bytes, place, rules) }
    table.replace(in: &bytes)
    let result = bytes == original ? nil : String(decoding: bytes, as: UTF8.self)
    if let rules { memory.note(result, for: text, under: name, rules, secrets: table.secrets.count) }
    return result
  }

  private mutating func learn(from text: inout [UInt8], _ place: Place, _ rules: HostRules) {
    if case .address = place { return }
    if text.count >= SecretText.searchedLength { learnFromText(text, rules) }
    switch place {
    case .address: break
    case .text: learnFromURLs(&text, rules)
    case .path: learnFromPath(&text, rules)
    case .query: learnFromPairs(&text, rules) { rules.query($0) }
    case .field(let name): learnFromHeader(&text, name.lowercasedASCII, rules)
    }
  }

  /// - Parameter name: In lower case.
  private mutating func learnFromHeader(_ value: inout [UInt8], _ name: String, _ rules: HostRules) {
    guard let instruction = rules.header(name), instruction.fits(value) else {
      return learnFromURLs(&value, rules, isReference: Self.references.contains(name))
    }
    for range in Credential.ranges(in: value, of: name) {
      edit(&value, range, .percent) { $0.act(instruction, on: &$1, rules) }
    }
  }

  /// The headers that hold one URL, which may be relative (RFC 9110 sections 8.7, 10.1.3, 10.2.2).
  private static let references: Set<String> = ["content-location", "location", "referer"]

  /// Learns from the pairs in the queries and fragments of URLs, by these rules and by those for the URL's own host.
  /// - Parameter isReference: Whether the text may be a relative reference.
  private mutating func learnFromURLs(_ text: inout [UInt8], _ rules: HostRules, isReference: Bool = false) {
    // A URL may hold a URL, and so on: nobody nests more.
    guard urlDepth < 4 else { return }
    urlDepth += 1
    defer { urlDepth -= 1 }
    if isReference, let url = URLText(reference: text) { return learn(from: url, in: &text, rules, rules) }
    guard text.mayHoldURL(text.indices) else { return }
    var end = 0
    while let url = URLText(in: text, from: end) {
      end = url.end
      guard url.query != nil || url.fragment != nil else { continue }
      let host = String(decoding: text[url.host], as: UTF8.self).lowercasedASCII
      learn(from: url, in: &text, rules, self.rules(for: host))
    }
  }

  private mutating func learn(from url: URLText, in text: inout [UInt8], _ rules: HostRules, _ own: HostRules) {
    for range in [url.query, url.fragment] {
      guard let range else { continue }
      edit(&text, range, nil) { redactor, pairs in
        redactor.learnFromPairs(&pairs, rules) { rules.query($0) ?? own.query($0) }
      }
    }
  }

  /// Learns from the content of a `data:` URL (RFC 2397).
  private mutating func learnFromDataURL(_ url: inout [UInt8], _ rules: HostRules) {
    guard let comma = url.firstIndex(of: UInt8(ascii: ",")) else { return }
    let content = comma + 1..<url.count
    let ending = Array(";base64".utf8)
    guard url[..<comma].suffix(ending.count).elementsEqual(ending, by: { $0.lowercasedASCII == $1 }) else {
      return edit(&url, content, .percent) { $0.learnFromBody(&$1, isForm: false, rules) }
    }
    edit(&url, content, .percent) { redactor, text in
      guard var run = Base64Run(in: text, around: 0, groupAt: 0) else { return }
      redactor.learnFromBody(&run.bytes, isForm: false, rules)
      run.write(into: &text)
    }
  }

  private mutating func learnFromPath(_ path: inout [UInt8], _ rules: HostRules) {
    guard !rules.paths.isEmpty else { return }
    let segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    let first = segments.startIndex
    var done: Set<Int> = []
    for (pattern, instruction) in rules.paths {
      let captures = pattern.captures(of: segments.count) { segments[first + $0].elementsEqual($1) }
      for (name, part) in captures ?? [] where done.insert(part).inserted {
        isUsed[instruction.rule] = true
        guard case .redact(let kind) = instruction.action else { continue }
        let named = HostRules.Instruction(action: .redact(kind: kind.isEmpty ? name : kind), rule: instruction.rule)
        let range = segments[first + part].indices
        edit(&path, range, .percent) { redactor, value in
          // Some vendors encode twice.
          redactor.edit(&value, value.indices, .percent) {
            $0.act(named, on: &$1, rules)
          }
        }
      }
    }
  }

  /// Learns from the pairs of a form or a query.
  /// - Parameter instruction: What the rules say about the pair of this name.
  private mutating func learnFromPairs(
    _ text: inout [UInt8], _ rules: HostRules, _ instruction: (String) -> HostRules.Instruction?
  ) {
    let items = FormItems(text).all
    for item in items {
      let name = String(decoding: text[item.name], as: UTF8.self).percentDecoded
      let range = item.value
      if let instruction = instruction(name), instruction.fits(text[range]) {
        // A plus sign in front is that of a telephone number, any other a space.
        let coding: CodedText.Coding = text[range].first == UInt8(ascii: "+") ? .percent : .form
        edit(&text, range, coding) { $0.act(instruction, on: &$1, rules) }
      } else if text.mayHoldJSON(range) {
        edit(&text, range, .form) { $0.learnFromJSON(&$1, rules, at: [Array(name.utf8)[...]]) }
      } else if text.mayBeURL(range) {
        edit(&text, range, .form) { $0.learnFromURLs(&$1, rules) }
      }
    }
  }

  /// - Parameter isForm: Whether the body is said to be a form. One that may well be one counts as one.
  mutating func learnFromBody(_ body: inout [UInt8], isForm: Bool, _ rules: HostRules) {
    guard !body.isEmpty else { return }
    // Before anything is replaced, or pseudonyms would be taken for secrets.
    learnFromText(body, rules)
    if isForm || body[...].areFormPairs {
      learnFromPairs(&body, rules) { rules.form($0) }
    } else if body.mayBeJSON(body.indices) {
      learnFromJSON(&body, rules)
    } else {
      if body[...].mayBeForm { learnFromPairs(&body, rules) { rules.form($0) } }
      // JSON in other text: server-sent events, a script, a page.
      if case .nothing = rules.json.look(at: body) { return }
      learnLoosely(from: &body, rules)
    }
  }

  /// Learns from members beside the format's own: those of a mark, or those that a later version or another tool wrote.
  /// - Parameter isHAR: Whether they hold what a HAR says.
  mutating func learnFromMembers(_ text: inout [UInt8], isHAR: Bool, _ rules: HostRules) {
    learnFromText(text, rules)
    learnFromJSON(&text, rules, isHAR: isHAR)
  }

  /// - Parameters:
  ///   - path: Where the text stands, when it is a part of another one.
  ///   - inherited: What a rule says about all of it.
  private mutating func learnFromJSON(
    _ text: inout [UInt8], _ rules: HostRules, at path: [JSONRules.Key] = [],
    inherited: HostRules.Instruction? = nil, isHAR: Bool = false
  ) {
    // Texts within texts double their escapes at each level, so this ends soon.
    guard path.count < 64 else { return }
    if path.isEmpty, inherited == nil, !isHAR {
      switch rules.json.look(at: text) {
      case .nothing: return
      case .members(let findings) where JSON.endOfValue(in: text, from: 0) == text.count:
        return act(on: findings, in: &text, rules)
      case .members, .more: break
      }
    }
    act(on: rules.findings(in: text, at: path, inherited: inherited, isHAR: isHAR), in: &text, rules)
  }

  /// Learns from members wherever they stand in a text that was damaged, or holds other things besides.
  mutating func learnLoosely(from text: inout [UInt8], _ rules: HostRules) {
    act(on: rules.json.looseFindings(in: text), in: &text, rules)
  }

  private mutating func act(on findings: [JSONFinding], in text: inout [UInt8], _ rules: HostRules) {
    for finding in findings {
      switch finding.work {
      case .look(let path):
        edit(&text, finding.range, .json) { $0.learnFromJSON(&$1, rules, at: path) }
      case .followURLs(let isReference):
        edit(&text, finding.range, .json) { $0.learnFromURLs(&$1, rules, isReference: isReference) }
      case .header(let name):
        edit(&text, finding.range, .json) { $0.learnFromHeader(&$1, name.lowercasedASCII, rules) }
      case .form:
        edit(&text, finding.range, .json) { redactor, form in
          redactor.learnFromPairs(&form, rules) { rules.form($0) }
        }
      case .dataURL: edit(&text, finding.range, .json) { $0.learnFromDataURL(&$1, rules) }
      case .act(let instruction) where instruction.action == .digest:
        isUsed[instruction.rule] = true
        guard finding.isString else { break }
        let content = CodedText(text[finding.range], .json)?.bytes ?? Array(text[finding.range])
        text.replaceSubrange(finding.range, with: note(on: content, count: finding.range.count))
      case .act(let instruction) where replaceKnown(in: &text, finding.range, instruction, rules): break
      case .act(let instruction):
        edit(&text, finding.range, finding.isString ? .json : nil) { $0.act(instruction, on: &$1, rules) }
      }
    }
  }

  /// Does what `instruction` says with a value that is the whole of a secret known already, written as it was first seen.
  /// - Returns: Whether that was so, and all is done.
  private mutating func replaceKnown(
    in text: inout [UInt8], _ range: Range<Int>, _ instruction: HostRules.Instruction, _ rules: HostRules
  ) -> Bool {
    guard case .redact = instruction.action, !rules.hasKeepers, !text.mayBeJSON(range),
      !text.holds(UInt8(ascii: "\\"), in: range), let replacement = table.replacement(at: range, in: text)
    else { return false }
    isUsed[instruction.rule] = true
    if text[range] != replacement[...] { text.replaceSubrange(range, with: replacement) }
    return true
  }

  /// Learns what gives itself away in any text.
  mutating func learnFromText(_ text: [UInt8], _ rules: HostRules) {
    SecretText.secrets(in: text) { kind, range in learn(text, range, kind: kind, rules) }
    for (pattern, instruction) in rules.words {
      guard case .redact(let kind) = instruction.action else { continue }
      for word in pattern.words(in: text[...]) {
        isUsed[instruction.rule] = true
        learn(text, word.indices, kind: kind, rules)
      }
    }
    // E-mail addresses, whose sign encoders escape.
    if text.holds(UInt8(ascii: "%")), text.mayHoldAtSign, let decoded = CodedText(text[...], .percent) {
      learnFromText(decoded.bytes, rules)
    }
  }

  /// Learns a value that stands in `text` at `range`.
  private mutating func learn(_ text: [UInt8], _ range: Range<Int>, kind: String, _ rules: HostRules) {
    if !isKept(text[range], rules) { _ = table.learn(text[range], kind: kind) }
  }

  /// Runs `body` on the part of `text` at `range` with its escapes undone, and writes back what it changes.
  private mutating func edit(
    _ text: inout [UInt8], _ range: Range<Int>, _ coding: CodedText.Coding?,
    _ body: (inout Redactor, inout [UInt8]) -> Void
  ) {
    var part = Array(text[range])
    if let coding, var decoded = CodedText(part[...], coding) {
      body(&self, &decoded.bytes)
      decoded.write(into: &part)
    } else {
      body(&self, &part)
    }
    guard part.count == range.count else { return }
    // Nothing is written in vain: that would copy the text.
    if text[range] != part[...] { text.replaceSubrange(range, with: part) }
  }
}

/// Where the secrets in a header's value stand.
private enum Credential {
  static func ranges(in value: [UInt8], of name: String) -> [Range<Int>] {
    switch name {
    case "cookie": cookies(in: value)
    case "set-cookie": Array(cookies(in: value).prefix(1))
    case "authorization", "proxy-authorization": parts(of: value, behindScheme(value))
    default: value.isEmpty ? [] : [value.indices]
    }
  }

  /// The values of `a=1; b=2`. Behind the first one of a `Set-Cookie` line stand its attributes.
  private static func cookies(in value: [UInt8]) -> [Range<Int>] {
    value.split(separator: UInt8(ascii: ";")).compactMap { pair in
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      var range = equals + 1..<pair.endIndex
      if range.count >= 2, value[range.lowerBound] == 0x22, value[range.upperBound - 1] == 0x22 {
        range = range.lowerBound + 1..<range.upperBound - 1
      }
      return range
    }
  }

  /// What stands behind `Bearer ` and the like.
  private static func behindScheme(_ value: [UInt8]) -> Range<Int> {
    guard let space = value.firstIndex(of: UInt8(ascii: " ")),
      value[..<space].allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
    else { return value.indices }
    return space + 1..<value.endIndex
  }

  /// The two parts of a key such as `public_live_abc.0123456789`: the first one also stands alone, in paths (vendors.md
  /// 2.1). Anything else is one secret.
  private static func parts(of value: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let parts = value[range].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areParts = parts.count == 2 && parts.allSatisfy { $0.count >= SecretText.searchedLength }
    return areParts ? parts.map(\.indices) : [range]
  }
}

extension [UInt8] {
  /// Whether there is an `@`, or what encoders make of it once or twice.
  fileprivate var mayHoldAtSign: Bool {
    if holds(UInt8(ascii: "@")) { return true }
    for index in indices where self[index] == UInt8(ascii: "%") {
      let rest = self[(index + 1)...]
      if rest.starts(with: "40".utf8) || rest.starts(with: "2540".utf8) { return true }
    }
    return false
  }

  /// The same as `mayBeJSON`, or the escape of a bracket.
  func mayHoldJSON(_ range: Range<Int>) -> Bool {
    if mayBeJSON(range) { return true }
    let head = self[range].prefix(3).map(\.lowercasedASCII)
    return head == Array("%7b".utf8) || head == Array("%5b".utf8)
  }
}
