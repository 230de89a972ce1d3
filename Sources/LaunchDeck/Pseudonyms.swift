import LaunchCassette
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What stands in a recording for its redacted values.
struct Pseudonyms: Sendable {
  struct Entry: Hashable, Sendable {
    /// `idfa`, `app_token`.
    var kind: String
    var text: String
  }

  /// A pseudonym as it is written in a text.
  private struct Form: Sendable {
    var id: Int
    /// How often it is percent-encoded.
    var layers: Int
    /// How many bytes it has.
    var count: Int
  }

  /// Numbered by their place in this list.
  private(set) var entries: [Entry] = []
  private var ids: [Entry: Int] = [:]
  /// Those too short to be looked for inside of a text.
  private var short: [[UInt8]: Form] = [:]
  /// The others.
  private var forms = TextIndex<Form>()

  /// A shorter text may stand somewhere by chance.
  private static let shortest = 6

  /// - Parameter rules: Those of the recording, for one that was cut off and lists nothing.
  init(_ trace: Trace, rules: RedactionRules) {
    for member in trace.pseudonyms(by: rules).members {
      for text in member.value.array ?? [] {
        if let text = text.string, !text.isEmpty { add(Entry(kind: member.key, text: text)) }
      }
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The number of the pseudonym that `text` is itself; nil for any other text.
  func id(of text: String, kind: String) -> Int? { ids[Entry(kind: kind, text: text)] }

  /// The same where nothing says what kind it would be; nil as well when pseudonyms of several kinds read so.
  func id(of text: String) -> Int? {
    var found: Int?
    for (id, entry) in entries.enumerated() where entry.text == text {
      guard found == nil else { return nil }
      found = id
    }
    return found
  }

  func kind(_ id: Int) -> String { entries[id].kind }

  private mutating func add(_ entry: Entry) {
    guard ids[entry] == nil else { return }
    let id = entries.count
    ids[entry] = id
    entries.append(entry)
    var text = entry.text
    // As it is, and percent-encoded once and twice (MotiSig's paths: vendors.md 4.1).
    for layers in 0...2 {
      if layers > 0 {
        guard text.percentEncoded != text else { return }
        text = text.percentEncoded
      }
      let bytes = Array(text.utf8)
      let form = Form(id: id, layers: layers, count: bytes.count)
      if bytes.count >= Self.shortest {
        forms.add(bytes, form)
      } else if short[bytes] == nil {
        short[bytes] = form
      }
    }
  }

  /// The pseudonyms in a recorded text and what stands around them; nil when it has none.
  func pattern(of text: ArraySlice<UInt8>) -> (Pattern, ids: [Int])? {
    if text.count < Self.shortest {
      guard let form = short[Array(text)] else { return nil }
      return (Pattern(literals: [[], []], holes: [hole(form)]), [form.id])
    }
    var literals: [[UInt8]] = []
    var found: [Form] = []
    let bytes = text.span
    var start = 0
    var index = 0
    while index < bytes.count {
      guard let (count, form) = forms.match(in: bytes, at: index) else {
        index += 1
        continue
      }
      literals.append(bytes.extracting(start..<index).copy)
      found.append(form)
      index += count
      start = index
    }
    guard !found.isEmpty else { return nil }
    literals.append(bytes.extracting(start..<bytes.count).copy)
    return (Pattern(literals: literals, holes: found.map(hole)), found.map(\.id))
  }

  private func hole(_ form: Form) -> Pattern.Hole {
    Pattern.Hole(kind: entries[form.id].kind, layers: form.layers, count: form.count)
  }
}

/// A text with holes for live values: literals around and between them.
struct Pattern: Hashable, Sendable {
  struct Hole: Hashable, Sendable {
    var kind: String
    /// How often the value is percent-encoded.
    var layers: Int
    /// How many bytes the recorded pseudonym has; of use where nothing parts two holes.
    var count: Int
  }

  /// One more than holes; may be empty.
  var literals: [[UInt8]]
  var holes: [Hole]

  /// What stands in the holes of `text`; nil when its literals are others. A value is never empty.
  func values(in text: ArraySlice<UInt8>) -> [String]? {
    guard let last = literals.last, text.starts(with: literals[0]) else { return nil }
    let body = text.dropFirst(literals[0].count)
    guard body.count >= last.count, body.suffix(last.count) == last[...] else { return nil }
    var rest = body.dropLast(last.count)
    var values: [String] = []
    for (index, hole) in holes.enumerated() {
      guard let range = range(ofHole: index, in: rest), !range.value.isEmpty,
        var value = String(validating: range.value, as: UTF8.self)
      else { return nil }
      for _ in 0..<hole.layers { value = value.percentDecoded }
      values.append(value)
      rest = range.rest
    }
    return values
  }

  private func range(
    ofHole index: Int, in rest: ArraySlice<UInt8>
  ) -> (value: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    if index == holes.count - 1 { return (rest, rest.suffix(0)) }
    let literal = literals[index + 1]
    if literal.isEmpty { return (rest.prefix(holes[index].count), rest.dropFirst(holes[index].count)) }
    guard let found = rest.firstRange(of: literal) else { return nil }
    return (rest[..<found.lowerBound], rest[found.upperBound...])
  }
}
