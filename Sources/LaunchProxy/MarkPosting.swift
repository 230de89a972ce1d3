import LaunchJSON
import LaunchTrace

/// The marks of one `POST /marks`: `{"mark":"ATT answered","fields":{"status":3}}`, or a list of such objects.
struct MarkPosting: Equatable {
  let marks: [Mark]

  /// - Throws: `ControlError` that says which mark is wrong, and how.
  init(parsing body: [UInt8]) throws(ControlError) {
    let json: JSON
    do throws(JSONError) { json = try JSON(parsing: body) } catch {
      throw .badRequest("the content is no JSON: \(error)")
    }
    guard let list = json.array else {
      marks = [try Self.mark(json, place: "the mark")]
      return
    }
    var marks: [Mark] = []
    for (index, element) in list.enumerated() { marks.append(try Self.mark(element, place: "mark \(index + 1)")) }
    self.marks = marks
  }

  private static func mark(_ json: JSON, place: String) throws(ControlError) -> Mark {
    guard let object = json.object else { throw .badRequest("\(place) is no object") }
    if let key = object.duplicateKey { throw .badRequest("\(place) has \"\(key)\" twice") }
    if let member = object.members.first(where: { !["mark", "fields"].contains($0.key) }) {
      throw .badRequest("\(place) has \"\(member.key)\"; it can have \"mark\" and \"fields\"")
    }
    guard let name = object["mark"]?.string, !name.isEmpty else {
      throw .badRequest("\(place) has no \"mark\" with its name")
    }
    guard let fields = object["fields"] else { return Mark(name) }
    guard let fields = fields.object else { throw .badRequest("the \"fields\" of \(place) are no object") }
    if let key = fields.duplicateKey { throw .badRequest("the \"fields\" of \(place) have \"\(key)\" twice") }
    return Mark(name, fields)
  }
}

/// Why the control endpoint refuses a request.
enum ControlError: Error, Equatable {
  case badRequest(String)
  case notFound(path: String)
  case methodNotAllowed(String, allowed: String)

  var status: Int {
    switch self {
    case .badRequest: 400
    case .notFound: 404
    case .methodNotAllowed: 405
    }
  }

  var message: String {
    switch self {
    case .badRequest(let message): message
    case .notFound(let path): "nothing is at \(path); there is \(ControlEndpoint.synopsis)"
    case .methodNotAllowed(let method, let allowed): "this takes \(allowed), not \(method)"
    }
  }
}
