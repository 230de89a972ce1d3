import LaunchClients
import LaunchSandbox

/// What the user and the system do in a recording: `--att`, `--message-after` and `--push-prompt`.
enum ScenarioOptions {
  static let all = [
    Usage.Option(
      "att", "ANSWER",
      "what the user answers to the tracking prompt: \(answers.map(\.key).joined(separator: ", ")), which goes on until Ctrl-C"
    ),
    .init(
      "message-after", "TIME", "from the content of an in-app message to its display, as in 18s; never: there is none"),
    .init("apple-token-after", "TIME", "how long Apple's attribution token takes; never: there is none"),
    .init("push-prompt", nil, "let MotiSig ask for the permission to push, as its SDK does unless it is told not to"),
  ]

  private static let answers: KeyValuePairs<String, LaunchScenario.Tracking> = [
    "allowed": .prompt(.authorized, after: .seconds(7)), "denied": .prompt(.denied, after: .seconds(7)),
    "restricted": .decided(.restricted), "unanswered": .unanswered,
  ]

  /// The flow's own scenario with what the options change, and the stand-ins that go with it.
  /// - Throws: `Failure` for an answer or a time that is none.
  static func apply(
    _ arguments: Arguments, to flow: Flow, _ sandbox: inout VendorSandbox, verb: String
  ) throws(Failure) -> LaunchScenario {
    var scenario = flow.processes[0].scenario
    if let text = arguments.value("att") {
      guard let answer = answers.first(where: { $0.key == text })?.value else {
        throw Failure.usage("--att is one of \(answers.map(\.key).joined(separator: ", ")), not \(text)", verb: verb)
      }
      scenario.tracking = answer
    }
    if let text = arguments.value("message-after") {
      if text == "never" {
        sandbox.oneSignal.messages = []
      } else {
        scenario.displayAfter = try duration(text, of: "message-after", verb: verb)
      }
    }
    if let text = arguments.value("apple-token-after") {
      scenario.adServicesAfter = text == "never" ? nil : try duration(text, of: "apple-token-after", verb: verb)
    }
    if arguments.has("push-prompt") { scenario.motiSig?.asksForPush = true }
    return scenario
  }

  private static func duration(_ text: String, of option: String, verb: String) throws(Failure) -> Duration {
    guard let duration = Duration(written: text) else {
      throw Failure.usage("--\(option) \(text): a time such as 18s or 300ms, or never", verb: verb)
    }
    return duration
  }
}

extension Duration {
  /// A number with its unit, `18s` or `300ms`, of at most a day.
  init?(written text: String) {
    let unit = text.hasSuffix("ms") ? "ms" : "s"
    guard text.hasSuffix(unit), let number = Double(decimal: String(text.dropLast(unit.count))),
      0...(unit == "s" ? 86_400 : 86_400_000) ~= number
    else { return nil }
    self = .microseconds(Int64((number * (unit == "s" ? 1_000_000 : 1000)).rounded()))
  }
}
