import LaunchCassette
import LaunchContract
import LaunchFile
import LaunchHTTP
import LaunchTrace

/// Contracts: the shipped one, a long launch, many short ones, and a rule that keeps many keys apart.
func measureContract() throws -> [Measurement] {
  try [shippedContract(), longLaunch(), manyLaunches()] + manyKeys()
}

/// The shipped contract on the shipped cassette.
private func shippedContract() throws -> Measurement {
  let cassette = try Cassette(path: "cassettes/first-launch.cassette")
  let path = "contracts/launch.contract"
  let contract = try Contract(parsing: readFile(path), file: path) { try readFile($0) }
  let rounds = 200
  let time = best { for _ in 0..<rounds { _ = contract.reports(on: cassette.trace) } }
  let perSecond = Double(cassette.events.count * rounds) / time.seconds
  return Measurement("contract of \(contract.rules.count) rules", perSecond, "events/s")
}

/// A live run over one launch of a million events.
private func longLaunch() throws -> Measurement {
  let contract = try Contract(parsing: mixedRules, file: "bench.contract")
  let trace = mixedLaunch(events: 1_000_000, users: 100)
  try requireKept(contract, on: trace)
  let time = best(of: 3) { _ = contract.reports(on: trace) }
  return Measurement(
    "1,000,000 events, 10 rules", Double(trace.events.count) / time.seconds, "events/s", goal: .atLeast(1_000_000))
}

/// The case of exploration: the launches of all orders of seven answers.
private func manyLaunches() throws -> Measurement {
  let contract = try Contract(parsing: mixedRules, file: "bench.contract")
  let trace = mixedLaunch(events: 100, users: 2)
  try requireKept(contract, on: trace)
  let time = best(of: 3) { for _ in 0..<5040 { _ = contract.reports(on: trace) } }
  return Measurement("5,040 launches of 100 events, 10 rules", time.seconds, "s", goal: .atMost(1))
}

/// Calls in order for each of many users cost what they cost for few.
private func manyKeys() throws -> [Measurement] {
  let contract = try Contract(parsing: keyedRules, file: "bench.contract")
  func eventsPerSecond(users: Int) throws -> Double {
    var launch = SyntheticLaunch()
    for number in 0..<200_000 {
      launch.call(launch.mutation(user: number % users, sequence: number / users))
    }
    let trace = launch.closed()
    try requireKept(contract, on: trace)
    let time = best(of: 3) { _ = contract.reports(on: trace) }
    return Double(trace.events.count) / time.seconds
  }
  let (few, many) = try (eventsPerSecond(users: 1000), eventsPerSecond(users: 100_000))
  return [
    Measurement("2 rules per key, 100,000 keys", many, "events/s"),
    Measurement("cost of an event, 100,000 keys to 1,000", few / many, "times", goal: .atMost(4)),
  ]
}

/// A figure for rules that break early would say little.
/// - Throws: `UnkeptRule`, the first one.
private func requireKept(_ contract: Contract, on trace: Trace) throws(UnkeptRule) {
  for report in contract.reports(on: trace) where report.verdict != .holds { throw UnkeptRule(report: report) }
}

private struct UnkeptRule: Error, CustomStringConvertible {
  var report: RuleReport

  var description: String {
    "the launch of this benchmark does not keep \"\(report.rule.sentence)\": \(report.verdict), \(report.note ?? "")"
  }
}

private let declarations = """
  contract "bench" version 1
  mark ready, shown, fallback
  call session = POST https://{analytics,consent}.vendor.test/session
  call config = GET https://api.example.test/config
  call tags = PATCH https://api.example.test/apps/*/users/*   where body.tags exists
  call fetch = GET https://api.example.test/paywall/**
  call mutation = POST https://api.example.test/mutations   key header."X-User"   order body.seq

  """

private let mixedRules =
  declarations + """
    session only after ready
    every session is followed by config
    shown within 5 s of fetch
    shown at least 100 us after fetch
    session and config take turns
    mutation in order of body.seq per key
    at most 4 calls open
    at most 1000 fetch in any 1 s
    no fallback after ready
    config never overlaps tags

    """

private let keyedRules =
  declarations + """
    mutation one at a time per key
    mutation in order of body.seq per key

    """

/// A launch of cycles of twenty events, five calls in each.
private func mixedLaunch(events: Int, users: Int) -> Trace {
  var launch = SyntheticLaunch()
  var cycle = 0
  while launch.count + 20 < events {
    launch.mark("ready")
    launch.call(launch.request("POST", "analytics.vendor.test", "/session", body: "created_at=\(cycle)"))
    launch.call(launch.request("GET", "api.example.test", "/config"))
    launch.call(launch.request("PATCH", "api.example.test", "/apps/7/users/9", body: #"{"tags":{"cycle":\#(cycle)}}"#))
    launch.call(launch.request("GET", "api.example.test", "/paywall/variations/main"), chunks: 2)
    launch.mark("shown")
    launch.call(launch.mutation(user: cycle % users, sequence: cycle / users))
    launch.mark("tick")
    cycle += 1
  }
  while launch.count + 1 < events { launch.mark("tick") }
  return launch.closed()
}

private struct SyntheticLaunch {
  private var events: [Event] = []
  private var calls = 0
  private var time: Int64 = 0

  var count: Int { events.count }

  func request(_ method: String, _ host: String, _ path: String, fields: Fields = [:], body: String = "") -> Request {
    Request(
      method: method, location: Location(scheme: "https", host: host, path: path), fields: fields,
      body: Array(body.utf8))
  }

  func mutation(user: Int, sequence: Int) -> Request {
    request(
      "POST", "api.example.test", "/mutations", fields: ["X-User": "user-\(user)"], body: #"{"seq":\#(sequence)}"#)
  }

  mutating func mark(_ name: String) { append(.mark(Mark(name))) }

  mutating func call(_ request: Request, chunks: Int = 0) {
    calls += 1
    append(.call(calls, .request(request)))
    append(.call(calls, .response(ResponseHead(status: 200))))
    for _ in 0..<chunks { append(.call(calls, .chunk(bytes: 100))) }
    append(.call(calls, .end(Content())))
  }

  mutating func append(_ kind: Event.Kind) {
    time += 100
    events.append(Event(at: Instant(microseconds: time), kind))
  }

  func closed() -> Trace {
    let closing = Event(at: Instant(microseconds: time), .closed(Closing(events: events.count)))
    return Trace(name: "bench", events: events + [closing])
  }
}
