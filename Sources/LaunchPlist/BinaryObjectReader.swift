/// Reads one object of a binary property list: a value, or the numbers of the objects that a container holds.
struct BinaryObjectReader {
  let bytes: [UInt8]
  private(set) var offset: Int
  /// Where the objects end.
  let end: Int
  let referenceSize: Int

  enum Object {
    case value(PropertyListValue.Content)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  init(bytes: [UInt8], offset: Int, end: Int, referenceSize: Int) {
    self.bytes = bytes
    self.offset = offset
    self.end = end
    self.referenceSize = referenceSize
  }

  mutating func object() throws(PropertyListError) -> Object {
    let start = offset
    guard let marker = try take(1).first else { throw tooLong(start) }
    let low = marker & 0x0F
    switch marker >> 4 {
    case 0x0: return .value(try simple(marker, start))
    case 0x1: return .value(.integer(try integer(low, start)))
    case 0x2: return .value(.real(try real(low, start)))
    case 0x3 where low == 3: return .value(try date(start))
    case 0x4: return .value(.data(Array(try take(count(low)))))
    case 0x5: return .value(.string(try ascii(count(low), start)))
    case 0x6: return .value(.string(try utf16(count(low), start)))
    case 0x8: return .value(.uid(try uid(Int(low) + 1, start)))
    case 0xA, 0xB, 0xC: return .array(try references(count(low)))
    case 0xD:
      let count = try count(low)
      return .dictionary(keys: try references(count), values: try references(count))
    default: throw unknown(marker, start)
    }
  }

  private func simple(_ marker: UInt8, _ start: Int) throws(PropertyListError) -> PropertyListValue.Content {
    switch marker {
    case 0x00: .null
    case 0x08: .boolean(false)
    case 0x09: .boolean(true)
    default: throw unknown(marker, start)
    }
  }

  /// Numbers of 8 and 16 bytes are signed, shorter ones are not.
  private mutating func integer(_ power: UInt8, _ start: Int) throws(PropertyListError) -> Int128 {
    guard power <= 4 else { throw BinaryError.at(start, "an integer of more than 16 bytes") }
    let bits = try take(1 << Int(power)).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    return power == 3 ? Int128(Int64(truncatingIfNeeded: bits)) : Int128(truncatingIfNeeded: bits)
  }

  private mutating func real(_ power: UInt8, _ start: Int) throws(PropertyListError) -> Double {
    guard power == 2 || power == 3 else { throw BinaryError.at(start, "a real number of neither 4 nor 8 bytes") }
    let bits = try take(1 << Int(power)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return power == 3
      ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  private mutating func date(_ start: Int) throws(PropertyListError) -> PropertyListValue.Content {
    let seconds = try real(3, start)
    guard seconds.isFinite else { throw BinaryError.at(start, "this date is no number") }
    return .date(seconds)
  }

  private mutating func ascii(_ count: Int, _ start: Int) throws(PropertyListError) -> String {
    let text = try take(count)
    guard text.allSatisfy({ $0 < 0x80 }) else { throw BinaryError.at(start, "this string is not ASCII, as it says") }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func utf16(_ count: Int, _ start: Int) throws(PropertyListError) -> String {
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: 2)
    guard !overflow else { throw tooLong(start) }
    var rest = try take(byteCount)
    var units: [UInt16] = []
    while let high = rest.popFirst(), let low = rest.popFirst() { units.append(UInt16(high) << 8 | UInt16(low)) }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw BinaryError.at(start, "this string is not UTF-16, as it says")
    }
    return text
  }

  private mutating func uid(_ size: Int, _ start: Int) throws(PropertyListError) -> UInt64 {
    guard size <= 8 else { throw BinaryError.at(start, "a reference of more than 8 bytes") }
    return try take(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// How much a string, data or a container holds: the low half of the marker, or the integer behind it.
  private mutating func count(_ low: UInt8) throws(PropertyListError) -> Int {
    guard low == 0x0F else { return Int(low) }
    let start = offset
    guard let marker = try take(1).first, marker >> 4 == 0x1 else {
      throw BinaryError.at(start, "expected the integer that says how long this object is")
    }
    guard let count = Int(exactly: try integer(marker & 0x0F, start)), count >= 0 else { throw tooLong(start) }
    return count
  }

  private mutating func references(_ count: Int) throws(PropertyListError) -> [Int] {
    let start = offset
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: referenceSize)
    guard !overflow else { throw tooLong(start) }
    _ = try take(byteCount)
    return stride(from: start, to: offset, by: referenceSize).map {
      // What does not fit is no object's number either.
      bytes.bigEndian(at: $0, size: referenceSize) ?? .max
    }
  }

  private mutating func take(_ count: Int) throws(PropertyListError) -> ArraySlice<UInt8> {
    guard count <= end - offset else { throw tooLong(offset) }
    defer { offset += count }
    return bytes[offset..<(offset + count)]
  }

  private func tooLong(_ start: Int) -> PropertyListError {
    BinaryError.at(start, "this object is longer than the file has room for; is the file cut?")
  }

  private func unknown(_ marker: UInt8, _ start: Int) -> PropertyListError {
    BinaryError.at(start, "no object begins with 0x\(marker < 16 ? "0" : "")\(String(marker, radix: 16))")
  }
}
