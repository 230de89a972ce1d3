import LaunchCassette
import LaunchClients
import LaunchContract
import LaunchDeck
import LaunchExplore
import LaunchFile
import LaunchHTTP
import LaunchTrace

/// Explores in this process, on one core: how many launches a second, and how long whole explorations take.
func measureExploring() throws -> [Measurement] {
  let contract = try GraphLaunch.contract()
  let seven = GraphLaunch(needs: Array(repeating: [], count: 7))
  let everything = try seconds { explore(seven, contract, .exhaustive) }
  let typical = GraphLaunch.typical
  let covering = try seconds { explore(typical, contract, .covering(3)) }
  let random = try seconds { explore(typical, contract, .random(runs: 400, depth: 2)) }
  return [
    Measurement(
      "launches of 12 exchanges and 80 timers, contract checked", 800 / random, "launches/s", goal: .atLeast(3_000)),
    try measurePublished(),
    // Two cores halve it.
    Measurement("5,040 orders of 7 answers, each twice, one core", everything, "s", goal: .atMost(6)),
    Measurement("3-way set of 12 exchanges", covering * 1000, "ms", goal: .atMost(50)),
  ]
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
    cassette, contracts: contracts, orders: .random(runs: 50, depth: 1),
    fallback: { Fallback { _ in Answer(head: ResponseHead(status: 200), body: Array("{}".utf8)) } }
  ) { launch in
    try await AppLaunch(transport: launch.transport, scenario: scenario, store: LaunchStore()).run()
  }
  let time = try seconds { _ = exploration.tally() }
  return Measurement("published first launches, every contract checked", 100 / time, "launches/s")
}

private func seconds(_ work: () throws -> Void) throws -> Double {
  try best(of: 3, work).seconds
}

/// A launch of exchanges, each made when those it needs are answered, beside timers.
private struct GraphLaunch: Sendable {
  /// By exchange.
  let needs: [[Int]]
  var timerCount = 0

  /// As wide and as deep as a launch with five vendors.
  static var typical: GraphLaunch {
    GraphLaunch(needs: [[], [], [], [0], [0], [1], [1], [2], [3, 5], [8], [8], [9]], timerCount: 80)
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
        Event(at: at, .call(number + 1, .request(Self.request(number)))),
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
          _ = try? await launch.transport.response(to: Self.request(number))
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
