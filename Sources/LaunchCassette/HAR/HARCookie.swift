import LaunchHTTP
import LaunchJSON

/// A cookie as HAR lists it beside the header lines.
struct HARCookie {
  private(set) var json: JSON

  /// The cookies of a request's `Cookie` lines.
  static func sent(_ fields: Fields) -> [HARCookie] {
    fields.values("Cookie").flatMap { parts(of: $0) }.map { HARCookie(json: .object(pair($0))) }
  }

  /// The cookies of a response's `Set-Cookie` lines (RFC 6265 section 4.1).
  static func set(_ fields: Fields) -> [HARCookie] {
    fields.values("Set-Cookie").compactMap { line in
      let parts = parts(of: line)
      guard let first = parts.first else { return nil }
      var cookie = pair(first)
      for part in parts.dropFirst() {
        let (name, value) = split(part)
        switch name.lowercasedASCII {
        case "path": cookie["path"] = .string(value)
        case "domain": cookie["domain"] = .string(value)
        case "expires":
          guard let date = HARDate(cookieDate: value) else { continue }
          cookie["expires"] = .string(HARDate.text(microsecondsSince1970: date.microseconds))
        case "httponly": cookie["httpOnly"] = true
        case "secure": cookie["secure"] = true
        default: continue
        }
      }
      return HARCookie(json: .object(cookie))
    }
  }

  private static func parts(of line: String) -> [String] {
    line.utf8.split(separator: UInt8(ascii: ";")).map { String(decoding: $0, as: UTF8.self).trimmingSpaces }
      .filter { !$0.isEmpty }
  }

  private static func pair(_ part: String) -> JSONObject {
    let (name, value) = split(part)
    return ["name": .string(name), "value": .string(value)]
  }

  private static func split(_ part: String) -> (name: String, value: String) {
    let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) ?? part.utf8.endIndex
    let value = part.utf8[equals...].dropFirst()
    return (
      String(decoding: part.utf8[..<equals], as: UTF8.self).trimmingSpaces,
      String(decoding: value, as: UTF8.self).trimmingSpaces
    )
  }
}
