import Foundation
import LaunchClients
import LaunchCurl
import LaunchJSON

/// A process that taps messages and delivers the clicks until it is killed.
///
///     ClickProbe FOLDER ADDRESS LIFE        taps, and prints each message once its click is taken down
///     ClickProbe FOLDER ADDRESS LIFE last   delivers what is left, and ends
@main @MainActor
struct ClickProbe {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let life = Int64(arguments[3]) else {
      FileHandle.standardError.write(Data("usage: ClickProbe FOLDER ADDRESS LIFE [last]\n".utf8))
      exit(2)
    }
    let store = try LaunchStore(folder: arguments[1])
    let routes = try RouteTable(parsing: ["api.motisig.ai=\(arguments[2])"], otherwise: .refuse)
    // A minute passes between two lives, so that no click waits for long.
    var device = Device.sample
    device.launchedAt.milliseconds += life * 60_000
    device.chanceSeed = UInt64(life)
    var scenario = LaunchScenario.firstLaunch
    scenario.push.tokenAfter = nil
    let phone = Phone(device: device, scenario: scenario)
    let client = MotiSigClient(transport: CurlTransport(routes: routes), phone: phone, store: store)
    client.initialize(skipPermissionRequest: true)
    try client.setUser("u1")
    if arguments.last == "last" { return await client.settle() }
    var number = 0
    while true {
      // 200 clicks wait at most: the test is about those that death could lose.
      if store.entries(under: "motisig.click.").count < 50 {
        number += 1
        let message = "\(life)-\(number)"
        client.didReceiveTap(["messageId": .string(message)])
        FileHandle.standardOutput.write(Data("\(message)\n".utf8))
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
}
