import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// What is wrong with a line, and at which byte of the file.
struct LineError: Error {
  var offset: Int
  var message: String

  init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }

  init(_ error: JSONError) { self.init(error.reason.description, at: error.offset) }
}

/// Gives the content of a file beside the cassette, by its name.
typealias BodyLoader = (_ name: String) throws(FileError) -> [UInt8]

/// Reads lines' values by the keys; what the values mean to the format is said in extensions.
///
/// Members may stand in any order. A known member that stands twice counts as the later one, with a remark. One reader
/// reads all lines of a file, and so makes texts and header lists that the file repeats only once.
struct LineReader {
  let bytes: [UInt8]
  var json: JSONCursor
  /// What is not wrong with the line, but not as a careful writer leaves it.
  private(set) var remarks: [LineError] = []
  let loadBody: BodyLoader?
  /// The bodies of requests, which somebody may keep, have memory of their own.
  let detachesRequests: Bool

  /// The key just read.
  private var key = KeyText(prefix: 0, count: 0)
  private var strings = PartTable<String>()
  private var fieldLines = PartTable<Field>()
  var fieldLists = PartTable<Fields>()
  var connections = PartTable<Event.Step>()
  var responses = PartTable<Event.Step>()
  var locations = PartTable<Location>()
  var marks = PartTable<Event.Kind>()
  /// Kept for its memory.
  private var lines: [Field] = []
  /// The same for the plain lines of a list.
  var pairs: [FieldRanges] = []

  /// - Parameter loadBody: Nil when nothing says where the files of large bodies are.
  init(
    _ bytes: [UInt8], in range: Range<Int> = 0..<0, detachesRequests: Bool = false, loadBody: BodyLoader? = nil
  ) {
    self.bytes = bytes
    self.detachesRequests = detachesRequests
    self.loadBody = loadBody
    json = JSONCursor(bytes, in: range)
  }

  /// Turns to the next line.
  mutating func move(to range: Range<Int>) {
    json.move(to: range)
    if !remarks.isEmpty { remarks = [] }
  }

  /// Where the value or key just read begins.
  var offset: Int { json.tokenStart }

  /// Whether the key just read is `name`.
  @inline(__always)
  func at(_ name: StaticString) -> Bool {
    key.count == name.utf8CodeUnitCount && key.prefix == KeyText.prefix(of: name)
      && (key.count <= 8 || reads(json.key, name))
  }

  mutating func beginObject() throws(LineError) {
    do throws(JSONError) { try json.beginObject() } catch { throw LineError(error) }
  }

  mutating func beginArray() throws(LineError) {
    do throws(JSONError) { try json.beginArray() } catch { throw LineError(error) }
  }

  mutating func nextKey() throws(LineError) -> Bool {
    do throws(JSONError) {
      guard try json.nextKey() else { return false }
    } catch {
      throw LineError(error)
    }
    let text = json.key
    key =
      text.hasEscapes
      ? KeyText(json.unescaped(text)) : KeyText(prefix: bytes.span.prefix(of: text.range), count: text.range.count)
    return true
  }

  mutating func nextElement() throws(LineError) -> Bool {
    do throws(JSONError) { return try json.nextElement() } catch { throw LineError(error) }
  }

  mutating func finish() throws(LineError) {
    do throws(JSONError) { try json.finish() } catch { throw LineError(error) }
  }

  /// A string as its place in the file.
  mutating func text() throws(LineError) -> JSONCursor.Text {
    do throws(JSONError) { return try json.string() } catch { throw LineError(error) }
  }

  mutating func string() throws(LineError) -> String {
    let text = try text()
    return text.hasEscapes ? string(text) : string(at: text.range)
  }

  mutating func bool() throws(LineError) -> Bool {
    do throws(JSONError) { return try json.bool() } catch { throw LineError(error) }
  }

  mutating func value() throws(LineError) -> JSON {
    do throws(JSONError) { return try json.value() } catch { throw LineError(error) }
  }

  /// Any value as its place in the file.
  mutating func skim() throws(LineError) -> SkimmedJSON {
    do throws(JSONError) { return try json.skim() } catch { throw LineError(error) }
  }

  /// An integer within `range`; `what` says what it is when it is not.
  mutating func integer(_ range: ClosedRange<Int64>, _ what: StaticString) throws(LineError) -> Int64 {
    let number: Int64
    do throws(JSONError) { number = try json.integer() } catch { throw LineError(error) }
    guard range.contains(number) else { throw LineError("expected \(what)", at: offset) }
    return number
  }

  mutating func count(_ what: StaticString = "a number that is not negative") throws(LineError) -> Int {
    Int(try integer(0...Int64(Int.max), what))
  }

  /// One of the raw values of an enumeration.
  mutating func choice<Choice: RawRepresentable<String>>(
    of choices: [Choice], _ what: StaticString
  ) throws(LineError) -> Choice {
    let text = try text()
    guard let choice = choices.first(where: { reads(text, $0.rawValue) }) else {
      let names = choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw LineError("expected \(what): \(names)", at: offset)
    }
    return choice
  }

  mutating func location() throws(LineError) -> Location {
    let text = try text()
    if !text.hasEscapes, let url = PlainLocation(text.range, in: bytes.span) {
      return location(url)
    }
    do throws(LocationError) { return try Location(parsing: string(text)) } catch {
      throw LineError(error.description, at: offset)
    }
  }

  mutating func location(_ url: PlainLocation) -> Location {
    Location(
      scheme: url.isSecure ? "https" : "http", host: string(at: url.host), port: url.port, path: string(at: url.path),
      query: url.query.map { string(at: $0) })
  }

  /// An array of `[name, value]` pairs.
  mutating func fields() throws(LineError) -> Fields {
    lines.removeAll(keepingCapacity: true)
    try beginArray()
    let start = offset
    while try nextElement() {
      if let pair = json.plainPair() {
        lines.append(field(pair.name.range, pair.value.range, at: pair.range))
      } else {
        lines.append(try pair())
      }
    }
    if lines.isEmpty { return Fields() }
    let range = start..<offset + 1
    let hash = bytes.span.hash(of: range)
    if let fields = fieldLists.value(at: range, hash: hash, in: bytes.span) { return fields }
    // A copy, which has room for no more than there is.
    let fields = Fields(Array(lines[...]))
    fieldLists.add(fields, at: range, hash: hash)
    return fields
  }

  mutating func field(_ name: Range<Int>, _ value: Range<Int>, at range: Range<Int>) -> Field {
    let hash = bytes.span.hash(of: range)
    if let field = fieldLines.value(at: range, hash: hash, in: bytes.span) { return field }
    let field = Field(string(at: name), string(at: value))
    fieldLines.add(field, at: range, hash: hash)
    return field
  }

  private mutating func pair() throws(LineError) -> Field {
    try beginArray()
    let start = offset
    guard try nextElement() else { throw LineError("expected [name, value]", at: start) }
    let name = try string()
    guard try nextElement() else { throw LineError("expected [name, value]", at: start) }
    let value = try string()
    guard try !nextElement() else { throw LineError("expected [name, value]", at: start) }
    return Field(name, value)
  }

  /// Takes a member this version does not know, whose key was just read.
  mutating func keep(in unknown: inout JSONObject) throws(LineError) {
    let key = keyString
    // Each is compared with those before it, so their number is bounded.
    guard unknown.members.count < 1000 else { throw LineError("more than 1000 members that are not known", at: offset) }
    if unknown[key] != nil { remark("the member \"\(key)\" stands twice") }
    unknown.members.append(JSONObject.Member(key, try value()))
  }

  /// Gives `slot` the value of a member.
  @inline(__always)
  mutating func set<Value>(_ slot: inout Value?, _ key: StaticString, _ value: Value) {
    if slot != nil { remark("the member \"\(key)\" stands twice; the later one counts") }
    slot = value
  }

  /// The value of a member that has to be there.
  func required<Value>(_ value: Value?, _ key: StaticString, at start: Int) throws(LineError) -> Value {
    guard let value else { throw LineError("the member \"\(key)\" is missing", at: start) }
    return value
  }

  mutating func remark(_ message: String) { remarks.append(LineError(message, at: offset)) }

  /// The key just read.
  var keyString: String { string(json.key) }

  /// Whether a text reads `name`, its escapes undone.
  @inline(__always)
  func reads(_ text: JSONCursor.Text, _ name: StaticString) -> Bool {
    guard !text.hasEscapes else { return name.withUTF8Buffer { unsafe json.unescaped(text).elementsEqual($0) } }
    return text.range.count == name.utf8CodeUnitCount
      && bytes.span.reads(name, from: text.range.lowerBound, to: text.range.upperBound)
  }

  private func reads(_ text: JSONCursor.Text, _ name: String) -> Bool {
    guard !text.hasEscapes else { return json.unescaped(text).elementsEqual(name.utf8) }
    return text.range.count == name.utf8.count && bytes[text.range].elementsEqual(name.utf8)
  }

  /// The text of a string.
  func string(_ text: JSONCursor.Text) -> String {
    String(decoding: text.hasEscapes ? json.unescaped(text)[...] : bytes[text.range], as: UTF8.self)
  }

  /// The text at `range`, which has no escapes.
  mutating func string(at range: Range<Int>) -> String {
    let hash = bytes.span.hash(of: range)
    if let string = strings.value(at: range, hash: hash, in: bytes.span) { return string }
    let string = bytes.span.text(at: range)
    strings.add(string, at: range, hash: hash)
    return string
  }
}

extension Span<UInt8> {
  /// The text at `range`.
  fileprivate func text(at range: Range<Int>) -> String {
    unsafe extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}

/// What two keys are told apart by.
private struct KeyText {
  /// The first eight bytes, the first one lowest.
  var prefix: UInt64
  var count: Int

  init(prefix: UInt64, count: Int) {
    self.prefix = prefix
    self.count = count
  }

  init(_ bytes: [UInt8]) {
    prefix = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    count = bytes.count
  }

  /// Known to the compiler where the text is.
  @inline(__always)
  static func prefix(of text: StaticString) -> UInt64 {
    var prefix: UInt64 = 0
    // The text's buffer has that many bytes and lives as long as the program.
    for offset in 0..<min(text.utf8CodeUnitCount, 8) {
      prefix |= unsafe UInt64(text.utf8Start[offset]) &<< UInt64(truncatingIfNeeded: 8 &* offset)
    }
    return prefix
  }
}
