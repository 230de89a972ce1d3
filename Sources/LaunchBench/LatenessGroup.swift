import LaunchCassette
import LaunchCodings
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchProxy
import LaunchTrace

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How punctual the replay server is over a launch of twelve exchanges, at the recorded speed.
///
/// What it measures itself is the clock after a write, less the moment the write was due; what its client sees is the clock
/// when bytes could be read, less the moment counted from its own request. Other work on the machine and on its host shows
/// in both, and in the floor: what a bare loop reaches there between the launches, over as many moments.
func measureLateness() throws -> [Measurement] {
  // As every program with sockets has to: a write to whoever is gone is an error, not the end.
  signal(SIGPIPE, SIG_IGN)
  var floor = LatenessFloor()
  var written: [Duration] = []
  var arrived: [Duration] = []
  var schedulingClass = Lateness.SchedulingClass.ordinary
  let stolen = timeTakenAway()
  for _ in 0..<rounds {
    let part = try LatenessFloor.measure(rounds: 20)
    floor.woken += part.woken
    floor.written += part.written
    let (lateness, seen) = try replayLaunch()
    written += lateness.samples.map(\.lateness)
    arrived += seen
    schedulingClass = lateness.schedulingClass
  }
  let scheduling = "\(schedulingClass.rawValue) scheduling"
  let measurements = [
    Measurement("written, p50, \(scheduling)", milliseconds(written, 50), "ms", goal: .atMost(0.1)),
    Measurement("written, p99, \(scheduling)", milliseconds(written, 99), "ms", goal: .atMost(0.3)),
    Measurement("written, max, of \(written.count)", milliseconds(written, 100), "ms"),
    Measurement("floor, a bare write, p50", milliseconds(floor.written, 50), "ms"),
    Measurement("floor, a bare write, p99", milliseconds(floor.written, 99), "ms"),
    Measurement("floor, a bare write, max, of \(floor.written.count)", milliseconds(floor.written, 100), "ms"),
    Measurement("floor, waking from a bare sleep, p50", milliseconds(floor.woken, 50), "ms"),
    Measurement("floor, waking from a bare sleep, p99", milliseconds(floor.woken, 99), "ms"),
    Measurement("floor, waking from a bare sleep, max", milliseconds(floor.woken, 100), "ms"),
    Measurement("arrived at the client, p50", milliseconds(arrived, 50), "ms"),
    Measurement("arrived at the client, p99", milliseconds(arrived, 99), "ms"),
    Measurement("arrived at the client, max, of \(arrived.count)", milliseconds(arrived, 100), "ms"),
  ]
  guard let stolen, let now = timeTakenAway() else { return measurements }
  return measurements + [
    Measurement("taken away from the machine's processors meanwhile", (now - stolen) / .milliseconds(1), "ms")
  ]
}

/// So that one hundredth of the moments is more than one of them.
private let rounds = 5

/// How long the processors of this machine had work, and its host had them do something else; nil where nothing tells.
private func timeTakenAway() -> Duration? {
  guard let text = try? readFile("/proc/stat"), let line = text.split(separator: UInt8(ascii: "\n")).first else {
    return nil
  }
  // `cpu` and the hundredths of a second: user, nice, system, idle, iowait, irq, softirq, steal.
  let words = line.split(separator: UInt8(ascii: " "))
  guard words.count > 8, let hundredths = Int(String(decoding: words[8], as: UTF8.self)) else { return nil }
  return .milliseconds(10 * hundredths)
}

/// Serves the launch once; its three connections ask at the same time, as an app's vendors do.
private func replayLaunch() throws -> (lateness: Lateness, arrived: [Duration]) {
  let launch = TimedLaunch.make()
  var options = ReplayServer.Options()
  options.encode = { pieces, encoding in try? encode(pieces: pieces, as: encoding) }
  let server = try ReplayServer(launch.trace, options)
  guard let base = server.bases.first else { preconditionFailure("a launch has an origin") }
  let exchanges = launch.trace.exchanges
  let connections = try TimedLaunch.connections.map { calls in
    try Asking(exchanges.filter { calls.contains($0.call) }, address: base.address)
  }
  let arrived = try connections.flatMap { try $0.lateness() }
  let served = server.finish()
  try served.replay.check(isStrict: true)
  return (served.replay.lateness, arrived)
}

/// By nearest rank.
private func milliseconds(_ durations: [Duration], _ percent: Int) -> Double {
  let lateness = Lateness(
    durations.map { Lateness.Sample(call: 1, .chunk, due: .zero, lateness: $0) }
  )
  return (lateness.percentile(percent) ?? .zero) / .milliseconds(1)
}
