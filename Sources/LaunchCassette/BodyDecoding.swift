import LaunchFile
import LaunchHTTP
import LaunchJSON

extension LineReader {
  /// A body in one of its forms, left in the file where it can be.
  mutating func body() throws(LineError) -> Body {
    try beginObject()
    let start = offset
    var form: BodyForm?
    var charset: Charset?
    var bytes: Int?
    var digest: String?
    while try nextKey() {
      if at("charset") {
        set(&charset, "charset", try choice(of: Charset.allCases, "a charset"))
      } else if at("bytes") {
        set(&bytes, "bytes", try count())
      } else if at("md5") {
        set(&digest, "md5", try string())
      } else if let next = try self.form() {
        guard form == nil else {
          throw LineError("a body has only one of \"json\", \"text\", \"base64\" and \"file\"", at: start)
        }
        form = next
      } else {
        remark("the member \"\(keyString)\" of a body is not known and will be lost")
        _ = try value()
      }
    }
    switch form {
    case .json(let value): return try json(value)
    case .text(let text, let offset):
      if let charset { return try body(text, charset, at: offset) }
      return body(text)
    case .base64(let text, let offset): return try base64(text, at: offset)
    case .file(let name, let offset):
      return try file(
        name, at: offset, bytes: try required(bytes, "bytes", at: start), digest: try required(digest, "md5", at: start)
      )
    case nil: throw LineError("a body needs \"json\", \"text\", \"base64\" or \"file\"", at: start)
    }
  }

  /// Reads the form whose key was just read; nil, and nothing read, when the key is none.
  private mutating func form() throws(LineError) -> BodyForm? {
    if at("json") { return .json(try skim()) }
    if at("text") { return .text(try text(), offset) }
    if at("base64") { return .base64(try text(), offset) }
    if at("file") { return .file(try string(), offset) }
    return nil
  }

  /// JSON as our writer writes it; the file's own bytes where they are that already.
  private func json(_ value: SkimmedJSON) throws(LineError) -> Body {
    if value.isCompact { return Body(bytes[value.range]) }
    do throws(JSONError) { return Body(try JSON(parsing: bytes, in: value.range).serialized) } catch {
      throw LineError(error)
    }
  }

  private func body(_ text: JSONCursor.Text) -> Body {
    guard text.hasEscapes else { return Body(bytes[text.range]) }
    return Body(encoded: bytes[text.range], count: json.unescapedCount(text)) { JSON.unescaped($0) }
  }

  private func body(_ text: JSONCursor.Text, _ charset: Charset, at offset: Int) throws(LineError) -> Body {
    let string = string(text)
    if let encoded = charset.encode(string) { return Body(encoded) }
    let foreign = string.unicodeScalars.first { charset.encode(String($0)) == nil }
    throw LineError("\(charset.rawValue) has no character \(foreign.map { "\"\($0)\"" } ?? "for this")", at: offset)
  }

  private func base64(_ text: JSONCursor.Text, at offset: Int) throws(LineError) -> Body {
    let digits = text.hasEscapes ? json.unescaped(text)[...] : bytes[text.range]
    guard let count = Base64.decodedCount(digits) else { throw LineError("expected base64 with padding", at: offset) }
    return Body(encoded: digits, count: count) { Base64.decode($0) ?? [] }
  }

  private func file(_ name: String, at offset: Int, bytes count: Int, digest: String) throws(LineError) -> Body {
    guard BodyFile.isName(name) else {
      throw LineError("\"\(name)\" is no name of a file in the folder of bodies", at: offset)
    }
    guard let loadBody else {
      throw LineError("the body is in the file \(name), and nothing gives it here", at: offset)
    }
    let content: [UInt8]
    do throws(FileError) { content = try loadBody(name) } catch { throw LineError(error.description, at: offset) }
    guard content.count == count else {
      throw LineError("the file \(name) has \(content.count) bytes, \"bytes\" says \(count)", at: offset)
    }
    let found = MD5.hexDigest(of: content)
    guard found == digest else {
      throw LineError("the file \(name) was changed: its MD5 is \(found), \"md5\" says \(digest)", at: offset)
    }
    return Body(content)
  }
}

/// A form of a body with its value, and where the value stands.
private enum BodyForm {
  case json(SkimmedJSON)
  case text(JSONCursor.Text, Int)
  case base64(JSONCursor.Text, Int)
  case file(String, Int)
}
