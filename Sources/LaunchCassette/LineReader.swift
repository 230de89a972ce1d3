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

/// Reads one line's values by the keys; what the values mean to the format is said in extensions.
///
/// Members may stand in any order. A known member that stands twice counts as the later one, with a remark.
struct LineReader {
  let bytes: [UInt8]
  private(set) var json: JSONReader
  /// What is not wrong, but not as a careful writer leaves it.
  private(set) var remarks: [LineError] = []

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    json = JSONReader(bytes, in: range)
  }

  /// Where the value or key just read begins.
  var offset: Int { json.tokenRange.lowerBound }

  func at(_ key: StaticString) -> Bool { json.equals(key) }

  mutating func beginObject() throws(LineError) {
    try read { (json) throws(JSONError) in try json.beginObject() }
  }

  mutating func nextKey() throws(LineError) -> Bool {
    try read { (json) throws(JSONError) in try json.nextKey() }
  }

  mutating func finish() throws(LineError) {
    try read { (json) throws(JSONError) in try json.finish() }
  }

  mutating func string() throws(LineError) -> String {
    try read { (json) throws(JSONError) in try json.readString() }
  }

  mutating func bool() throws(LineError) -> Bool {
    try read { (json) throws(JSONError) in try json.readBool() }
  }

  mutating func value() throws(LineError) -> JSON {
    try read { (json) throws(JSONError) in try json.readValue() }
  }

  /// An integer within `range`; `what` says what it is when it is not.
  mutating func integer(_ range: ClosedRange<Int64>, _ what: StaticString) throws(LineError) -> Int64 {
    let number = try read { (json) throws(JSONError) in try json.readInteger() }
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
    let text = try string()
    guard let choice = choices.first(where: { $0.rawValue == text }) else {
      let names = choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      throw LineError("expected \(what): \(names)", at: offset)
    }
    return choice
  }

  mutating func location() throws(LineError) -> Location {
    let text = try string()
    do throws(LocationError) { return try Location(parsing: text) } catch {
      throw LineError(error.description, at: offset)
    }
  }

  /// An array of `[name, value]` pairs.
  mutating func fields() throws(LineError) -> Fields {
    var fields = Fields()
    try read { (json) throws(JSONError) in try json.beginArray() }
    while try nextElement() {
      try read { (json) throws(JSONError) in try json.beginArray() }
      let start = offset
      guard try nextElement() else { throw LineError("expected [name, value]", at: start) }
      let name = try string()
      guard try nextElement() else { throw LineError("expected [name, value]", at: start) }
      fields.append(name, try string())
      guard try !nextElement() else { throw LineError("expected [name, value]", at: start) }
    }
    return fields
  }

  /// A body in one of its three forms, as the bytes it stands for.
  mutating func body() throws(LineError) -> [UInt8] {
    try beginObject()
    let start = offset
    var body: [UInt8]?
    while try nextKey() {
      let form: [UInt8]
      if at("json") {
        form = try compactValue()
      } else if at("text") {
        form = Array(try string().utf8)
      } else if at("base64") {
        form = try base64()
      } else {
        remark("the member \"\(json.text)\" of a body is not known and will be lost")
        _ = try value()
        continue
      }
      guard body == nil else { throw LineError("a body has only one of \"json\", \"text\" and \"base64\"", at: start) }
      body = form
    }
    guard let body else { throw LineError("a body needs \"json\", \"text\" or \"base64\"", at: start) }
    return body
  }

  /// Takes a member this version does not know, whose key was just read.
  mutating func keep(in unknown: inout JSONObject) throws(LineError) {
    let key = json.text
    // Each is compared with those before it, so their number is bounded.
    guard unknown.members.count < 1000 else { throw LineError("more than 1000 members that are not known", at: offset) }
    if unknown[key] != nil { remark("the member \"\(key)\" stands twice") }
    unknown.members.append(JSONObject.Member(key, try value()))
  }

  /// Gives `slot` the value of a member.
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

  private mutating func nextElement() throws(LineError) -> Bool {
    try read { (json) throws(JSONError) in try json.nextElement() }
  }

  /// JSON as our writer writes it; the file's own bytes where they are that already.
  private mutating func compactValue() throws(LineError) -> [UInt8] {
    let bytes = bytes
    let value = try read { (json) throws(JSONError) in try json.skipValue(checkingFormIn: bytes) }
    if value.isCompact { return Array(bytes[value.range]) }
    do throws(JSONError) { return try JSON(parsing: bytes, in: value.range).serialized } catch {
      throw LineError(error)
    }
  }

  private mutating func base64() throws(LineError) -> [UInt8] {
    let text = try string()
    guard let bytes = Base64.decode(text.utf8) else { throw LineError("expected base64 with padding", at: offset) }
    return bytes
  }

  private mutating func read<Value>(
    _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(LineError) -> Value {
    do throws(JSONError) { return try body(&json) } catch { throw LineError(error) }
  }
}
