package import LaunchHTTP
package import LaunchJSON

/// A request that Adjust's SDK has made up its mind to send: what was true when it was made, and how sending it has
/// gone.
///
/// What is true at the moment of sending is added by `AdjustRequests`.
package struct AdjustPackage: Hashable, Sendable {
  /// The calls of vendors.md 1.3, by the last part of their path.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case session, attribution
    case click = "sdk_click"
    case info = "sdk_info"

    package var path: String { "/\(rawValue)" }
  }

  package let kind: Kind
  /// In the order of the wire, nothing empty among it.
  package var form: FormPairs
  /// How many hosts did not answer, over all tries.
  package private(set) var errorCount: Int64 = 0
  /// The first and the newest further code of a failed transfer; an answer that is no JSON has none.
  package private(set) var firstError: Int64?
  package private(set) var lastError: Int64?
  /// How long the package has waited between its tries.
  package var waited = Duration.zero

  package init(_ kind: Kind, _ form: FormPairs) {
    self.kind = kind
    self.form = form
  }

  /// Notes that a host did not answer.
  /// - Parameter code: What the system calls the failure; nil when there was an answer, but none to use.
  package mutating func addError(_ code: Int64?) {
    errorCount = errorCount.saturatedSum(1)
    if firstError == nil { firstError = code } else { lastError = code }
  }
}

extension AdjustPackage {
  /// As the store keeps it.
  package var json: JSON {
    var object: JSONObject = ["kind": .string(kind.rawValue), "form": .string(form.text)]
    if errorCount != 0 { object["errors"] = .integer(errorCount) }
    object["first_error"] = firstError.map(JSON.integer)
    object["last_error"] = lastError.map(JSON.integer)
    if waited != .zero { object["waited"] = .integer(waited.wholeMilliseconds) }
    return .object(object)
  }

  /// Nil when `json` is no package.
  package init?(_ json: JSON) {
    guard let kind = json["kind"]?.string.flatMap(Kind.init), let form = json["form"]?.string else { return nil }
    self.init(kind, FormPairs(parsing: form))
    errorCount = json["errors"]?.integer ?? 0
    firstError = json["first_error"]?.integer
    lastError = json["last_error"]?.integer
    waited = .milliseconds(json["waited"]?.integer ?? 0)
  }
}

extension Int64 {
  /// The sum, or the nearest number there is.
  func saturatedSum(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest number there is.
  func saturatedDifference(_ other: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
