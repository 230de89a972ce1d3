import LaunchHTTP
import LaunchJSON

extension HAREntryReader {
  /// The header lines of a message: objects, pairs, or one object by name. Lines that an exporter joined are taken
  /// apart, and the pseudo-fields of HTTP/2, which are no header lines, left out.
  mutating func fields(of message: JSON?, _ path: String) -> Fields {
    let path = path + ".headers"
    var lines: [(name: String, value: String)] = []
    switch message?["headers"] {
    case .array(let elements)?:
      for (index, element) in elements.enumerated() {
        guard let line = line(element) else {
          remarks.add("\(path)[\(index)]", "is no header line; left out of the call")
          continue
        }
        lines.append(line)
      }
      if elements.contains(where: { $0.array != nil }) {
        remarks.add(path, "the lines are pairs instead of objects; read as such")
      }
    case .object(let object)?:
      remarks.add(path, "is an object instead of a list; its members are read as lines")
      lines = object.members.map { ($0.key, $0.value.harText ?? "") }
    case nil, .null?: break
    case let other?: remarks.add(path, "\(other.shown) is no list; taken as empty")
    }
    var fields = Fields()
    for line in lines where !line.name.hasPrefix(":") {
      let values = line.name.equalsIgnoringCase("Set-Cookie") ? cookieLines(line.value) : lineParts(line.value)
      if values.count > 1 { remarks.add(path, "\(values.count) lines of \(line.name) are joined to one; taken apart") }
      for value in values { fields.append(line.name, value) }
    }
    return fields
  }

  private func line(_ json: JSON) -> (String, String)? {
    if let name = json["name"]?.harText, !name.isEmpty { return (name, json["value"]?.harText ?? "") }
    if let name = json[0]?.harText, !name.isEmpty { return (name, json[1]?.harText ?? "") }
    return nil
  }

  private func lineParts(_ value: String) -> [String] {
    guard value.utf8.contains(UInt8(ascii: "\n")) else { return [value] }
    let parts = value.utf8.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self).trimmingSpaces
    }
    return parts.isEmpty ? [""] : parts
  }

  /// Cookies also get joined by commas. One that begins a new cookie is followed by `name=`; the one in an `Expires`
  /// date never is.
  private func cookieLines(_ value: String) -> [String] {
    lineParts(value).flatMap { line in
      var cookies: [String] = []
      var rest = Array(line.utf8)[...]
      var search = rest.startIndex
      while let comma = rest[search...].firstIndex(of: UInt8(ascii: ",")) {
        let next = rest[(comma + 1)...].drop { $0 == 0x20 }
        let name = next.prefix { $0 != UInt8(ascii: "=") && $0 > 0x20 && !",;\"".utf8.contains($0) }
        if !name.isEmpty, next.dropFirst(name.count).first == UInt8(ascii: "=") {
          cookies.append(String(decoding: rest[..<comma], as: UTF8.self).trimmingSpaces)
          rest = next
        }
        search = max(comma + 1, rest.startIndex)
      }
      return cookies + [String(decoding: rest, as: UTF8.self).trimmingSpaces]
    }
  }
}
