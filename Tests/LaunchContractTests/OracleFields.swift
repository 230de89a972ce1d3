import LaunchHTTP
import LaunchJSON

/// Where a value stands, and how the oracle finds it.
struct OracleField: Equatable {
  enum Root: String {
    case method, query, header, form, body, status, response, mark
    /// The field that the name declares.
    case key, order
  }

  var root: Root
  var path: [String]

  init(_ root: Root, _ path: [String] = []) {
    self.root = root
    self.path = path
  }

  /// As a rule writes it.
  var text: String {
    ([root.rawValue] + path.map { $0.contains("-") ? "\"\($0)\"" : $0 }).joined(separator: ".")
  }

  /// The value as text, a number like the text it has; nil without one.
  func value(of occurrence: OracleScene.Occurrence, named name: String) -> String? {
    switch root {
    case .key: return OracleNames.key(of: name)?.value(of: occurrence, named: name)
    case .order: return OracleNames.order(of: name)?.value(of: occurrence, named: name)
    case .mark: return Self.find(path[...], in: occurrence.mark.map { .object($0) }).flatMap(Self.text)
    case .status: return occurrence.answer.map { String($0.status) }
    case .response where path.first == "header": return occurrence.answer?.fields[path[1]]
    case .response: return Self.find(path[1...], in: occurrence.answer?.body).flatMap(Self.text)
    case .body: return Self.find(path[...], in: occurrence.requestBody).flatMap(Self.text)
    case .method, .query, .header, .form: return occurrence.request.flatMap { value(of: $0) }
    }
  }

  func value(of request: Request) -> String? {
    switch root {
    case .method: request.method
    case .header: request.fields[path[0]]
    case .query: Self.pair(path[0], in: request.location.query ?? "")
    case .form: Self.pair(path[0], in: String(decoding: request.body.bytes, as: UTF8.self))
    case .body: Self.find(path[...], in: try? JSON(parsing: request.body.bytes)).flatMap(Self.text)
    case .status, .response, .mark, .key, .order: nil
    }
  }

  private static func pair(_ name: String, in text: String) -> String? {
    for pair in text.split(separator: "&") where pair.hasPrefix(name + "=") {
      return String(pair.dropFirst(name.count + 1))
    }
    return nil
  }

  private static func find(_ path: ArraySlice<String>, in json: JSON?) -> JSON? {
    path.reduce(json) { value, key in value?[key] }
  }

  private static func text(_ json: JSON) -> String? {
    switch json {
    case .string(let text): text
    case .integer(let number): String(number)
    default: nil
    }
  }
}

/// What a field must be.
enum OracleTest {
  case exists
  case missing
  case equals(String)
  case differs(String)
  case oneOf([String])
  /// `*` stands for any characters, at the end only.
  case startsWith(String)
  case compares(String, Int)

  var text: String {
    switch self {
    case .exists: "exists"
    case .missing: "not exists"
    case .equals(let value): "= \(value)"
    case .differs(let value): "!= \(value)"
    case .oneOf(let values): "in {\(values.joined(separator: ", "))}"
    case .startsWith(let prefix): "matches \"\(prefix)*\""
    case .compares(let sign, let number): "\(sign) \(number)"
    }
  }

  func accepts(_ value: String?) -> Bool {
    switch self {
    case .exists: value != nil
    case .missing: value == nil
    case .equals(let wanted): value == wanted
    case .differs(let wanted): value != wanted
    case .oneOf(let wanted): value.map(wanted.contains) ?? false
    case .startsWith(let prefix): value?.hasPrefix(prefix) ?? false
    case .compares(let sign, let bound): value.flatMap { Int($0) }.map { Self.compares($0, sign, bound) } ?? false
    }
  }

  private static func compares(_ number: Int, _ sign: String, _ bound: Int) -> Bool {
    switch sign {
    case "<": number < bound
    case "<=": number <= bound
    case ">": number > bound
    default: number >= bound
    }
  }
}
