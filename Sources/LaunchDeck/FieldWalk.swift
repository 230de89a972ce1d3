import LaunchHTTP
import LaunchJSON

/// Walks a request and adds up its fields, in one pass over the bytes and without making text of them.
///
/// A place is the chain of the names and indices that lead to it, as a fingerprint; it is written out only for a list.
struct FieldWalk {
  private(set) var result = RequestFields()
  private let isListing: Bool
  private var place = Fingerprint.zero
  /// Where the walk is; empty without a list.
  private var placeText: [UInt8] = []

  /// Longer texts that are neither JSON nor a form are told apart by a fingerprint, which takes less memory.
  private static let textLimit = 16_384

  /// What `leave` goes back to.
  private struct Outside {
    var place: Fingerprint
    var textCount: Int
  }

  /// - Parameter isListing: Whether the fields are wanted one by one.
  init(isListing: Bool) {
    self.isListing = isListing
    if isListing {
      result.fields.reserveCapacity(16)
      result.bytes.reserveCapacity(1024)
      placeText.reserveCapacity(64)
    }
  }

  /// - Parameter location: That of `request` with its host mapped.
  mutating func add(
    _ request: Request, at location: Location, ignoring ignored: IgnoredTree, decode: Matching.Decode?
  ) {
    within(.method) { walk in
      withBytes(of: request.method) { walk.add(.word, $0) }
    }
    within(.origin) { $0.origin(of: location) }
    within(.path) { walk in
      let ignored = ignored.child(Root.path.step)
      withBytes(of: location.path) { walk.path($0, ignoring: ignored) }
    }
    if let query = location.query {
      within(.query) { walk in
        let ignored = ignored.child(Root.query.step)
        withBytes(of: query) { walk.pairs($0, ignoring: ignored) }
      }
    }
    if !request.body.isEmpty { body(of: request, ignoring: ignored, decode: decode) }
  }

  /// Its text is made for a list alone.
  private mutating func origin(of location: Location) {
    let fingerprint = place.followed(by: location.originFingerprint, occurrence: 1)
    if isListing {
      withBytes(of: location.origin) { add(.word, $0, fingerprint) }
    } else {
      count(fingerprint)
    }
  }

  private mutating func path(_ path: Span<UInt8>, ignoring ignored: IgnoredTree) {
    let isEncoded = path.contains(UInt8(ascii: "%"))
    var start = 1
    while start <= path.count {
      let end = path.index(of: UInt8(ascii: "/"), in: start..<path.count)
      let step = Fingerprint(result.segmentCount)
      if !ignored.child(step).isIgnored {
        let outside = enter(step, index: result.segmentCount)
        addDecoded(path.extracting(start..<end), isEncoded: isEncoded)
        leave(outside)
      }
      result.segmentCount += 1
      start = end + 1
    }
  }

  private mutating func addDecoded(_ text: Span<UInt8>, isEncoded: Bool) {
    if isEncoded { add(.text, percentDecoded(text).span) } else { add(.text, text) }
  }

  private mutating func body(of request: Request, ignoring ignored: IgnoredTree, decode: Matching.Decode?) {
    var bytes = request.body.bytes
    let lines = ContentLines(request.fields)
    if let coding = lines.coding?.lowercasedASCII, coding != "identity" {
      guard let decoded = decode?(bytes, coding) else { return within(.body) { $0.digest(bytes.span) } }
      bytes = decoded
    }
    let type = MediaType(lines.type ?? "")
    if type.isForm {
      return within(.form) { walk in
        walk.container("a form")
        walk.pairs(bytes.span, ignoring: ignored.child(Root.form.step))
      }
    }
    if type.isMultipartForm, let boundary = type.parameter("boundary"),
      let parts = MultipartForm(bytes, boundary: boundary)?.parts
    {
      return within(.form) { $0.multipart(parts, ignoring: ignored.child(Root.form.step)) }
    }
    within(.body) { walk in
      if type.mayBeJSON || bytes.startsLikeJSON, walk.json(bytes, ignoring: ignored.child(Root.body.step)) { return }
      walk.content(bytes.span)
    }
  }

  private mutating func multipart(_ parts: [MultipartForm.Part], ignoring ignored: IgnoredTree) {
    container("a multipart form")
    var names = Occurrences()
    for part in parts {
      let name = Array(part.name.utf8)
      let step = Fingerprint(name)
      let tree = ignored.child(step)
      if tree.isIgnored { continue }
      let outside = enter(step, name: name.span, occurrence: names.add(step))
      if let name = part.fileName { attribute("@filename", .text, name) }
      if let type = part.type { attribute("@type", .word, type) }
      let content = part.content.span
      if part.fileName == nil, content.count <= Self.textLimit, content.isUTF8 {
        value(content, ignoring: tree)
      } else {
        self.content(content)
      }
      leave(outside)
    }
  }

  /// What a multipart form says about a part; never the place of a member of JSON in it.
  private mutating func attribute(_ name: String, _ kind: RequestFields.Kind, _ value: String) {
    let outside = self.outside
    place = place.followed(by: Fingerprint(name), occurrence: 0)
    if isListing { placeText += name.utf8 }
    withBytes(of: value) { add(kind, $0) }
    leave(outside)
  }

  /// The pairs of a query or a form, decoded as `FormPairs` does. Names come in any order, values of one name in theirs.
  private mutating func pairs(_ text: Span<UInt8>, ignoring ignored: IgnoredTree) {
    var names = Occurrences()
    var start = 0
    while start < text.count {
      let pair = FormPair(in: text, from: start)
      start = pair.value.upperBound + 1
      if pair.isEmpty { continue }
      let name = text.extracting(pair.name)
      if pair.isEncoded {
        let (name, value) = (formDecoded(name), formDecoded(text.extracting(pair.value)))
        self.pair(name.span, value.span, &names, ignoring: ignored)
      } else {
        self.pair(name, text.extracting(pair.value), &names, ignoring: ignored)
      }
    }
  }

  private mutating func pair(
    _ name: Span<UInt8>, _ value: Span<UInt8>, _ names: inout Occurrences, ignoring ignored: IgnoredTree
  ) {
    let step = Fingerprint(name)
    let tree = ignored.child(step)
    if tree.isIgnored { return }
    let outside = enter(step, name: name, occurrence: names.add(step))
    self.value(value, ignoring: tree)
    leave(outside)
  }

  /// A value that may be JSON text, such as Adjust's `callback_params`.
  private mutating func value(_ text: Span<UInt8>, ignoring ignored: IgnoredTree) {
    if text.startsContainer(at: 0), json(text.copy, ignoring: ignored) { return }
    add(.text, text)
  }

  private mutating func content(_ bytes: Span<UInt8>) {
    if bytes.count <= Self.textLimit, bytes.isUTF8 {
      add(.text, bytes)
    } else {
      digest(bytes)
    }
  }

  private mutating func digest(_ bytes: Span<UInt8>) {
    withBytes(of: "\(bytes.count) bytes, digest \(Fingerprint(bytes))") { add(.digest, $0) }
  }
}

extension FieldWalk {
  /// Adds nothing and returns false when the bytes are no JSON.
  private mutating func json(_ bytes: [UInt8], ignoring ignored: IgnoredTree) -> Bool {
    let before = (fingerprint: result.fingerprint, count: result.count, bytes: result.bytes.count, outside: outside)
    var text = JSONText(bytes)
    do throws(JSONError) {
      try value(text.reader.next(), of: &text, ignoring: ignored)
      try text.reader.finish()
      return true
    } catch {
      (result.fingerprint, result.count) = (before.fingerprint, before.count)
      if isListing {
        result.fields.removeLast(result.fields.count - before.count)
        result.bytes.removeLast(result.bytes.count - before.bytes)
      }
      leave(before.outside)
      return false
    }
  }

  private mutating func value(
    _ token: JSONReader.Token, of text: inout JSONText, ignoring ignored: IgnoredTree
  ) throws(JSONError) {
    switch token {
    case .beginObject:
      container("an object")
      while try text.reader.next() == .key { try member(of: &text, ignoring: ignored) }
    case .beginArray:
      container("an array")
      var index = 0
      while try text.reader.nextElement() {
        let step = Fingerprint(index)
        let tree = ignored.child(step)
        if tree.isIgnored {
          try text.reader.skipValue()
        } else {
          let outside = enter(step, index: index)
          try value(text.reader.next(), of: &text, ignoring: tree)
          leave(outside)
        }
        index += 1
      }
    case .string:
      if let plain = text.plainString {
        add(.text, text.bytes.span.extracting(plain))
      } else {
        add(.text, text.unescaped.span)
      }
    case .integer: add(.number, text.bytes.span.extracting(text.reader.tokenRange))
    case .number: add(.number, JSON.number(text.reader.text).canonical.span)
    case .bool(let flag): literal(flag ? "true" : "false")
    case .null: literal("null")
    case .key, .endObject, .endArray, .end: break
    }
  }

  private mutating func member(of text: inout JSONText, ignoring ignored: IgnoredTree) throws(JSONError) {
    let outside = outside
    let tree: IgnoredTree
    if let plain = text.plainString {
      tree = enter(name: text.bytes.span.extracting(plain), ignoring: ignored)
    } else {
      tree = enter(name: text.unescaped.span, ignoring: ignored)
    }
    if tree.isIgnored {
      try text.reader.skipValue()
    } else {
      try value(text.reader.next(), of: &text, ignoring: tree)
    }
    leave(outside)
  }

  private mutating func enter(name: Span<UInt8>, ignoring ignored: IgnoredTree) -> IgnoredTree {
    let step = Fingerprint(name)
    _ = enter(step, name: name, occurrence: 1)
    return ignored.child(step)
  }
}

/// Places, and what is found there.
extension FieldWalk {
  private var outside: Outside { Outside(place: place, textCount: placeText.count) }

  private mutating func leave(_ outside: Outside) {
    place = outside.place
    if isListing { placeText.removeLast(placeText.count - outside.textCount) }
  }

  private mutating func within(_ root: Root, _ body: (inout FieldWalk) -> Void) {
    let outside = self.outside
    place = root.step
    if isListing { placeText += root.name.utf8 }
    body(&self)
    leave(outside)
  }

  private mutating func enter(_ step: Fingerprint, name: Span<UInt8>, occurrence: Int) -> Outside {
    let outside = self.outside
    place = place.followed(by: step, occurrence: occurrence)
    if isListing {
      placeText.append(name: name)
      if occurrence > 1 { placeText += "#\(occurrence)".utf8 }
    }
    return outside
  }

  private mutating func enter(_ step: Fingerprint, index: Int) -> Outside {
    let outside = self.outside
    place = place.followed(by: step, occurrence: 1)
    if isListing { placeText += "[\(index)]".utf8 }
    return outside
  }

  private mutating func container(_ text: StaticString) { add(.container, text) }
  private mutating func literal(_ text: StaticString) { add(.literal, text) }

  private mutating func add(_ kind: RequestFields.Kind, _ text: StaticString) {
    text.withUTF8Buffer { unsafe add(kind, Span(_unsafeElements: $0)) }
  }

  private mutating func add(_ kind: RequestFields.Kind, _ value: Span<UInt8>) {
    add(kind, value, Fingerprint(value, at: place, kind.rawValue))
  }

  private mutating func add(_ kind: RequestFields.Kind, _ value: Span<UInt8>, _ fingerprint: Fingerprint) {
    count(fingerprint)
    if isListing { list(kind, value, fingerprint) }
  }

  private mutating func count(_ fingerprint: Fingerprint) {
    result.fingerprint = result.fingerprint + fingerprint
    result.count += 1
  }

  private mutating func list(_ kind: RequestFields.Kind, _ value: Span<UInt8>, _ fingerprint: Fingerprint) {
    let start = result.bytes.count
    result.bytes += placeText
    let end = result.bytes.count
    result.bytes.append(value)
    result.fields.append(
      RequestFields.Field(
        kind: kind, place: start..<end, value: end..<result.bytes.count, placeFingerprint: place,
        fingerprint: fingerprint))
  }
}

/// What a request consists of.
private struct Root {
  static let method = Root("method")
  static let origin = Root("origin")
  static let path = Root("path")
  static let query = Root("query")
  static let form = Root("form")
  static let body = Root("body")

  let name: String
  let step: Fingerprint

  private init(_ name: String) {
    self.name = name
    step = Fingerprint(name)
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

  /// Where the content of the string or key read last stands in the bytes; nil when something in it is escaped.
  var plainString: Range<Int>? {
    let content = reader.tokenRange.lowerBound + 1..<reader.tokenRange.upperBound - 1
    return bytes.span.extracting(content).contains(UInt8(ascii: "\\")) ? nil : content
  }

  var unescaped: [UInt8] { Array(reader.text.utf8) }
}

/// Counts how often names have come.
private struct Occurrences {
  /// One by one while they are few.
  private var names: [Fingerprint] = []
  private var counts: [Fingerprint: Int] = [:]

  private static let fewNames = 32

  /// 1 for a new one.
  mutating func add(_ name: Fingerprint) -> Int {
    if names.count < Self.fewNames {
      if names.isEmpty { names.reserveCapacity(16) }
      names.append(name)
      return names.count { $0 == name }
    }
    if counts.isEmpty {
      for name in names { counts[name, default: 0] += 1 }
    }
    counts[name, default: 0] += 1
    return counts[name, default: 1]
  }
}
