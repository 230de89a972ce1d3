import LaunchPlist

/// Builds binary property lists, sound ones of values and damaged ones of parts.
struct BinaryWriter {
  var objects: [[UInt8]] = []
  /// In bytes; with fewer, there may be no more than 256 objects.
  var referenceSize = 2

  static func bytes(_ value: PropertyListValue) -> [UInt8] {
    var writer = BinaryWriter()
    let root = writer.add(value)
    return writer.file(root: root)
  }

  /// - Returns: The object's number.
  mutating func add(_ value: PropertyListValue) -> Int {
    let object: [UInt8] =
      switch value.content {
      case .string(let text):
        text.utf8.allSatisfy { $0 < 0x80 }
          ? head(0x50, text.utf8.count) + Array(text.utf8)
          : head(0x60, text.utf16.count) + text.utf16.flatMap { big(Int($0), 2) }
      case .boolean(let value): [value ? 0x09 : 0x08]
      case .integer(let value): [0x14] + big(value, 16)
      case .real(let value): [0x23] + bits(value)
      case .date(let seconds): [0x33] + bits(seconds)
      case .data(let bytes): head(0x40, bytes.count) + bytes
      case .array(let elements): array(elements.map { add($0) })
      case .dictionary(let members):
        dictionary(
          members.map { add(PropertyListValue.string($0.key)) }, members.map { add($0.value) })
      case .uid(let value): [0x87] + big(value, 8)
      case .null: [0x00]
      }
    return add(object)
  }

  mutating func add(_ object: [UInt8]) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  func array(_ references: [Int]) -> [UInt8] {
    head(0xA0, references.count) + references.flatMap { big($0, referenceSize) }
  }

  func dictionary(_ keys: [Int], _ values: [Int]) -> [UInt8] {
    head(0xD0, keys.count) + (keys + values).flatMap { big($0, referenceSize) }
  }

  func file(root: Int) -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += big(bytes.count, 4)
      bytes += object
    }
    let table = bytes.count
    return bytes + offsets + [0, 0, 0, 0, 0, 0, 4, UInt8(referenceSize)] + big(objects.count, 8) + big(root, 8)
      + big(table, 8)
  }

  private func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
    count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x12] + big(count, 4)
  }

  private func big(_ number: some BinaryInteger, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private func bits(_ value: Double) -> [UInt8] { big(value.bitPattern, 8) }
}

extension PropertyListValue {
  static func string(_ text: String) -> PropertyListValue {
    var value = PropertyListValue.empty
    value.content = .string(text)
    return value
  }

  /// Values are made by reading only.
  static let empty: PropertyListValue = {
    guard let list = try? PropertyList("<string/>") else { preconditionFailure("this is a property list") }
    return list.root
  }()
}
