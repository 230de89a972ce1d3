import LaunchJSON
import LaunchTrace

extension Event {
  /// Why the body of its step is not in the recording, as redaction said it; nil when nobody withheld it.
  var withheld: String? {
    get { isPlain ? nil : unknownInside[Self.withheldKey]?.string }
    set { unknownInside[Self.withheldKey] = newValue.map(JSON.string) }
  }

  /// The same as a sentence without a full stop.
  var withholding: String? {
    guard let reason = withheld, case .call(let call, let step) = kind else { return nil }
    if case .request = step {
      return "the body that call \(call) sent was withheld: \(reason); a replay takes no other body for it"
    }
    return "the body that call \(call) got was withheld: \(reason); it cannot be replayed"
  }

  private static var withheldKey: String { "withheld" }
}

extension Cassette {
  /// What redaction withheld, a sentence without a full stop for each body: those that a reader of the file is warned of.
  package var withheldBodies: [String] { events.compactMap(\.withholding) }
}
