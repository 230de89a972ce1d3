import LaunchHTTP
import LaunchServer
import LaunchTrace

/// The answers of a replay that were given before, ready to be given again.
struct Shelf {
  /// Who gets the same bytes.
  struct Key: Hashable {
    var call: Int
    var entrance: ReplayResponder.Entrance
    /// What the client says about encodings; nil where the exchange has none to choose.
    var accepted: [String]?
  }

  /// A rendition with its bytes, as long as there is room for them.
  struct Item {
    let rendition: Rendition
    var prepared: PreparedAnswer?
  }

  /// How much is kept altogether, and how much of it for one answer.
  private static let bytes = 8 << 20
  private static let bytesOfOne = 64 << 10

  private var items: [Key: Item] = [:]
  private var byteCount = 0

  /// What is known under `key`.
  func item(_ key: Key) -> Item? { items[key] }

  /// Keeps `item`, with its bytes where there is room; what is full begins anew.
  mutating func keep(_ item: Item, as key: Key) {
    var item = item
    let count = item.prepared?.byteCount ?? 0
    if count > Self.bytesOfOne { item.prepared = nil }
    if byteCount + count > Self.bytes {
      for key in items.keys { items[key]?.prepared = nil }
      byteCount = 0
    }
    if item.prepared != nil { byteCount += count }
    items[key] = item
  }
}
