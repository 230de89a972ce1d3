import LaunchHTTP
import LaunchServer

/// The encoded answers of a replay that were asked for again and again, ready to be given once more: encoding costs many
/// times as much as everything else about a request.
struct Shelf {
  /// Who gets the same bytes.
  struct Key: Hashable {
    /// The number of the exchange.
    var exchange: Int
    /// What the client says about encodings.
    var accepted: [String]
  }

  /// An answer with its bytes.
  struct Item {
    let prepared: PreparedAnswer
    /// How many events of a trace it is.
    let eventCount: Int
  }

  /// How much is kept altogether, and how much of it for one answer.
  private static let bytes = 4 << 20
  private static let bytesOfOne = 64 << 10
  /// What an answer takes besides its bytes, about.
  private static let bytesBeside = 640

  private var items: [Key: Item] = [:]
  private var byteCount = 0
  /// The exchanges that have answered.
  private var answered: Set<Int> = []

  /// Whether the exchange has answered before this.
  mutating func noteAnswer(of exchange: Int) -> Bool { !answered.insert(exchange).inserted }

  /// What is known under `key`.
  func item(_ key: Key) -> Item? { items[key] }

  /// Keeps `item` where there is room for it. Nothing makes room: a client that asks for everything in turn would find
  /// nothing of it.
  mutating func keep(_ item: Item, as key: Key) {
    let count = item.prepared.byteCount + Self.bytesBeside
    guard count <= Self.bytesOfOne, byteCount + count <= Self.bytes, items[key] == nil else { return }
    byteCount += count
    items[key] = item
  }
}
