import LaunchCassette
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Reading cassettes: one that was made up, and the one that is shipped.
func measureReading() throws -> [Measurement] {
  let typical = SyntheticCassette.typical(exchanges: 20_000).serialized
  let shipped = try readFile("cassettes/first-launch.cassette")
  return try measureReading("typical cassette", typical, times: 1)
    + measureReading("shipped cassette", shipped, times: 200) + [
      Measurement("one event in memory", Double(MemoryLayout<Event>.stride), "bytes")
    ]
}

private func measureReading(_ name: String, _ bytes: [UInt8], times: Int) throws -> [Measurement] {
  let events = Double(try Cassette(parsing: bytes, path: name).events.count)
  let time = try best {
    for _ in 0..<times { _ = try Cassette(parsing: bytes, path: name) }
  }
  let seconds = time.seconds / Double(times)
  return [
    Measurement(name, Double(bytes.count) / events, "bytes/event"),
    Measurement("\(name), read", Double(bytes.count) / 1_000_000 / seconds, "MB/s", goal: .atLeast(200)),
    Measurement("\(name), read", events / seconds, "events/s", goal: .atLeast(1_500_000)),
  ]
}

func measureWriting() -> [Measurement] {
  let exchanges = 20_000
  let typical = SyntheticCassette.typical(exchanges: exchanges)
  let megabytes = Double(typical.serialized.count) / 1_000_000
  let seconds = best { _ = typical.serialized }.seconds
  return [
    Measurement("typical cassette, write", megabytes / seconds, "MB/s"),
    Measurement("typical cassette, write", seconds / Double(exchanges) * 1_000_000, "microseconds/exchange"),
  ]
}

/// From nothing to the first answer, with 10,000 recorded exchanges.
func measureOpening() throws -> [Measurement] {
  let folder = try createUniqueFolder(prefix: "launchtape-bench-")
  let path = joinPath(folder, "typical.cassette")
  defer { try? removeFile(path) }
  try writeFile(SyntheticCassette.typical(exchanges: 10_000).serialized, to: path)
  let request = try Cassette(path: path).trace.exchanges.first?.request
  guard let request else { return [] }
  // Kept, because to free them is no part of opening.
  var cassettes: [Cassette] = []
  let reading = try best { cassettes.append(try Cassette(path: path)) }
  var players: [Player] = []
  let opening = try best {
    var player = Player(try Cassette(path: path).trace)
    _ = try player.answer(request)
    players.append(player)
  }
  return [
    Measurement("10,000 exchanges, read the file", reading.seconds * 1000, "ms", goal: .atMost(40)),
    Measurement("10,000 exchanges, open and answer the first request", opening.seconds * 1000, "ms", goal: .atMost(80)),
  ]
}
