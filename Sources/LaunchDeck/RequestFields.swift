import LaunchHTTP
import LaunchJSON

/// What is compared of a request, as a flat list of places and values, ignored ones left out.
///
/// Two requests are equal for a replay when they have the same fields, in any order. A JSON object or array is a field of
/// its own beside what it holds, so that an empty one counts. A second value under one name is at a place of its own,
/// `query.tag#2`.
package struct RequestFields: Sendable {
  enum Kind: UInt8, Sendable {
    /// A word of the protocol: the method, the origin.
    case word
    case text, number
    /// `true`, `false` or `null`.
    case literal
    /// What kind of a container stands there.
    case container
    /// Bytes that are no text, by their number and fingerprint.
    case digest
  }

  struct Field: Hashable, Sendable {
    var kind: Kind
    /// `query.idfa`, `body.tags.mmp_id`; in `bytes`.
    var place: Range<Int>
    var value: Range<Int>
  }

  fileprivate(set) var fields: [Field] = []
  /// Places and values, those of one field behind each other.
  fileprivate(set) var bytes: [UInt8] = []
  /// One for each field.
  private(set) var fingerprints: [Fingerprint] = []
  /// Of all fields together: their sum, so that a field can be exchanged for another.
  private(set) var fingerprint = Fingerprint.zero
  /// How many segments the path has.
  fileprivate(set) var segmentCount = 0

  /// The fields of `request` to a location with its host mapped.
  init(_ request: Request, at location: Location, ignoring ignored: IgnoredTree, decode: Matching.Decode?) {
    var walk = FieldWalk()
    walk.add(request, at: location, ignoring: ignored, decode: decode)
    self = walk.result
    fingerprints = Fingerprint.all(of: fields.lazy.map { $0.place.lowerBound..<$0.value.upperBound }, in: bytes)
    fingerprint = fingerprints.reduce(.zero, +)
  }

  fileprivate init() {}

  func place(of field: Field) -> String { String(decoding: bytes[field.place], as: UTF8.self) }

  /// The value as a message shows it: texts in quotes.
  func printed(_ field: Field) -> String {
    let text = String(decoding: bytes[field.value], as: UTF8.self)
    return field.kind == .text ? "\"\(text)\"" : text
  }
}

extension Matching {
  typealias Decode = @Sendable (_ body: [UInt8], _ coding: String) -> [UInt8]?
}

/// Walks a request and writes its fields down.
private struct FieldWalk {
  var result = RequestFields()
  /// Where the walk is.
  private var place: [UInt8] = []

  /// Longer texts that are neither JSON nor a form are told apart by a fingerprint, which takes less memory.
  private static let textLimit = 16_384

  mutating func add(
    _ request: Request, at location: Location, ignoring ignored: IgnoredTree, decode: Matching.Decode?
  ) {
    result.fields.reserveCapacity(16)
    result.bytes.reserveCapacity(1024)
    place.reserveCapacity(64)
    at("method") { $0.add(.word, request.method.utf8) }
    at("origin") { $0.add(.word, location.origin.utf8) }
    at("path") { $0.path(location.path, ignoring: ignored.child(.name("path"))) }
    if let query = location.query {
      at("query") { $0.pairs(Array(query.utf8), ignoring: ignored.child(.name("query"))) }
    }
    if !request.body.isEmpty { body(of: request, ignoring: ignored, decode: decode) }
  }

  private mutating func path(_ path: String, ignoring ignored: IgnoredTree) {
    let bytes = Array(path.utf8)
    var start = 1
    while start <= bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      if ignored.isEmpty || !ignored.child(.index(result.segmentCount)).isIgnored {
        at(result.segmentCount) { $0.add(.text, percentDecoded(bytes[start..<end])) }
      }
      result.segmentCount += 1
      start = end + 1
    }
  }

  private mutating func body(of request: Request, ignoring ignored: IgnoredTree, decode: Matching.Decode?) {
    var bytes = request.body.bytes
    let coding = request.fields["Content-Encoding"]?.lowercasedASCII ?? "identity"
    if coding != "identity" {
      guard let decoded = decode?(bytes, coding) else { return at("body") { $0.digest(bytes[...]) } }
      bytes = decoded
    }
    let type = MediaType(request.fields["Content-Type"] ?? "")
    if type.essence == FormPairs.contentType {
      return at("form") { walk in
        walk.container("a form")
        walk.pairs(bytes, ignoring: ignored.child(.name("form")))
      }
    }
    if type.essence == "multipart/form-data", let boundary = type.parameter("boundary"),
      let parts = MultipartForm(bytes, boundary: boundary)?.parts
    {
      return at("form") { $0.multipart(parts, ignoring: ignored.child(.name("form"))) }
    }
    let tree = ignored.child(.name("body"))
    at("body") { walk in
      if type.mayBeJSON || bytes.startsLikeJSON, walk.json(bytes, ignoring: tree) { return }
      walk.content(bytes[...])
    }
  }

  private mutating func multipart(_ parts: [MultipartForm.Part], ignoring ignored: IgnoredTree) {
    container("a multipart form")
    var names = Occurrences()
    for part in parts {
      let tree = ignored.child(.name(part.name))
      if tree.isIgnored { continue }
      let name = Array(part.name.utf8)[...]
      at(name, occurrence: names.add(Fingerprint(name))) { walk in
        if let name = part.fileName { walk.at("@filename") { $0.add(.text, name.utf8) } }
        if let type = part.type { walk.at("@type") { $0.add(.word, type.utf8) } }
        if part.fileName == nil, part.content.count <= Self.textLimit, part.content.isUTF8 {
          walk.value(part.content, ignoring: tree)
        } else {
          walk.content(part.content)
        }
      }
    }
  }

  /// The pairs of a query or a form. Names come in any order, values of one name in theirs.
  private mutating func pairs(_ text: [UInt8], ignoring ignored: IgnoredTree) {
    var names = Occurrences()
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.count
      let part = text[start..<end]
      start = end + 1
      if part.isEmpty { continue }
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? end
      let name = formDecoded(part[..<equals])
      let tree = ignored.isEmpty ? .none : ignored.child(.name(String(decoding: name, as: UTF8.self)))
      if tree.isIgnored { continue }
      at(name, occurrence: names.add(Fingerprint(name))) { walk in
        walk.value(formDecoded(part[equals...].dropFirst()), ignoring: tree)
      }
    }
  }

  /// A value that may be JSON text, such as Adjust's `callback_params`.
  private mutating func value(_ text: ArraySlice<UInt8>, ignoring ignored: IgnoredTree) {
    let first = text.first
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), json(Array(text), ignoring: ignored) { return }
    add(.text, text)
  }

  private mutating func content(_ bytes: ArraySlice<UInt8>) {
    if bytes.count <= Self.textLimit, bytes.isUTF8 {
      add(.text, bytes)
    } else {
      digest(bytes)
    }
  }

  private mutating func digest(_ bytes: ArraySlice<UInt8>) {
    add(.digest, "\(bytes.count) bytes, digest \(Fingerprint(bytes))".utf8)
  }

  /// Writes nothing and returns false when the bytes are no JSON.
  private mutating func json(_ bytes: [UInt8], ignoring ignored: IgnoredTree) -> Bool {
    let before = (fields: result.fields.count, bytes: result.bytes.count, place: place.count)
    var text = JSONText(bytes)
    do throws(JSONError) {
      try value(text.reader.next(), of: &text, ignoring: ignored)
      try text.reader.finish()
      return true
    } catch {
      result.fields.removeLast(result.fields.count - before.fields)
      result.bytes.removeLast(result.bytes.count - before.bytes)
      place.removeLast(place.count - before.place)
      return false
    }
  }

  private mutating func value(
    _ token: JSONReader.Token, of text: inout JSONText, ignoring ignored: IgnoredTree
  ) throws(JSONError) {
    switch token {
    case .beginObject:
      container("an object")
      while try text.reader.next() == .key {
        let name = text.token
        let tree = ignored.isEmpty ? .none : ignored.child(.name(String(decoding: name, as: UTF8.self)))
        try member(of: &text, ignoring: tree) { $0.append(name: name) }
      }
    case .beginArray:
      container("an array")
      var index = 0
      while try text.reader.nextElement() {
        let tree = ignored.isEmpty ? .none : ignored.child(.index(index))
        try member(of: &text, ignoring: tree) { $0.append(index: index) }
        index += 1
      }
    case .string: add(.text, text.token)
    case .integer: add(.number, text.token)
    case .number: add(.number, JSON.number(text.reader.text).canonical)
    case .bool(let flag): add(.literal, (flag ? "true" : "false").utf8)
    case .null: add(.literal, "null".utf8)
    case .key, .endObject, .endArray, .end: break
    }
  }

  private mutating func member(
    of text: inout JSONText, ignoring ignored: IgnoredTree, append: (inout FieldWalk) -> Void
  ) throws(JSONError) {
    if ignored.isIgnored {
      _ = try text.reader.skipValue()
      return
    }
    let count = place.count
    append(&self)
    try value(text.reader.next(), of: &text, ignoring: ignored)
    place.removeLast(place.count - count)
  }

  private mutating func container(_ text: StaticString) { add(.container, text.description.utf8) }

  private mutating func add(_ kind: RequestFields.Kind, _ value: some Collection<UInt8>) {
    let start = result.bytes.count
    result.bytes += place
    let end = result.bytes.count
    // Places are text and have no zero byte, so that no place and value run into another place and value.
    result.bytes.append(0)
    result.bytes.append(kind.rawValue)
    let valueStart = result.bytes.count
    result.bytes += value
    result.fields.append(
      RequestFields.Field(kind: kind, place: start..<end, value: valueStart..<result.bytes.count))
  }

  private mutating func at(_ root: StaticString, _ body: (inout FieldWalk) -> Void) {
    inside({ walk in root.withUTF8Buffer { unsafe walk.place.append(contentsOf: $0) } }, body)
  }

  private mutating func at(_ name: ArraySlice<UInt8>, occurrence: Int, _ body: (inout FieldWalk) -> Void) {
    inside(
      { walk in
        walk.append(name: name)
        if occurrence > 1 { walk.place += "#\(occurrence)".utf8 }
      }, body)
  }

  private mutating func at(_ index: Int, _ body: (inout FieldWalk) -> Void) {
    inside({ $0.append(index: index) }, body)
  }

  private mutating func inside(_ append: (inout FieldWalk) -> Void, _ body: (inout FieldWalk) -> Void) {
    let count = place.count
    append(&self)
    body(&self)
    place.removeLast(place.count - count)
  }

  private mutating func append(index: Int) {
    place.append(UInt8(ascii: "["))
    if index < 10 { place.append(UInt8(ascii: "0") + UInt8(index)) } else { place += "\(index)".utf8 }
    place.append(UInt8(ascii: "]"))
  }

  /// Names that hold what separates places are quoted, so that no two places have one text.
  private mutating func append(name: ArraySlice<UInt8>) {
    place.append(UInt8(ascii: "."))
    if !name.isEmpty, name.allSatisfy(\.isPlainInPlaces) {
      place += name
    } else {
      let escaped = name.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [0x5C, $0] : [$0] }
      place += [UInt8(ascii: "\"")] + escaped + [UInt8(ascii: "\"")]
    }
  }
}

/// JSON and a reader of it.
private struct JSONText {
  let bytes: [UInt8]
  var reader: JSONReader

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    reader = JSONReader(bytes)
  }

  /// The string, key or number that was read last; a part of the text when nothing in it is escaped.
  var token: ArraySlice<UInt8> {
    var token = bytes[reader.tokenRange]
    guard token.first == UInt8(ascii: "\"") else { return token }
    token = token.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    return token.endIndex == reader.tokenRange.upperBound - 1 ? token : Array(reader.text.utf8)[...]
  }
}

private func percentDecoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard text.contains(UInt8(ascii: "%")) else { return text }
  return Array(String(decoding: text, as: UTF8.self).percentDecoded.utf8)[...]
}

/// As `FormPairs` decodes.
private func formDecoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  let plus = UInt8(ascii: "+")
  return percentDecoded(text.contains(plus) ? text.map { $0 == plus ? 0x20 : $0 }[...] : text)
}

/// Counts how often names have come.
private struct Occurrences {
  private var seen: [Fingerprint] = []

  /// 1 for a new one.
  mutating func add(_ name: Fingerprint) -> Int {
    seen.append(name)
    return seen.count { $0 == name }
  }
}

extension UInt8 {
  fileprivate var isPlainInPlaces: Bool {
    isLetter || isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-") || self >= 0x80
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }
}

extension [UInt8] {
  fileprivate var startsLikeJSON: Bool {
    let first = first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

extension Location {
  /// Scheme, host and port; without the port where it is the scheme's own.
  var origin: String {
    let usual = scheme == "https" ? 443 : 80
    return port == nil || port == usual ? "\(scheme)://\(host)" : "\(scheme)://\(authority)"
  }
}
