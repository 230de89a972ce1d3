import LaunchClients

/// The flow that `--flow NAME` names.
enum FlowOption {
  static let option = Usage.Option("flow", "NAME", "the launch to run: \(Flow.allNames.joined(separator: ", "))")

  /// - Throws: `Failure` when the option is missing or names no flow.
  static func flow(_ arguments: Arguments, verb: String) throws(Failure) -> Flow {
    let known = Flow.allNames.joined(separator: ", ")
    guard let name = arguments.value(option.name) else {
      throw Failure.usage("--flow is missing; there is \(known)", verb: verb)
    }
    guard let flow = Flow.named(name) else { throw Failure.usage("no flow \(name); there is \(known)", verb: verb) }
    return flow
  }
}
