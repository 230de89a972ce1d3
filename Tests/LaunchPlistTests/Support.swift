import Foundation
import LaunchPlist
import Testing

enum Fixture {
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Fixtures/plist/\(name)")))
  }
}

extension PropertyList {
  /// A list whose `<plist>` holds `body`.
  init(_ body: String) throws(PropertyListError) { try self.init(parsing: Array("<plist>\(body)</plist>".utf8)) }
}

/// A text in UTF-16 with a byte order mark.
func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
  "\u{FEFF}\(text)".utf16.flatMap { unit -> [UInt8] in
    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
    return isBigEndian ? [high, low] : [low, high]
  }
}

extension PropertyListValue {
  /// The value alone, in a form to compare: `{a:[1,"x"]}`.
  var summary: String {
    switch content {
    case .string(let text): "\"\(text)\""
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .real(let value): "real \(value)"
    case .date(let seconds): "date \(seconds)"
    case .data(let bytes): "data \(bytes)"
    case .array(let elements): "[\(elements.map(\.summary).joined(separator: ","))]"
    case .dictionary(let members): "{\(members.map { "\($0.key):\($0.value.summary)" }.joined(separator: ","))}"
    case .uid(let value): "uid \(value)"
    case .null: "null"
    }
  }
}

extension [UInt8] {
  /// One to three changes: a byte replaced, inserted or removed, a piece repeated, the rest cut off.
  func mutated(spice: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
    var result = self
    for _ in 0..<Int.random(in: 1...3, using: &generator) where !result.isEmpty {
      let index = Int.random(in: result.indices, using: &generator)
      let byte = spice.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<8, using: &generator) {
      case 0...3: result[index] = byte
      case 4: result.insert(byte, at: index)
      case 5: result.remove(at: index)
      case 6:
        let end = Swift.min(index + Int.random(in: 1...12, using: &generator), result.endIndex)
        result.insert(contentsOf: result[index..<end], at: index)
      default: result.removeSubrange(index...)
      }
    }
    return result
  }
}
