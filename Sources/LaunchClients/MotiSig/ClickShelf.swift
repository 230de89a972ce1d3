import LaunchJSON

/// The click queue's place in the store: an entry for each click, and one for the messages that are known.
///
/// Calls may come from any thread.
struct ClickShelf: Sendable {
  private static let prefix = "motisig.click."
  private static let seenKey = "motisig.clicks"

  private let store: LaunchStore
  private let launchedAt: WallTime

  init(_ store: LaunchStore, launchedAt: WallTime) {
    self.store = store
    self.launchedAt = launchedAt
  }

  /// What an earlier process has left. Entries that are no clicks are removed.
  func load() -> ClickQueue {
    var clicks: [PendingClick] = []
    for entry in store.entries(under: Self.prefix) {
      let number = Int(entry.key.dropFirst(Self.prefix.count))
      if let number, number < .max, let click = PendingClick(number: number, entry.value, launchedAt: launchedAt) {
        clicks.append(click)
      } else {
        store.set(entry.key, nil)
      }
    }
    let seen = store[Self.seenKey]?.array?.compactMap(\.string) ?? []
    let queue = ClickQueue(clicks: clicks, seen: seen)
    if queue.seen != seen { write(seen: queue.seen) }
    return queue
  }

  func write(_ click: PendingClick) { store.set(key(click.number), click.json(launchedAt: launchedAt)) }

  func remove(_ number: Int) { store.set(key(number), nil) }

  func write(seen: [String]) { store.set(Self.seenKey, .array(seen.map(JSON.string))) }

  private func key(_ number: Int) -> String { "\(Self.prefix)\(number)" }
}
