public import LaunchHTTP
public import LaunchTrace

/// A request that a replay could not answer.
///
/// ```swift
/// for miss in deck.replay({ launch in launch.mark("cold start") }).misses { print(miss) }
/// ```
public struct Miss: Error, Hashable, Sendable {
  /// Why nothing recorded is the answer.
  public enum Reason: Hashable, Sendable {
    /// Nothing recorded resembles the request.
    case neverRecorded
    /// Requests like this one were recorded, and the app has sent as many already; the numbers of the recorded calls.
    case consumed(calls: [Int])
    /// The nearest recorded call and what keeps it from being the answer, one sentence each.
    case different(call: Int, differences: [String])
  }

  /// The request as the app sent it.
  public var request: Request
  public var reason: Reason
  /// When the recording was cut off, so that the answer may be missing only for that; nil for a complete one.
  public var recordingCut: Instant?
  /// What else helps to understand it, one sentence each without a full stop.
  public var notes: [String] = []

  public init(_ request: Request, _ reason: Reason) {
    self.request = request
    self.reason = reason
  }
}

extension Miss: CustomStringConvertible {
  public var description: String {
    let cut = recordingCut.map { ["the recording was cut off at \(seconds($0))"] } ?? []
    return ([sentence] + notes + cut).joined(separator: "; ")
  }

  private var sentence: String {
    let asked = request.summary
    switch reason {
    case .neverRecorded: return "\(asked) was never recorded"
    case .consumed(let calls):
      return "\(asked) was asked for more often than recorded: \(calls.count) of \(calls.count) answers are used "
        + "(\(calls.count == 1 ? "call" : "calls") \(listed(calls.map(String.init))))"
    case .different(let call, let differences):
      return "\(asked) was not recorded like this; the nearest is call \(call), "
        + "which differs in \(count(differences.count, "place")): \(listed(differences, by: "; "))"
    }
  }

  private func listed(_ parts: [String], by separator: String = ", ") -> String {
    let limit = 8
    let rest = parts.count - limit
    return parts.prefix(limit).joined(separator: separator) + (rest > 0 ? " and \(rest) more" : "")
  }
}

/// `1 time`, `2 times`.
func count(_ number: Int, _ noun: String, _ nouns: String? = nil) -> String {
  "\(number) \(number == 1 ? noun : nouns ?? "\(noun)s")"
}

/// `12.345 s`, rounded down.
func seconds(_ instant: Instant) -> String {
  "\(thousandths(instant.microseconds / 1000)) s"
}

/// `1.204` for 1204.
func thousandths(_ number: Int64) -> String {
  let fraction = String(number.magnitude % 1000)
  return
    "\(number < 0 ? "-" : "")\(number.magnitude / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
}
