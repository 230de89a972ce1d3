/// The content of a message: bytes at hand, or a part of a larger text that is decoded when asked for.
///
/// A cassette holds bodies as escaped text or base64; a reader that keeps them like that pays for a body only when
/// somebody looks at it. Bodies are equal when their bytes are.
///
/// ```swift
/// let body = Body(Array(#"{"ok":true}"#.utf8))
/// body.count   // 11
/// body.bytes   // the same array, not copied
/// ```
public struct Body: Sendable {
  private var stored: ArraySlice<UInt8>
  /// How what is stored stands for the content; nil when it is the content itself.
  private var coding: Coding?

  public init(_ bytes: [UInt8] = []) { self.init(bytes[...]) }

  /// Keeps the array behind `slice` alive, and copies nothing.
  public init(_ slice: ArraySlice<UInt8>) {
    stored = slice
  }

  /// Content that `decode` gives whenever it is asked for.
  /// - Precondition: `decode` gives `count` bytes, always the same.
  package init(
    encoded: ArraySlice<UInt8>, count: Int, decode: @escaping @Sendable (ArraySlice<UInt8>) -> [UInt8]
  ) {
    stored = encoded
    coding = .encoded(count: count, decode)
  }

  /// How many bytes of content there are.
  public var count: Int { coding?.count ?? stored.count }

  public var isEmpty: Bool { count == 0 }

  /// The content. O(n) when it has to be decoded or is a part of a larger array.
  public var bytes: [UInt8] { coding?.decode(stored) ?? Array(stored) }

  /// The same content with memory of its own, where this one shares a larger array.
  package var detached: Body {
    var body = self
    body.stored = Array(stored)[...]
    return body
  }

  /// The content, not copied when it is at hand. Its indices need not begin at zero.
  public var slice: ArraySlice<UInt8> { coding.map { $0.decode(stored)[...] } ?? stored }
}

/// One pointer in the body, of which there are many, and nearly all have none.
private indirect enum Coding: Sendable {
  case encoded(count: Int, @Sendable (ArraySlice<UInt8>) -> [UInt8])

  var count: Int {
    switch self {
    case .encoded(let count, _): count
    }
  }

  func decode(_ stored: ArraySlice<UInt8>) -> [UInt8] {
    switch self {
    case .encoded(_, let decode): decode(stored)
    }
  }
}

extension Body: Hashable {
  public static func == (left: Body, right: Body) -> Bool { left.count == right.count && left.slice == right.slice }

  public func hash(into hasher: inout Hasher) { hasher.combine(slice) }
}

extension Body: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: UInt8...) { self.init(elements) }
}
