package import LaunchHTTP
package import LaunchTrace

/// Finds the recorded exchange that answers a request, and uses each one once.
package struct Player: Sendable {
  /// The exchanges with one key, in recorded order.
  private struct Slot {
    var indices: [Int] = []
    var used = 0
  }

  package let exchanges: [Exchange]
  private let keys: [RequestKey]
  private var slots: [RequestKey: Slot] = [:]
  private var isUsed: [Bool]
  /// The requests that had no answer, in order.
  package private(set) var misses: [Miss] = []

  /// Computes the key of every exchange, once.
  package init(_ trace: Trace) {
    exchanges = trace.exchanges
    keys = exchanges.map { RequestKey($0.request) }
    isUsed = Array(repeating: false, count: exchanges.count)
    for (index, key) in keys.enumerated() { slots[key, default: Slot()].indices.append(index) }
  }

  /// Returns the exchange that answers `request`, and marks it used.
  ///
  /// Exchanges with equal keys answer in recorded order; once all are used, the next request is a miss.
  /// - Complexity: O(1) on average, and in the number of exchanges for a miss.
  /// - Throws: `Miss`, which is also kept.
  package mutating func answer(_ request: Request) throws(Miss) -> Exchange {
    let key = RequestKey(request)
    guard let slot = slots[key], slot.used < slot.indices.count else {
      let miss = Miss(request, slots[key].map { .consumed(calls: calls($0)) } ?? reason(key))
      misses.append(miss)
      throw miss
    }
    slots[key]?.used += 1
    let index = slot.indices[slot.used]
    isUsed[index] = true
    return exchanges[index]
  }

  /// The exchanges that no request has asked for, in recorded order.
  package var unused: [Exchange] {
    zip(exchanges, isUsed).filter { !$0.1 }.map(\.0)
  }

  private func calls(_ slot: Slot) -> [Int] { slot.indices.map { exchanges[$0].call } }

  /// Why nothing was recorded under `key`.
  private func reason(_ key: RequestKey) -> Miss.Reason {
    let distances = keys.map { key.distance(to: $0) }
    guard let least = distances.compactMap(\.self).min() else { return .neverRecorded }
    let nearest = distances.indices.lazy
      .filter { distances[$0] == least }
      .prefix(Self.comparisonLimit)
      .map { (index: $0, differences: key.differences(from: keys[$0])) }
      .min { ($0.differences.count, isUsed[$0.index] ? 1 : 0) < ($1.differences.count, isUsed[$1.index] ? 1 : 0) }
    guard let nearest else { return .neverRecorded }
    return .different(
      call: exchanges[nearest.index].call, differences: nearest.differences.map(\.description))
  }

  /// A cassette may hold thousands of calls of one kind; comparing this many finds a near one soon enough.
  private static let comparisonLimit = 256
}
