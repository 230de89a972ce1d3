/// The places of fingerprints in a list that only grows: a dictionary that relies on fingerprints being mixed already.
///
/// What is looked up in the order in which it was added is found where the last one was, but for one small table.
struct FingerprintTable: Sendable {
  /// In the order of adding.
  private var keys: [Fingerprint] = []
  /// Places in `keys`, counted from 1, behind those whose fingerprints begin alike; 0 where there is none. At most half of
  /// them are taken.
  private var buckets: [UInt32]

  /// - Parameter count: How many there will be, about.
  init(minimumCapacity count: Int) {
    keys.reserveCapacity(count)
    buckets = Self.empty(for: count)
  }

  var count: Int { keys.count }

  /// The place of `key`; nil when it was not added.
  @inline(__always)
  func place(of key: Fingerprint) -> Int? {
    var bucket = key.word & (buckets.count - 1)
    while buckets[bucket] != 0 {
      let place = Int(buckets[bucket]) - 1
      if keys[place] == key { return place }
      bucket = (bucket + 1) & (buckets.count - 1)
    }
    return nil
  }

  /// Adds a key that is not there yet; its place is the old count.
  mutating func append(_ key: Fingerprint) {
    keys.append(key)
    if keys.count * 2 > buckets.count {
      buckets = Self.empty(for: keys.count)
      for place in keys.indices { enter(place) }
    } else {
      enter(keys.count - 1)
    }
  }

  private mutating func enter(_ place: Int) {
    var bucket = keys[place].word & (buckets.count - 1)
    while buckets[bucket] != 0 { bucket = (bucket + 1) & (buckets.count - 1) }
    buckets[bucket] = UInt32(place + 1)
  }

  private static func empty(for count: Int) -> [UInt32] {
    var size = 64
    while size < count * 2 { size *= 2 }
    return Array(repeating: 0, count: size)
  }
}
