/// Values by texts, found wherever one of the texts begins, at a cost that does not grow with their number.
struct TextIndex<Value: Sendable>: Sendable {
  private var table = FingerprintTable(minimumCapacity: 0)
  private var values: [Value] = []
  /// How long the texts are, the longest first.
  private var counts: [Int] = []
  /// Whether some text begins with four bytes of such a hash.
  private var filter: [Bool] = []

  var isEmpty: Bool { values.isEmpty }

  /// Adds a text. One that is there already keeps its value.
  /// - Precondition: It has four bytes or more.
  mutating func add(_ text: [UInt8], _ value: Value) {
    precondition(text.count >= 4, "a text of \(text.count) bytes is too short to be looked for")
    let fingerprint = Fingerprint(text)
    guard table.place(of: fingerprint) == nil else { return }
    table.append(fingerprint)
    values.append(value)
    if !counts.contains(text.count) {
      counts.append(text.count)
      counts.sort(by: >)
    }
    if filter.isEmpty { filter = Array(repeating: false, count: 4096) }
    filter[hash(text.span, at: 0)] = true
  }

  /// The longest text that stands at `index`: how many bytes it has, and its value.
  @inline(__always)
  func match(in bytes: Span<UInt8>, at index: Int) -> (count: Int, value: Value)? {
    guard bytes.count - index >= 4, !filter.isEmpty, filter[hash(bytes, at: index)] else { return nil }
    return longest(in: bytes, at: index)
  }

  private func longest(in bytes: Span<UInt8>, at index: Int) -> (count: Int, value: Value)? {
    for count in counts where count <= bytes.count - index {
      if let place = table.place(of: Fingerprint(bytes.extracting(index..<index + count))) {
        return (count, values[place])
      }
    }
    return nil
  }

  /// Of the four bytes at `index`.
  @inline(__always)
  private func hash(_ bytes: Span<UInt8>, at index: Int) -> Int {
    // The load checks its bounds, and every bit pattern is a UInt32.
    let word = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self)
    return Int((word &* 0x9E37_79B1) >> 20)
  }
}
