import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension HAREntryReader {
  /// Reads `response`: a head with its content, or a failure, or both.
  /// - Parameter isConnected: The phases show that a server was reached.
  mutating func answer(isConnected: Bool) -> HARAnswer {
    let response = entry["response"]
    guard let response, response.object != nil else {
      remarks.add("response", "is missing; the call is taken as failed")
      return HARAnswer(error: failure(message ?? "", hasHead: false, isConnected: isConnected))
    }
    let status = status(response)
    guard let status else {
      let content =
        response["content"] == nil ? Content() : content(response, status: 0, fields: [:], mayBeMissing: false)
      return HARAnswer(content: content, error: failure(message ?? "", hasHead: false, isConnected: isConnected))
    }
    let fields = fields(of: response, "response")
    let version = version(of: response) ?? version(of: entry["request"]) ?? .http11
    let head = ResponseHead(status: status, fields: fields, version: version)
    let error = message.map { failure($0, hasHead: true, isConnected: true) }
    let content = content(response, status: status, fields: fields, mayBeMissing: error == nil)
    return HARAnswer(head: head, content: content, error: error)
  }

  private func failure(_ message: String, hasHead: Bool, isConnected: Bool) -> TransportError {
    TransportError(harMessage: message, hasHead: hasHead, isConnected: isConnected)
  }

  /// What the exporter says about a failure; nil when it says nothing.
  private var message: String? {
    let response = entry["response"]
    let places = [
      response?["_error"], entry["_error"], response?["_failureText"], entry["_failureText"],
    ]
    return places.lazy.compactMap { $0?.harText ?? $0?["message"]?.harText }.first { !$0.isEmpty && $0 != "false" }
  }

  /// The status; nil for 0, -1 and everything else that stands for none.
  private mutating func status(_ response: JSON) -> Int? {
    let path = "response.status"
    guard let value = response["status"], value != .null else {
      remarks.add(path, "is missing; the call is taken as failed")
      return nil
    }
    guard let status = value.harInteger, status <= 0 || (100...999).contains(status) else {
      remarks.add(path, "\(value.shown) is no status; the call is taken as failed")
      return nil
    }
    if case .string = value { remarks.add(path, "the number stands as text; read as a number") }
    return status > 0 ? status : nil
  }

  private mutating func content(
    _ response: JSON, status: Int, fields: Fields, mayBeMissing: Bool
  ) -> Content {
    let json = response["content"]
    guard let text = json?["text"]?.harText else {
      guard mayBeMissing, isMissing(response, status: status, fields: fields) else { return Content() }
      remarks.add("response.content", "the body was not recorded; a replay of this call fails")
      return Content(isMissing: true)
    }
    let encoding = fields["Content-Encoding"]?.lowercasedASCII.trimmingSpaces ?? ""
    let isEncoded = !encoding.isEmpty && encoding != "identity"
    if isEncoded, let wire = wireChunks(text, json) { return Content(wire, isRaw: true) }
    let bytes = bytes(of: text, json)
    guard isEncoded, !bytes.isEmpty else { return Content(bytes) }
    let wireBytes = wireBytes(response, size: bytes.count)
    return Content(bytes, encoding: encoding, wireBytes: wireBytes == bytes.count ? nil : wireBytes)
  }

  private mutating func bytes(of text: String, _ json: JSON?) -> [UInt8] {
    let encoding = json?["encoding"]?.harText?.lowercased() ?? ""
    guard encoding == "base64" else {
      let isKnown = encoding.isEmpty || encoding == "utf-8" || encoding == "utf8"
      if !isKnown {
        remarks.add("response.content.encoding", "\(JSON.string(encoding).shown) is not known; kept as text")
      }
      return Array(text.utf8)
    }
    if let list = chunks(text, Base64.decode(lenient:)) { return list }
    if let bytes = Base64.decode(lenient: text.utf8) { return bytes }
    remarks.add("response.content.text", "is not base64 as its encoding says; kept as text")
    return Array(text.utf8)
  }

  /// How many bytes the wire carried, from what the exporter says of sizes.
  private func wireBytes(_ response: JSON, size: Int) -> Int? {
    if let count = response["bodySize"]?.harInteger, count > 0 { return count }
    guard let saved = response["content"]?["compression"]?.harInteger, saved < size, saved != 0 else { return nil }
    let (count, overflow) = size.subtractingReportingOverflow(saved)
    return overflow ? nil : count
  }

  /// Whether there was a body that the HAR leaves out.
  private func isMissing(_ response: JSON, status: Int, fields: Fields) -> Bool {
    let content = response["content"]
    let method = entry["request"]?["method"]?.harText ?? ""
    if status < 200 || status == 204 || status == 304 || method.equalsIgnoringCase("HEAD") { return false }
    let comment = content?["comment"]?.harText ?? ""
    if comment.contains("not included") || comment.contains("not recorded") || content?["_file"] != nil { return true }
    let bodySize = response["bodySize"]?.harInteger
    if let size = content?["size"]?.harInteger, size >= 0 { return size > 0 || bodySize ?? 0 > 0 }
    return bodySize != 0 && fields["Content-Length"]?.trimmingSpaces != "0"
  }

  /// The bytes of the wire, where the exporter keeps them as a list of chunks in base64 or hexadecimal.
  private func wireChunks(_ text: String, _ json: JSON?) -> [UInt8]? {
    if json?["encoding"]?.harText == "base64" { return chunks(text, Base64.decode(lenient:)) }
    return creator.keepsWireChunks ? chunks(text, hexadecimal) : nil
  }

  /// The chunks of a JSON list of texts, joined; nil when the text is no such list.
  private func chunks(_ text: String, _ decode: (String.UTF8View) -> [UInt8]?) -> [UInt8]? {
    guard text.hasPrefix("["), let list = try? JSON(parsing: text).array else { return nil }
    var bytes: [UInt8] = []
    for element in list {
      guard let chunk = element.string.flatMap({ decode($0.utf8) }) else { return nil }
      bytes += chunk
    }
    return bytes
  }

  private func hexadecimal(_ text: String.UTF8View) -> [UInt8]? {
    let digits = text.compactMap(\.hexValue)
    guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
