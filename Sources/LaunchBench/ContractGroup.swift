import LaunchCassette
import LaunchContract
import LaunchFile
import LaunchTrace

/// The shipped contract on the shipped cassette.
func measureContract() throws -> [Measurement] {
  let cassette = try Cassette(path: "cassettes/first-launch.cassette")
  let contract = try Contract(parsing: readFile("contracts/launch.contract"), file: "contracts/launch.contract")
  let rounds = 200
  let time = best { for _ in 0..<rounds { _ = contract.reports(on: cassette.trace) } }
  let perSecond = Double(cassette.events.count * rounds) / time.seconds
  return [Measurement("contract of \(contract.rules.count) rules", perSecond, "events/s")]
}
