import LaunchCassette
import LaunchDiagnostics
import LaunchFile
import LaunchSandbox

/// What makes the stand-ins slow or wrong: `--fault`, `--profile` and `--seed`.
enum SandboxOptions {
  static let all = [
    Usage.Option(
      "fault", "FILE",
      "what goes wrong: a file, or a line such as \"at call tags: 500, once\"; may stand several times",
      isRepeatable: true),
    .init(
      "profile", "NAME",
      "how fast the stand-ins answer: \(LatencyProfile.all.map(\.name).joined(separator: ", ")), or as a cassette shows (default: 4g)"
    ),
    .init("seed", "N", "decides what the profile leaves to chance (default: 1)"),
  ]

  /// The stand-ins that the options ask for.
  /// - Throws: `Failure` for a script with mistakes, after all of them were printed, an unknown profile, and a seed that is
  ///   no number.
  @MainActor
  static func sandbox(_ arguments: Arguments, verb: String) throws -> VendorSandbox {
    var profile = try profile(arguments, verb: verb)
    if let text = arguments.value("seed") {
      guard let seed = UInt64(text) else {
        throw Failure.usage("--seed \(text): a whole number from 0 is wanted", verb: verb)
      }
      profile.seed = seed
    }
    return VendorSandbox(latency: profile, faults: try faults(arguments))
  }

  private static func faults(_ arguments: Arguments) throws -> FaultScript {
    FaultScript(
      try arguments.all("fault").flatMap { text in
        // No sensible file is called like a line of a script.
        let isLine = text.hasPrefix("at call ")
        let script = isLine ? text : String(decoding: try readFile(text, limit: 1 << 20), as: UTF8.self)
        do throws(DiagnosticsError) {
          return try FaultScript(parsing: script, file: isLine ? "--fault" : text).steps
        } catch {
          Console.complain("\(error)")
          throw Failure(message: "the fault script cannot be used; nothing was started")
        }
      })
  }

  @MainActor
  private static func profile(_ arguments: Arguments, verb: String) throws -> LatencyProfile {
    guard let name = arguments.value("profile") else { return .typical }
    if let profile = LatencyProfile(named: name) { return profile }
    guard pathExists(name) else {
      let known = LatencyProfile.all.map(\.name).joined(separator: ", ")
      throw Failure.usage("--profile \(name): there is \(known), or the path of a cassette", verb: verb)
    }
    return LatencyProfile(recordedIn: try Files.cassette(at: name).trace)
  }
}
