import LaunchFile
import LaunchHTTP
import LaunchJSON

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
  private(set) var json: JSONCursor
  /// What is not wrong with the line, but not as a careful writer leaves it.
  private(set) var remarks: [LineError] = []
  let loadBody: BodyLoader?

  private var strings = PartTable<String>()
  private var headerLists = PartTable<Fields>()

  /// - Parameter loadBody: Nil when nothing says where the files of large bodies are.
  init(_ bytes: [UInt8], in range: Range<Int> = 0..<0, loadBody: BodyLoader? = nil) {
    self.bytes = bytes
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

  /// Whether the key just read is `key`.
  @inline(__always)
  func at(_ key: StaticString) -> Bool { reads(json.key, key) }

  mutating func beginObject() throws(LineError) {
    do throws(JSONError) { try json.beginObject() } catch { throw LineError(error) }
  }

  mutating func beginArray() throws(LineError) {
    do throws(JSONError) { try json.beginArray() } catch { throw LineError(error) }
  }

  mutating func nextKey() throws(LineError) -> Bool {
    do throws(JSONError) { return try json.nextKey() } catch { throw LineError(error) }
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
      return Location(
        scheme: url.isSecure ? "https" : "http", host: string(at: url.host), port: url.port, path: string(at: url.path),
        query: url.query.map { string(at: $0) })
    }
    do throws(LocationError) { return try Location(parsing: string(text)) } catch {
      throw LineError(error.description, at: offset)
    }
  }

  /// An array of `[name, value]` pairs.
  mutating func fields() throws(LineError) -> Fields {
    let list = try skim()
    let place = list.range
    let hash = bytes.span.hash(of: place)
    if let fields = headerLists.value(at: place, hash: hash, in: bytes.span) { return fields }
    json.goBack(to: list)
    let fields = try pairs()
    headerLists.add(fields, at: place, hash: hash)
    return fields
  }

  private mutating func pairs() throws(LineError) -> Fields {
    var lines: [Field] = []
    try beginArray()
    while try nextElement() {
      try beginArray()
      let start = offset
      guard try nextElement() else { throw LineError("expected [name, value]", at: start) }
      let name = try string()
      guard try nextElement() else { throw LineError("expected [name, value]", at: start) }
      if lines.isEmpty { lines.reserveCapacity(8) }
      lines.append(Field(name, try string()))
      guard try !nextElement() else { throw LineError("expected [name, value]", at: start) }
    }
    // The copy has room for no more than there is.
    return Fields(lines.count == lines.capacity ? lines : Array(lines[...]))
  }

  /// Takes a member this version does not know, whose key was just read.
  mutating func keep(in unknown: inout JSONObject) throws(LineError) {
    let key = key
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
  var key: String { string(json.key) }

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
  private mutating func string(at range: Range<Int>) -> String {
    // So short a string needs no memory of its own.
    if range.count <= 15 { return String(decoding: bytes[range], as: UTF8.self) }
    let hash = bytes.span.hash(of: range)
    if let string = strings.value(at: range, hash: hash, in: bytes.span) { return string }
    let string = String(decoding: bytes[range], as: UTF8.self)
    strings.add(string, at: range, hash: hash)
    return string
  }
}
