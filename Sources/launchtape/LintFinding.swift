import LaunchClients
import LaunchContract
import LaunchPlist
import LaunchReport

/// What lint says about one place of a property list or a log, in the form of a contract's diagnostics:
///
/// ```
/// Info.plist:12:3: error: SKAdNetworkItems is a string; … [P3]
///   <string>v9wttpbfk9.skadnetwork</string>
///   ^
/// ```
struct LintFinding: CustomStringConvertible {
  let isError: Bool
  let description: String

  init(_ finding: InfoPlistCheck.Finding, path: String) {
    isError = finding.severity == .error
    let sentence = Self.sentence(finding.severity.rawValue, finding.message, finding.check?.rawValue)
    if let place = finding.place {
      description =
        "\(path):\(place): \(sentence)\n"
        + Diagnostic.excerpt(of: finding.sourceLine, column: place.column)
    } else {
      // A binary list has no lines: the way to the value stands in their place.
      let way = finding.path.isEmpty ? "" : "\(finding.path.joined(separator: ".").printable): "
      description = "\(path): \(way)\(sentence)"
    }
  }

  init(_ finding: WaitingTimeCheck.Finding, path: String) {
    isError = finding.severity == .error
    let sentence = Self.sentence(finding.severity.rawValue, finding.message, finding.check.rawValue)
    description =
      "\(path):\(finding.line):\(finding.column): \(sentence)\n"
      + Diagnostic.excerpt(of: finding.sourceLine, column: finding.column)
  }

  private static func sentence(_ severity: String, _ message: String, _ check: String?) -> String {
    "\(severity): \(message.printable)" + (check.map { " [\($0)]" } ?? "")
  }
}
