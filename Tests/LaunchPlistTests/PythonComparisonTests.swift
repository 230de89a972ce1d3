import Foundation
import LaunchPlist
import Testing

/// Python's `plistlib` writes lists of random values in both forms; both read the same.
@Suite struct PythonComparisonTests {
  @Test(.enabled(if: python != nil, "python3 is not installed"))
  func `Python's lists have the values that Python says`() throws {
    let lines = try Self.askPython()
    #expect(lines.count == 1_200)
    for line in lines {
      let parts = line.split(separator: " ")
      try #require(parts.count == 2)
      let root = try PropertyList(parsing: bytes(parts[0])).root
      #expect(root.canonical == parts[1])
    }
  }

  /// A line for each file: its bytes in hex, and its value as `canonical` has it.
  private static let script = #"""
    import datetime, plistlib, random, struct
    random.seed(7)
    def text():
        return ''.join(random.choice('ab<&>"\' \t\n]é€😀\u0301\ufeff') for _ in range(random.choice([0, 1, 3, 14, 15, 40])))
    def value(depth, xml):
        kind = random.randrange(11 if depth else 8)
        if kind == 0: return text()
        if kind == 1: return random.random() < 0.5
        if kind == 2: return random.choice([0, 1, 255, 256, 65535, 65536, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1,
                                            -1, -256, -2**63, random.randrange(-2**40, 2**40)])
        if kind == 3: return random.choice([0.0, -0.0, 1.5, 1e300, -5e-324, 0.1, random.uniform(-1e9, 1e9)])
        if kind == 4: return datetime.datetime(random.randrange(1, 3000), random.randrange(1, 13),
            random.randrange(1, 29), random.randrange(24), random.randrange(60), random.randrange(60))
        if kind == 5: return bytes(random.randrange(256) for _ in range(random.choice([0, 1, 2, 3, 14, 15, 60])))
        if kind == 6: return text() if xml else plistlib.UID(random.choice([0, 255, 256, 2**32, 2**64 - 1]))
        if kind == 7: return ''.join(random.choice('abc') for _ in range(300))
        if kind < 9: return [value(depth - 1, xml) for _ in range(random.choice([0, 1, 2, 3, 16]))]
        return {text() + str(i): value(depth - 1, xml) for i in range(random.choice([0, 1, 2, 3, 16]))}
    def canonical(value):
        if isinstance(value, str): return 's' + value.encode().hex()
        if isinstance(value, bool): return 't' if value else 'f'
        if isinstance(value, int): return 'i%d' % value
        if isinstance(value, float): return 'r' + struct.pack('>d', value).hex()
        if isinstance(value, datetime.datetime):
            seconds = (value - datetime.datetime(2001, 1, 1)) // datetime.timedelta(seconds=1)
            return 'd' + struct.pack('>d', seconds).hex()
        if isinstance(value, bytes): return 'x' + value.hex()
        if isinstance(value, plistlib.UID): return 'u%d' % value.data
        if isinstance(value, list): return '[' + ','.join(map(canonical, value)) + ']'
        return '{' + ','.join(key.encode().hex() + ':' + canonical(item) for key, item in value.items()) + '}'
    for number in range(1200):
        xml = number % 2 == 0
        written = value(3, xml)
        data = plistlib.dumps(written, fmt=plistlib.FMT_XML if xml else plistlib.FMT_BINARY, sort_keys=False)
        print(data.hex(), canonical(plistlib.loads(data)))
    """#

  private static func askPython() throws -> [Substring] {
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("launchplist-\(UUID().uuidString)")
    try Data().write(to: output)
    defer { try? FileManager.default.removeItem(at: output) }
    let process = Process()
    process.executableURL = python
    process.arguments = ["-c", script]
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try String(decoding: Data(contentsOf: output), as: UTF8.self).split(separator: "\n")
  }

  private static let python: URL? = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
    .map { URL(fileURLWithPath: $0) }
}

private func bytes(_ hex: Substring) -> [UInt8] {
  let digits = hex.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

private func hex(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private func hex(_ value: Double) -> String {
  let digits = String(value.bitPattern, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

extension PropertyListValue {
  fileprivate var canonical: String {
    switch content {
    case .string(let text): "s" + hex(text.utf8)
    case .boolean(let value): value ? "t" : "f"
    case .integer(let value): "i\(value)"
    case .real(let value): "r" + hex(value)
    case .date(let seconds): "d" + hex(seconds)
    case .data(let bytes): "x" + hex(bytes)
    case .array(let elements): "[\(elements.map(\.canonical).joined(separator: ","))]"
    case .dictionary(let members):
      "{\(members.map { "\(hex($0.key.utf8)):\($0.value.canonical)" }.joined(separator: ","))}"
    case .uid(let value): "u\(value)"
    case .null: "n"
    }
  }
}
