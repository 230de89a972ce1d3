import LaunchExplore
import LaunchFile
import LaunchJSON

/// What one part of an exploration prints, and `--merge` reads.
struct ShardResult {
  /// Equal for the parts of one exploration.
  var key: String
  var shard: Exploration.Shard
  var tally: Tally
  /// The file it was read from.
  var path = ""

  var json: JSON {
    ["exploration": 1, "of": .string(key), "shard": .string("\(shard.number)/\(shard.count)"), "tally": tally.json]
  }

  init(key: String, shard: Exploration.Shard, tally: Tally) {
    self.key = key
    self.shard = shard
    self.tally = tally
  }

  /// - Throws: `Failure` for a file that holds no result.
  static func read(_ path: String) throws -> ShardResult {
    let bytes = try readFile(path)
    guard let json = try? JSON(parsing: bytes), json["exploration"]?.integer == 1,
      let key = json["of"]?.string, let shard = json["shard"]?.string.flatMap(Exploration.Shard.init),
      let tally = json["tally"].flatMap(Tally.init)
    else {
      throw Failure(
        message: "\(path) is no result of a part of an exploration",
        next: "make one: launchtape explore … --shard 1/2 > FILE")
    }
    var result = ShardResult(key: key, shard: shard, tally: tally)
    result.path = path
    return result
  }

  /// All parts together.
  /// - Throws: `Failure` when a part is missing, stands twice, or is of another exploration.
  static func merged(_ results: [ShardResult], of key: String, unitCount: Int) throws(Failure) -> Tally {
    let again = "run the missing parts with the same options: launchtape explore … --shard I/N > FILE"
    for result in results where result.key != key {
      throw Failure(
        message:
          "\(result.path) is a part of another exploration: the cassette, the contracts or the options were others",
        next: again)
    }
    guard var whole = results.first?.tally, let count = results.first?.shard.count else {
      throw Failure(message: "there is no part to merge", next: again)
    }
    for (index, result) in results.enumerated() {
      if result.shard.count != count {
        throw Failure(
          message: "\(result.path) is one of \(result.shard.count) parts, \(results[0].path) one of \(count)",
          next: again)
      }
      if let twin = results[..<index].first(where: { $0.shard == result.shard }) {
        throw Failure(message: "\(twin.path) and \(result.path) are both part \(result.shard.number) of \(count)")
      }
      guard index > 0 else { continue }
      if result.tally.rules.count != whole.rules.count || !whole.units.isDisjoint(with: result.tally.units) {
        throw Failure(message: "\(result.path) does not fit the other parts", next: again)
      }
      whole.add(result.tally)
    }
    let missing = (1...count).filter { number in !results.contains { $0.shard.number == number } }
    guard missing.isEmpty else {
      throw Failure(
        message: "part \(missing.map(String.init).joined(separator: ", ")) of \(count) is missing", next: again)
    }
    guard whole.isCut || whole.units == Set(0..<unitCount) else {
      throw Failure(message: "the parts do not cover the exploration", next: again)
    }
    return whole
  }
}
