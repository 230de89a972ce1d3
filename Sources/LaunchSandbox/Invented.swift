import LaunchHTTP

/// 32 hexadecimal digits that are always the same for the same parts: stand-ins hand out identifiers without chance.
func inventedHex(_ parts: String...) -> String { hexadecimal(of: parts) }

/// A lower-case version 4 UUID, in the same way.
func inventedUUID(_ parts: String...) -> String {
  var digits = Array(hexadecimal(of: parts))
  digits[12] = "4"
  digits[16] = "a"
  let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
  return groups.map { String(digits[$0]) }.joined(separator: "-")
}

/// The parts are kept apart, so that ("a", "bc") and ("ab", "c") differ.
private func hexadecimal(of parts: [String]) -> String {
  MD5.hexDigest(of: Array(parts.map { "\($0.utf8.count) \($0)" }.joined(separator: " ").utf8))
}
