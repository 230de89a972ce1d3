/// What a stand-in does instead of answering as usual.
///
/// ```swift
/// var script = FaultScript()
/// script.steps.append(.init(calls: [.kind(.adjustSession)], fault: .wait(.seconds(9)), times: 1))
/// ```
public enum Fault: Hashable, Sendable {
  /// Nothing: the usual answer. Lets the first calls through before a later line strikes.
  case pass
  /// A refusal with this status and the vendor's error body. The request has no effect.
  case status(Int, retryAfter: Int? = nil)
  /// The usual answer, so much later.
  case wait(Duration)
  /// The usual answer, its content at this rate.
  case slow(bytesPerSecond: Int)
  /// The connection is closed without an answer. The request has no effect.
  case drop
  /// The connection is reset without an answer. The request has no effect.
  case reset
  /// Nothing is ever answered. The request has no effect.
  case hang
}

extension Fault: CustomStringConvertible {
  /// As a fault script spells it.
  public var description: String {
    switch self {
    case .pass: "pass"
    case .status(let status, nil): "\(status)"
    case .status(let status, let seconds?): "\(status) retry-after \(seconds)"
    case .wait(let delay): "wait \(Int((delay / .milliseconds(1)).rounded())) ms"
    case .slow(let rate): "slow \(rate) B/s"
    case .drop: "drop"
    case .reset: "reset"
    case .hang: "hang"
    }
  }
}
