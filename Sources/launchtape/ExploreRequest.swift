import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchExplore
import LaunchFile
import LaunchHTTP
import LaunchTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What an `explore` command asks for, read from its arguments.
struct ExploreRequest {
  let path: String
  let cassette: Cassette
  let flow: Flow
  let contracts: [Contract]
  /// Nil leaves it to the number of schedules.
  let orders: Orders?
  let varies: Variations
  let budget: Duration?
  let workers: Int
  /// Tells explorations apart: equal for the parts of one.
  let key: String
  let arguments: Arguments
  private let matching: Matching

  private static let verb = "explore"

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    path = arguments.paths[0]
    flow = try FlowOption.flow(arguments, verb: Self.verb)
    cassette = try Files.cassette(at: path)
    let given = arguments.all("contract")
    contracts = try Contracts(arguments, at: given.isEmpty ? NearbyContracts.paths(for: path) : given).contracts
    matching = try MatchingOptions.matching(arguments, verb: Self.verb)
    try MatchingOptions.check(matching, against: cassette.trace, verb: Self.verb)
    varies = try Self.variations(arguments)
    orders = try Self.orders(arguments)
    workers = try Self.number(arguments, "workers", 1...256) ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    if let text = arguments.value("budget") {
      guard let duration = Duration(written: text), duration > .zero else {
        throw Failure.usage("--budget \(text): a time such as 30s or 500ms", verb: Self.verb)
      }
      budget = duration
    } else {
      budget = nil
    }
    var hash = StableHash()
    hash.add(Launchtape.version)
    hash.add(cassette.serialized)
    for contract in contracts { hash.add(try readFile(contract.file, limit: Files.contractLimit)) }
    for name in [
      "flow", "orders", "ceiling", "runs", "depth", "faults", "deaths", "seed", "schedule", "ignore", "repeat", "vary",
    ] {
      for value in arguments.all(name) { hash.add("--\(name)=\(value)") }
    }
    hash.add(arguments.has("assume-visible-state") ? "visible" : "")
    key = String(hash.value, radix: 16)
  }

  /// - Throws: `Failure` when the flow's history cannot be made.
  func exploration() throws -> Exploration {
    let explored = try ExploredFlow(flow, cassette)
    return Exploration(
      cassette, contracts: contracts, orders: orders, varies: varies, matching: matching,
      ceiling: try Self.number(arguments, "ceiling", 1...1_000_000_000) ?? 5_040,
      seed: UInt64(try Self.number(arguments, "seed", 0...Int.max) ?? 1),
      assumesVisibleState: arguments.has("assume-visible-state"), isPart: arguments.has("shard"),
      fallback: explored.fallback, launch: explored.launch)
  }

  /// The command that shows a schedule again.
  func rerun(_ schedule: Schedule) -> String {
    var words = "launchtape explore \(path.shellWord) --flow \(flow.name)"
    for contract in contracts { words += " --contract \(contract.file.shellWord)" }
    for name in ["faults", "deaths"] where arguments.has(name) { words += " --\(name) \(arguments.value(name) ?? "0")" }
    for word in arguments.all("vary") { words += " --vary \(word)" }
    return words + MatchingOptions.words(arguments) + " --schedule \(schedule)"
  }

  private static func orders(_ arguments: Arguments) throws(Failure) -> Orders? {
    if let text = arguments.value("schedule") {
      guard !arguments.has("orders") else { throw Failure.usage("--schedule goes without --orders", verb: verb) }
      guard let schedule = Schedule(text) else {
        throw Failure.usage("--schedule \(text): choices with dots between them, as in 0x3.1.2", verb: verb)
      }
      return .only(schedule)
    }
    guard let word = arguments.value("orders") else { return nil }
    guard let orders = Orders(parsing: word) else {
      throw Failure.usage("--orders is one of \(Orders.words.joined(separator: ", ")), not \(word)", verb: verb)
    }
    guard case .random(let runs, let depth) = orders else { return orders }
    return .random(
      runs: try number(arguments, "runs", 1...1_000_000_000) ?? runs,
      depth: try number(arguments, "depth", 1...10) ?? depth)
  }

  private static func variations(_ arguments: Arguments) throws(Failure) -> Variations {
    var varies = Variations(
      faults: try number(arguments, "faults", 0...100) ?? 0, deaths: try number(arguments, "deaths", 0...10) ?? 0)
    for word in arguments.all("vary") {
      switch word {
      case "outcomes": varies.outcomes = true
      case "jobs": varies.jobs = true
      default: throw Failure.usage("--vary is outcomes or jobs, not \(word)", verb: verb)
      }
    }
    return varies
  }

  private static func number(_ arguments: Arguments, _ name: String, _ range: ClosedRange<Int>) throws(Failure) -> Int?
  {
    guard let text = arguments.value(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Failure.usage(
        "--\(name) \(text): a whole number from \(range.lowerBound) to \(range.upperBound)", verb: verb)
    }
    return number
  }
}
