import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Reading and writing cassettes, and opening a large one.
func measureCassette() throws -> [Measurement] {
  let typical = SyntheticCassette.typical(exchanges: 20_000)
  let bytes = typical.serialized
  let megabytes = Double(bytes.count) / 1_000_000
  let events = Double(typical.events.count)
  let reading = try best { _ = try Cassette(parsing: bytes, path: "typical.cassette") }.seconds
  let writing = best { _ = typical.serialized }.seconds

  let shipped = try readFile("cassettes/first-launch.cassette")
  let shippedEvents = try Cassette(parsing: shipped, path: "first-launch.cassette").events.count
  let reads = 200
  let readingShipped = try best {
    for _ in 0..<reads { _ = try Cassette(parsing: shipped, path: "first-launch.cassette") }
  }.seconds

  return [
    Measurement("typical cassette", Double(bytes.count) / events, "bytes/event"),
    Measurement("typical cassette, read", megabytes / reading, "MB/s", goal: .atLeast(200)),
    Measurement("typical cassette, read", events / reading, "events/s", goal: .atLeast(1_500_000)),
    Measurement("typical cassette, write", megabytes / writing, "MB/s"),
    Measurement("typical cassette, write", writing / 20_000 * 1_000_000, "microseconds/exchange"),
    Measurement("shipped cassette", Double(shipped.count) / Double(shippedEvents), "bytes/event"),
    Measurement("shipped cassette, read", Double(shipped.count * reads) / 1_000_000 / readingShipped, "MB/s"),
    Measurement("shipped cassette, read", Double(shippedEvents * reads) / readingShipped, "events/s"),
    Measurement("one event in memory", Double(MemoryLayout<Event>.stride), "bytes"),
  ] + (try measureOpening())
}

/// From nothing to the first answer, with 10,000 recorded exchanges.
private func measureOpening() throws -> [Measurement] {
  let folder = try createUniqueFolder(prefix: "launchtape-bench-")
  let path = joinPath(folder, "typical.cassette")
  defer { try? removeFile(path) }
  try writeFile(SyntheticCassette.typical(exchanges: 10_000).serialized, to: path)
  let request = try Cassette(path: path).trace.exchanges.first?.request
  guard let request else { return [] }
  let reading = try best { _ = try Cassette(path: path) }
  let opening = try best {
    var player = Player(try Cassette(path: path).trace)
    _ = try player.answer(request)
  }
  return [
    Measurement("10,000 exchanges, read the file", reading.seconds * 1000, "ms", goal: .atMost(40)),
    Measurement("10,000 exchanges, open and answer the first request", opening.seconds * 1000, "ms", goal: .atMost(80)),
  ]
}
