import LaunchCassette
import LaunchContract
import LaunchFile
import LaunchHTTP
import LaunchTrace

/// Contracts: the shipped one, a long launch in memory and from a file, many short ones, and a rule that keeps many keys
/// apart.
func measureContract() throws -> [Measurement] {
  try [shippedContract(), longLaunch()] + longFile() + [manyLaunches()] + manyKeys()
}

/// The shipped contract on the shipped cassette.
private func shippedContract() throws -> Measurement {
  let cassette = try Cassette(path: "cassettes/first-launch.cassette")
  let path = "contracts/launch.contract"
  let contract = try Contract(parsing: readFile(path), file: path) { try readFile($0) }
  let rounds = 200
  let seconds = leastProcessorSeconds { for _ in 0..<rounds { _ = contract.reports(on: cassette.trace) } }
  let perSecond = Double(cassette.events.count * rounds) / seconds
  return Measurement("contract of \(contract.rules.count) rules", perSecond, "events/s")
}

/// A live run over one launch of a million events.
private func longLaunch() throws -> Measurement {
  let contract = try mixedContract()
  let trace = SyntheticLaunch.mixed(events: 1_000_000, users: 100)
  try requireKept(contract, on: trace)
  let seconds = leastProcessorSeconds { _ = contract.reports(on: trace) }
  return Measurement(
    "1,000,000 events, 10 rules", Double(trace.events.count) / seconds, "events/s", goal: .atLeast(1_000_000))
}

/// The same as a recording on disk, from the file to the verdicts, in a process of its own.
private func longFile() throws -> [Measurement] {
  try withScratchFolder { folder in
    func verify(events: Int) throws -> (seconds: Double, added: Int, peak: Int, bytes: Int) {
      let path = joinPath(folder, "\(events).cassette")
      let trace = SyntheticLaunch.mixed(events: events, users: 100, isRecorded: true)
      try requireKept(mixedContract(), on: trace)
      let bytes = Cassette(header: CassetteHeader(name: "bench", by: "LaunchBench"), events: trace.events).serialized
      try writeFile(bytes, to: path)
      var seconds = Double.infinity
      var (added, peak) = (Int.max, Int.max)
      for _ in 0..<3 {
        let output = try runAlone(verifyOption, path)
        guard output.count == 3 else { throw FileError(.read, path, "the process that verifies it failed") }
        seconds = min(seconds, Double(output[0]) / 1_000_000)
        (added, peak) = (min(added, output[2] - output[1]), min(peak, output[2]))
      }
      return (seconds, added * 1024, peak * 1024, bytes.count)
    }
    let (short, long) = try (verify(events: 100_000), verify(events: 1_000_000))
    let size = "\(long.bytes / 1_000_000) MB"
    return [
      Measurement("file of 1,000,000 events", Double(long.bytes) / 1_000_000, "bytes/event"),
      Measurement(
        "file of \(size) to 10 verdicts", 1_000_000 / long.seconds, "events/s", goal: .atLeast(1_000_000)),
      Measurement("the same, peak memory", Double(long.peak) / 1_048_576, "MiB", goal: .atMost(150)),
      Measurement(
        "memory added by 1,000,000 events to that by 100,000", Double(long.added) / Double(max(short.added, 1)),
        "times",
        goal: .atMost(1.25)),
    ]
  }
}

/// The option by which the benchmark runs itself in a process that does nothing but verify one cassette.
let verifyOption = "--verify"

/// Verifies the cassette event by event, and prints how many microseconds of processor time that took, and the most memory
/// that this process had before and after, in KiB.
func printVerifying(_ path: String) throws {
  let contract = try mixedContract()
  let before = peakKilobytes
  let start = processorMicroseconds
  var stream = try CassetteStream(path: path)
  var monitor = Monitor(contract)
  while let events = try stream.next() { for event in events { monitor.step(event) } }
  let reports = monitor.finish()
  let taken = processorMicroseconds - start
  for report in reports where report.verdict != .holds { throw UnkeptRule(report: report) }
  print(taken, before, peakKilobytes)
}

private func mixedContract() throws -> Contract { try Contract(parsing: mixedRules, file: "bench.contract") }

/// The case of exploration: the launches of all orders of seven answers.
private func manyLaunches() throws -> Measurement {
  let contract = try mixedContract()
  let trace = SyntheticLaunch.mixed(events: 100, users: 2)
  try requireKept(contract, on: trace)
  let seconds = leastProcessorSeconds { for _ in 0..<5040 { _ = contract.reports(on: trace) } }
  return Measurement("5,040 launches of 100 events, 10 rules", seconds, "s", goal: .atMost(1))
}

/// Calls in order for each of many users cost what they cost for few.
private func manyKeys() throws -> [Measurement] {
  let contract = try Contract(parsing: keyedRules, file: "bench.contract")
  func eventsPerSecond(users: Int) throws -> Double {
    let trace = SyntheticLaunch.mutations(200_000, users: users)
    try requireKept(contract, on: trace)
    return Double(trace.events.count) / leastProcessorSeconds { _ = contract.reports(on: trace) }
  }
  let (few, many) = try (eventsPerSecond(users: 1000), eventsPerSecond(users: 100_000))
  return [
    Measurement("2 rules per key, 100,000 keys", many, "events/s"),
    Measurement("cost of an event, 100,000 keys to 1,000", few / many, "times", goal: .atMost(4)),
  ]
}

/// The least processor time of three rounds: what else runs on the machine counts little.
private func leastProcessorSeconds(_ work: () -> Void) -> Double {
  var least = Int.max
  for _ in 0..<3 {
    let start = processorMicroseconds
    work()
    least = min(least, processorMicroseconds - start)
  }
  return Double(least) / 1_000_000
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
