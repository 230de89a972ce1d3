public import LaunchHTTP

/// Why a vendor's client could not do what it was asked.
///
/// ```swift
/// do { paywall = try await adapty.getPaywall(placement: "onboarding") } catch { print(error) }
/// ```
public enum ClientError: Error, Hashable, Sendable {
  /// No complete response arrived.
  case transport(TransportError)
  /// The vendor refused with this status.
  case status(Int)
  /// The answer to the named call is not what it has to be.
  case unreadable(String)
  /// Nothing can be asked before the named call has succeeded, and it has failed.
  case missing(String)
  /// An earlier answer of the vendor forbids the named call for now, so it was not made.
  case banned(String)
}

extension ClientError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .transport(let error): "the request failed: \(error)"
    case .status(let status): "the vendor answered \(status)"
    case .unreadable(let call): "the answer to \(call) cannot be read"
    case .missing(let call): "\(call) has not succeeded"
    case .banned(let call): "the vendor wants no \(call) for now"
    }
  }
}
