import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchExplore
import LaunchFile
import LaunchHTTP
import LaunchSandbox
import LaunchTrace
import Synchronization

/// Explores in this process, on one core: how many launches a second, how long whole explorations take, and whether long
/// launches and many of them cost in proportion.
func measureExploring() throws -> [Measurement] {
  let contract = try GraphLaunch.contract()
  let seven = GraphLaunch(needs: Array(repeating: [], count: 7))
  let everything = try seconds { explore(seven, contract, .exhaustive) }
  let typical = GraphLaunch.typical
  let covering = try seconds { explore(typical, contract, .covering(3)) }
  let random = try seconds { explore(typical, contract, .random(runs: 400, depth: 2)) }
  return [
    Measurement(
      "launches of 12 exchanges and 80 timers, contract checked", 800 / random, "launches/s", goal: .atLeast(leastRate)),
    try measurePublished(),
    // Two cores halve it.
    Measurement("5,040 orders of 7 answers, each twice, one core", everything, "s", goal: whole(.atMost(6))),
    Measurement("3-way set of 12 exchanges", covering * 1000, "ms", goal: whole(.atMost(50))),
    try measureGrowth("a timer among 400, to one among 100", from: .timers(100), to: .timers(400), times: 4),
    try measureGrowth("an exchange among 80, to one among 10", from: .chain(10), to: .chain(80), times: 8),
    measureKept(contract),
  ]
}

#if DEBUG
  /// How many launches a second there have to be.
  private let leastRate = 300.0

  /// Whole explorations have goals in a release build only.
  private func whole(_ goal: Measurement.Goal) -> Measurement.Goal? { nil }
#else
  private let leastRate = 3_000.0

  private func whole(_ goal: Measurement.Goal) -> Measurement.Goal? { goal }
#endif

/// What a part of a long launch costs, in parts of a short one that has so many times fewer.
private func measureGrowth(
  _ name: String, from short: GraphLaunch, to long: GraphLaunch, times: Double
) throws -> Measurement {
  func time(_ launch: GraphLaunch, _ runs: Int) throws -> Double {
    var exploration = launch.exploration([], .random(runs: runs, depth: 1))
    return try seconds { _ = exploration.tally() } / Double(runs)
  }
  let ratio = try time(long, 50) / time(short, 50 * Int(times)) / times
  return Measurement("cost of \(name)", ratio, "times", goal: .atMost(1.5))
}

/// What 20,000 launches leave in memory, after as many that have filled what is kept for the next one.
private func measureKept(_ contract: Contract) -> Measurement {
  let launch = GraphLaunch(needs: [[], []], timerCount: 4)
  explore(launch, contract, .random(runs: 10_000, depth: 2))
  let before = residentKilobytes
  explore(launch, contract, .random(runs: 10_000, depth: 2))
  return Measurement(
    "memory that 20,000 launches leave behind", Double(max(0, residentKilobytes - before)), "KiB", goal: .atMost(1_024))
}

private func explore(_ launch: GraphLaunch, _ contract: Contract, _ orders: Orders) {
  var exploration = launch.exploration([contract], orders)
  _ = exploration.tally()
}

/// The published first launch, which has 27 exchanges, with every shipped contract.
private func measurePublished() throws -> Measurement {
  let cassette = try Cassette(path: "cassettes/first-launch.cassette")
  let scenario = LaunchScenario(events: cassette.events)
  let contracts = try fileNames(in: "contracts").filter { $0.hasSuffix(".contract") }.map { name in
    let path = joinPath("contracts", name)
    return try Contract(parsing: try readFile(path), file: path) { try readFile($0) }
  }
  var exploration = Exploration(
    cassette, contracts: contracts, orders: .random(runs: 50, depth: 1), fallback: standIns
  ) { launch in
    try await AppLaunch(transport: launch.transport, scenario: scenario, store: LaunchStore()).run()
  }
  let time = try seconds { _ = exploration.tally() }
  return Measurement("published first launches, every contract checked", 100 / time, "launches/s")
}

/// The vendors' stand-ins, which see every request of one launch.
@Sendable private func standIns() -> Fallback {
  let sandbox = Mutex(VendorSandbox(latency: .lan))
  @Sendable func answer(_ request: Request) -> Answer { sandbox.withLock { $0.respond(to: request) } }
  return Fallback(note: { request, _ in _ = answer(request) }, answer: answer)
}

/// Of processor time, the best of five: what else the machine does costs less of that.
private func seconds(_ work: () throws -> Void) throws -> Double {
  var least = Int.max
  for _ in 0..<5 {
    let start = processorMicroseconds
    try work()
    least = min(least, processorMicroseconds - start)
  }
  return Double(least) / 1_000_000
}

/// A launch of exchanges, each made when those it needs are answered, beside timers.
private struct GraphLaunch: Sendable {
  /// By exchange.
  let needs: [[Int]]
  let timerCount: Int
  /// By exchange; made here, so that what is measured is less the launch's own work.
  private let requests: [Request]

  init(needs: [[Int]], timerCount: Int = 0) {
    self.needs = needs
    self.timerCount = timerCount
    requests = needs.indices.map(Self.request)
  }

  /// As wide and as deep as a launch with five vendors.
  static var typical: GraphLaunch {
    GraphLaunch(needs: [[], [], [], [0], [0], [1], [1], [2], [3, 5], [8], [8], [9]], timerCount: 80)
  }

  static func timers(_ count: Int) -> GraphLaunch { GraphLaunch(needs: [[]], timerCount: count) }

  /// One exchange after the other.
  static func chain(_ count: Int) -> GraphLaunch {
    GraphLaunch(needs: (0..<count).map { $0 == 0 ? [] : [$0 - 1] })
  }

  static func contract() throws -> Contract {
    let names = (0..<12).map {
      "call c\($0) = POST https://api.example.com/calls/\($0)\nmark m\($0) = \"answered \($0)\""
    }
    let rules = (0..<12).map { "m\($0) only after c\($0)" } + (0..<12).map { "at most 1 c\($0)" }
    return try Contract(
      parsing: "contract \"graph\" version 1\n\((names + rules).joined(separator: "\n"))\n", file: "graph.contract")
  }

  func exploration(_ contracts: [Contract], _ orders: Orders) -> Exploration {
    Exploration(cassette, contracts: contracts, orders: orders, launch: run)
  }

  private static func request(_ number: Int) -> Request {
    var request = Request(
      method: "POST", location: Location(scheme: "https", host: "api.example.com", path: "/calls/\(number)"),
      fields: ["Content-Type": "application/json"])
    request.body = Body(
      Array(#"{"device":{"model":"iPhone15,2","os":"18.1"},"number":\#(number),"tags":["a","b"]}"#.utf8))
    return request
  }

  private static let answer = Array(
    (#"{"id":"4e208705-93d4-4a5c-9f6e-0c4a8a4b8e11","items":["#
      + Array(repeating: #"{"name":"premium","price":"4.99","currency":"EUR"}"#, count: 12).joined(separator: ",")
      + "]}").utf8)

  private var cassette: Cassette {
    var events = [Event(at: .zero, .launch(1))]
    for number in needs.indices {
      let at = Instant.zero + .milliseconds(100 * number)
      events += [
        Event(at: at, .call(number + 1, .request(requests[number]))),
        Event(at: at, .call(number + 1, .sent)),
        Event(
          at: at + .milliseconds(90),
          .call(number + 1, .response(ResponseHead(status: 200, fields: ["Content-Type": "application/json"])))),
        Event(at: at + .milliseconds(90), .call(number + 1, .chunk(bytes: Self.answer.count))),
        Event(at: at + .milliseconds(90), .call(number + 1, .end(Content(Self.answer)))),
      ]
    }
    events.append(Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count))))
    return Cassette(
      header: CassetteHeader(name: "graph", recorded: "2026-11-30T00:00:00Z", by: "a bench"), events: events)
  }

  @Sendable private func run(_ launch: Launch) async throws {
    let timers = (0..<4).map { number in
      Task {
        for _ in 0..<timerCount / 4 { try await Task.sleep(for: .milliseconds(1_500 + number)) }
      }
    }
    await withTaskGroup(of: Int.self) { group in
      var open = needs.map { $0.count }
      func send(_ number: Int) {
        group.addTask {
          _ = try? await launch.transport.response(to: requests[number])
          return number
        }
      }
      for number in needs.indices where open[number] == 0 { send(number) }
      for await number in group {
        launch.mark("answered \(number)")
        for later in needs.indices where needs[later].contains(number) {
          open[later] -= 1
          if open[later] == 0 { send(later) }
        }
      }
    }
    for timer in timers { try await timer.value }
  }
}
