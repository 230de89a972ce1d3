import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Cassette {
  /// Reads a cassette of VCR (Ruby), vcrpy, betamax or php-vcr, in their JSON form.
  ///
  /// Such a file has requests and responses and no timing: each exchange happens in no time, at the moment it says it
  /// was recorded (whole seconds), else with the one above. Its order of exchanges is kept.
  /// - Parameters:
  ///   - path: What messages call the file; its last part names the cassette.
  ///   - decode: Undoes a content encoding, for files that kept the wire form; nil where that cannot be done.
  /// - Throws: `CassetteError.malformed` with every interaction that cannot be read, named by its place in the list.
  public init(
    vcr bytes: [UInt8], path: String,
    decode: @escaping (_ encoding: String, _ content: [UInt8]) -> [UInt8]? = { _, _ in nil }
  ) throws(CassetteError) {
    let root: JSON
    do throws(JSONError) { root = try JSON(parsing: bytes) } catch {
      let (line, column) = position(of: error.offset, in: bytes)
      throw .malformed([
        Diagnostic(severity: .error, path: path, line: line, column: column, message: error.reason.description)
      ])
    }
    guard let list = root.interactions else {
      throw .noHeader(path: path, detail: "it has neither http_interactions nor interactions")
    }
    var reader = VCRReader(path: path, decode: decode)
    for (index, interaction) in list.enumerated() { reader.read(interaction, index) }
    guard reader.errors.isEmpty else { throw .malformed(reader.errors) }
    let by = root["recorded_with"]?.string ?? ""
    let name = cassetteName(of: path)
    let title = name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name
    self.init(header: CassetteHeader(name: title, by: by), events: reader.closedEvents)
    warnings = reader.warnings
  }
}

extension Cassette {
  /// Whether bytes are a JSON text with the list of interactions that VCR files have.
  package static func looksLikeVCR(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) else { return false }
    return (try? JSON(parsing: bytes))?.interactions != nil
  }
}

extension JSON {
  /// The list of a VCR file, which php-vcr writes without anything around it.
  fileprivate var interactions: [JSON]? {
    if let list = self["http_interactions"]?.array ?? self["interactions"]?.array { return list }
    guard let array, array.allSatisfy({ $0["request"] != nil && $0["response"] != nil }) else { return nil }
    return array.isEmpty ? nil : array
  }
}

/// Turns interactions into events, one after the other.
private struct VCRReader {
  let path: String
  let decode: (String, [UInt8]) -> [UInt8]?
  private(set) var errors: [Cassette.Diagnostic] = []
  private(set) var warnings: [Cassette.Diagnostic] = []
  private var events = [Event(at: .zero, .launch(1))]
  private var now = Instant.zero
  /// The date of the first interaction that has one, in microseconds.
  private var firstDate: Int64?

  init(path: String, decode: @escaping (String, [UInt8]) -> [UInt8]?) {
    self.path = path
    self.decode = decode
  }

  var closedEvents: [Event] { events + [Event(at: now, .closed(Closing(events: events.count)))] }

  mutating func read(_ interaction: JSON, _ index: Int) {
    let request = interaction["request"] ?? .null
    let response = interaction["response"] ?? .null
    guard let method = request["method"]?.string, !method.isEmpty else {
      return fail(index, "request.method is missing")
    }
    guard let text = (request["uri"] ?? request["url"])?.string else { return fail(index, "request.uri is missing") }
    let location: Location
    do throws(LocationError) { location = try Location(parsing: text) } catch {
      return fail(index, "request.uri: \(error)")
    }
    guard let status = response["status"]?.statusCode, (100...999).contains(status) else {
      return fail(index, "response.status is no status of three digits")
    }
    advance(to: interaction["recorded_at"], index)
    let fields = response["headers"].fields
    let call = index + 1
    let sent = Request(
      method: method.uppercased(), location: location, fields: request["headers"].fields,
      body: Body(content(of: request["body"], "request.body", index)))
    let content = decoded(content(of: response["body"], "response.body", index), fields)
    append(call, .request(sent))
    append(call, .sent)
    append(call, .response(ResponseHead(status: status, fields: fields)))
    if !content.body.isEmpty { append(call, .chunk(bytes: content.body.count)) }
    append(call, .end(content))
  }

  private mutating func append(_ call: Int, _ step: Event.Step) { events.append(Event(at: now, .call(call, step))) }

  private mutating func advance(to date: JSON?, _ index: Int) {
    guard let text = date?.string else { return }
    guard let date = HARDate(text) ?? HARDate(cookieDate: text) else {
      return warn(index, "recorded_at is no date and was left out: \(text)")
    }
    let first = firstDate ?? date.microseconds
    firstDate = first
    let moment = Instant(microseconds: date.microseconds - first)
    if moment < now { warn(index, "recorded_at lies before that of the interaction above and counts as that one") }
    now = max(now, moment)
  }

  /// The bytes of a body in any of the forms: a text, an object with a text or base64, null.
  private mutating func content(of body: JSON?, _ place: String, _ index: Int) -> [UInt8] {
    switch body {
    case nil, .null: return []
    case .string(let text): return Array(text.utf8)
    case .object(let object):
      if let text = object["base64_string"]?.string {
        // Ruby breaks base64 into lines.
        if let bytes = Base64.decode(text.utf8.filter { $0 > 0x20 }) { return bytes }
        warn(index, "\(place).base64_string is no base64 and was taken as text")
        return Array(text.utf8)
      }
      guard let text = object["string"]?.string else { return [] }
      guard object["encoding"]?.string.map(isLatin) == true, text.unicodeScalars.allSatisfy({ $0.value < 256 }) else {
        return Array(text.utf8)
      }
      return text.unicodeScalars.map { UInt8($0.value) }
    default:
      warn(index, "\(place) is neither text nor null and was taken as JSON")
      return body?.serialized ?? []
    }
  }

  /// Some of these tools keep the wire form, others take the encoding off and leave the header.
  private func decoded(_ bytes: [UInt8], _ fields: Fields) -> Content {
    let encoding = fields.values("Content-Encoding").joined(separator: ", ")
    guard !encoding.isEmpty, !bytes.isEmpty else { return Content(bytes) }
    guard let content = decode(encoding, bytes) else { return Content(bytes, encoding: encoding) }
    return Content(content, encoding: encoding, wireBytes: bytes.count)
  }

  private mutating func fail(_ index: Int, _ message: String) { errors.append(diagnostic(.error, index, message)) }

  private mutating func warn(_ index: Int, _ message: String) { warnings.append(diagnostic(.warning, index, message)) }

  private func diagnostic(
    _ severity: Cassette.Diagnostic.Severity, _ index: Int, _ message: String
  ) -> Cassette.Diagnostic {
    let message = "interactions[\(index)]: \(message)"
    return Cassette.Diagnostic(severity: severity, path: path, line: 1, column: 1, message: message)
  }
}

/// Ruby's names of the charsets whose characters are its bytes.
private func isLatin(_ name: String) -> Bool { ["ASCII-8BIT", "ISO-8859-1"].contains(name.uppercased()) }

extension JSON {
  /// `{"code":200}`, `{"code":"200"}` or `200`.
  fileprivate var statusCode: Int? {
    let code = self["code"] ?? self
    return (code.integer ?? code.string.flatMap(Int64.init)).flatMap { Int(exactly: $0) }
  }
}

extension JSON? {
  /// An object of a value or a list of values each; a list of `[name, value]`.
  fileprivate var fields: Fields {
    var fields = Fields()
    for member in self?.object?.members ?? [] {
      for value in member.value.array ?? [member.value] { fields.append(member.key, value.string ?? value.text) }
    }
    for pair in self?.array ?? [] {
      if let name = pair[0]?.string, let value = pair[1]?.string { fields.append(name, value) }
    }
    return fields
  }
}

/// Line and column of an offset, both counted from 1.
private func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
  let before = bytes.prefix(offset)
  let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  return (before.count { $0 == UInt8(ascii: "\n") } + 1, offset - lineStart + 1)
}
