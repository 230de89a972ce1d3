import LaunchSimulation

/// The pace that `--speed N|immediate` asks for: the recorded one when it is missing.
enum SpeedOption {
  static let option = Usage.Option(
    "speed", "N|immediate", "N times the recorded speed, 0.01 to 100; immediate is virtual time (default: 1)")

  /// - Throws: `Failure` for anything else.
  static func pace(_ arguments: Arguments, verb: String) throws(Failure) -> Pace {
    guard let text = arguments.value(option.name) else { return .real(speed: 1) }
    if text == "immediate" { return .virtual }
    guard let speed = Double(decimal: text), (0.01...100).contains(speed) else {
      throw Failure.usage("--speed takes a number from 0.01 to 100 or immediate, not \(text)", verb: verb)
    }
    return .real(speed: speed)
  }
}
