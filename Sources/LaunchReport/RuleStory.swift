package import LaunchContract

extension TextReport {
  /// The rules of a verification that are not kept, each with everything about it, without colours.
  package static func story(of verification: Verification) -> String {
    var run = RunReport()
    run.entries = [RunReport.Entry(verification, rerun: nil)]
    return run.contracts.flatMap(\.rules).map { story(of: $0) }.joined(separator: "\n")
  }
}
