import LaunchHTTP
import LaunchJSON

/// A request that found its route, with the checks that all stand-ins share.
struct RoutedRequest {
  let request: Request
  /// What stood for the stars of the route, in order.
  private let captures: [String]

  init(_ request: Request, captures: [String]) {
    self.request = request
    self.captures = captures
  }

  var host: String { request.location.host }

  /// The value of the star number `index`, counted from 0.
  subscript(index: Int) -> String { captures.indices.contains(index) ? captures[index] : "" }

  func header(_ name: String) -> String? { request.fields[name] }

  var query: FormPairs { FormPairs(parsing: request.location.query ?? "") }

  /// The body as a JSON object.
  func object(contentType: String = "application/json") throws(Refusal) -> JSONObject {
    try require(contentType)
    let body: JSON
    do throws(JSONError) { body = try JSON(parsing: request.body.bytes) } catch {
      throw Refusal(400, "invalid_json", "the body is no JSON: \(error)")
    }
    guard let object = body.object else { throw Refusal(400, "invalid_json", "the body is no JSON object") }
    return object
  }

  /// The body as a form.
  func form() throws(Refusal) -> FormPairs {
    try require(FormPairs.contentType)
    return FormPairs(parsing: request.body.bytes)
  }

  private func require(_ contentType: String) throws(Refusal) {
    let value = header("Content-Type") ?? ""
    let media = value.prefix { $0 != ";" && $0 != " " }
    guard String(media).equalsIgnoringCase(contentType) else {
      let given = value.isEmpty ? "there is none" : "it is \(value)"
      throw Refusal(415, "unsupported_media_type", "Content-Type has to be \(contentType), and \(given)")
    }
  }
}

extension JSONObject {
  /// The non-empty text at `key`, or a refusal that names it.
  func text(_ key: String) throws(Refusal) -> String {
    guard let text = self[key]?.string, !text.isEmpty else {
      throw Refusal(400, "invalid_request", "\(key) has to be a non-empty string")
    }
    return text
  }

  /// The object at `key`, or a refusal that names it.
  func object(_ key: String) throws(Refusal) -> JSONObject {
    guard let object = self[key]?.object else { throw Refusal(400, "invalid_request", "\(key) has to be an object") }
    return object
  }

  /// The array at `key`, or a refusal that names it.
  func array(_ key: String) throws(Refusal) -> [JSON] {
    guard let array = self[key]?.array else { throw Refusal(400, "invalid_request", "\(key) has to be an array") }
    return array
  }

  /// The object at `key`, an empty one when there is no such member.
  func optionalObject(_ key: String) throws(Refusal) -> JSONObject { self[key] == nil ? [:] : try object(key) }
}
