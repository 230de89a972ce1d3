import LaunchHTTP
import LaunchJSON

/// What is compared of a request, as a flat list of places and values, ignored ones left out.
///
/// Two requests are equal for a replay when they have the same fields, in any order. A JSON object or array is a field of
/// its own beside what it holds, so that an empty one counts. A second value under one name is at a place of its own,
/// `query.tag#2`.
struct RequestFields: Sendable {
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
    fingerprints.reserveCapacity(fields.count)
    for field in fields {
      let one = Fingerprint(bytes[field.place.lowerBound..<field.value.upperBound])
      fingerprints.append(one)
      fingerprint += one
    }
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
    result.bytes.reserveCapacity(512)
    at("method") { $0.add(.word, request.method.utf8) }
    at("origin") { $0.add(.word, location.origin.utf8) }
    at("path") { $0.path(location.path, ignoring: ignored.child(.name("path"))) }
    if let query = location.query {
      at("query") { $0.pairs(query.utf8, ignoring: ignored.child(.name("query"))) }
    }
    if !request.body.isEmpty { body(of: request, ignoring: ignored, decode: decode) }
  }

  private mutating func path(_ path: String, ignoring ignored: IgnoredTree) {
    let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    result.segmentCount = segments.count
    for (index, segment) in segments.enumerated() where !ignored.child(.index(index)).isIgnored {
      at(index) { $0.add(.text, String(Substring(segment)).percentDecoded.utf8) }
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
      at(part.name, occurrence: names.add(Fingerprint(Array(part.name.utf8)))) { walk in
        if let name = part.fileName { walk.at("@filename") { $0.add(.text, name.utf8) } }
        if let type = part.type { walk.at("@type") { $0.add(.word, type.utf8) } }
        if part.fileName == nil, part.content.count <= Self.textLimit,
          let text = String(validating: part.content, as: UTF8.self)
        {
          walk.value(text, ignoring: tree)
        } else {
          walk.content(part.content)
        }
      }
    }
  }

  /// The pairs of a query or a form. Names come in any order, values of one name in theirs.
  private mutating func pairs(_ text: some Collection<UInt8>, ignoring ignored: IgnoredTree) {
    var names = Occurrences()
    for part in text.split(separator: UInt8(ascii: "&")) {
      let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let name = decoded(part[..<equals])
      let tree = ignored.child(.name(name))
      if tree.isIgnored { continue }
      at(name, occurrence: names.add(Fingerprint(Array(name.utf8)))) { walk in
        walk.value(walk.decoded(part[equals...].dropFirst()), ignoring: tree)
      }
    }
  }

  /// As `FormPairs` decodes.
  private func decoded(_ part: some Collection<UInt8>) -> String {
    let plus = UInt8(ascii: "+")
    guard part.contains(where: { $0 == plus || $0 == UInt8(ascii: "%") }) else {
      return String(decoding: part, as: UTF8.self)
    }
    return String(decoding: part.map { $0 == plus ? 0x20 : $0 }, as: UTF8.self).percentDecoded
  }

  /// A value that may be JSON text, such as Adjust's `callback_params`.
  private mutating func value(_ text: String, ignoring ignored: IgnoredTree) {
    let first = text.utf8.first
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "["), json(Array(text.utf8), ignoring: ignored) { return }
    add(.text, text.utf8)
  }

  private mutating func content(_ bytes: ArraySlice<UInt8>) {
    if bytes.count <= Self.textLimit, let text = String(validating: bytes, as: UTF8.self) {
      add(.text, text.utf8)
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
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      try value(reader.next(), from: &reader, ignoring: ignored)
      try reader.finish()
      return true
    } catch {
      result.fields.removeLast(result.fields.count - before.fields)
      result.bytes.removeLast(result.bytes.count - before.bytes)
      place.removeLast(place.count - before.place)
      return false
    }
  }

  private mutating func value(
    _ token: JSONReader.Token, from reader: inout JSONReader, ignoring ignored: IgnoredTree
  ) throws(JSONError) {
    switch token {
    case .beginObject:
      container("an object")
      while try reader.next() == .key {
        let name = reader.text
        try member(.name(name), from: &reader, ignoring: ignored) { $0.append(name: name) }
      }
    case .beginArray:
      container("an array")
      var index = 0
      while try reader.nextElement() {
        try member(.index(index), from: &reader, ignoring: ignored) { $0.append(index: index) }
        index += 1
      }
    case .string: add(.text, reader.text.utf8)
    case .integer: add(.number, reader.text.utf8)
    case .number: add(.number, JSON.number(reader.text).canonical)
    case .bool(let flag): add(.literal, (flag ? "true" : "false").utf8)
    case .null: add(.literal, "null".utf8)
    case .key, .endObject, .endArray, .end: break
    }
  }

  private mutating func member(
    _ step: IgnoredField.Step, from reader: inout JSONReader, ignoring ignored: IgnoredTree,
    append: (inout FieldWalk) -> Void
  ) throws(JSONError) {
    let tree = ignored.child(step)
    if tree.isIgnored {
      _ = try reader.skipValue()
      return
    }
    let count = place.count
    append(&self)
    try value(reader.next(), from: &reader, ignoring: tree)
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

  // Places

  private mutating func at(_ root: StaticString, _ body: (inout FieldWalk) -> Void) {
    inside({ walk in root.withUTF8Buffer { unsafe walk.place.append(contentsOf: $0) } }, body)
  }

  private mutating func at(_ name: String, occurrence: Int, _ body: (inout FieldWalk) -> Void) {
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

  private mutating func append(index: Int) { place += "[\(index)]".utf8 }

  /// Names that hold what separates places are quoted, so that no two places have one text.
  private mutating func append(name: String) {
    place.append(UInt8(ascii: "."))
    if !name.isEmpty, name.utf8.allSatisfy(\.isPlainInPlaces) {
      place += name.utf8
    } else {
      let escaped = name.utf8.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") ? [0x5C, $0] : [$0] }
      place += [UInt8(ascii: "\"")] + escaped + [UInt8(ascii: "\"")]
    }
  }
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
