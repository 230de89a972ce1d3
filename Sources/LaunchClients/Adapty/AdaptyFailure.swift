import LaunchHTTP
import LaunchJSON

/// Why a call of Adapty's SDK did not succeed, as far as it decides what comes next (vendors.md 2.5).
enum AdaptyFailure: Error, Hashable, Sendable {
  /// What an answer forbids for a time.
  enum Ban: Hashable, Sendable {
    /// Every call to this kind of server, for the rest of the process.
    case server
    /// The same call until then.
    case call(until: WallTime)
  }

  /// No complete answer.
  case transport(TransportError)
  /// An answer that is no success.
  case refused(status: Int, codes: [String] = [], ban: Ban? = nil)
  /// A success without what it has to hold.
  case unreadable
  /// Not sent: an earlier answer forbids it, or there is no host.
  case banned

  /// What is wrong with `response`, which came now; nil when it is a success.
  init?(_ response: Response, now: WallTime) {
    switch response.status {
    case 401: self = .refused(status: 401, ban: .server)
    case 429:
      let wait = response.fields["retry-after"].flatMap(Double.init)
      self = .refused(status: 429, ban: wait.map { .call(until: now + $0) })
    case 444:
      let minutes = Double(String(decoding: response.body, as: UTF8.self))
      self = .refused(status: 444, ban: .call(until: now + (minutes.map { $0 * 60 } ?? Self.longestBan)))
    default:
      let codes = response.json.map(Self.codes) ?? []
      if codes.isEmpty && (200...299).contains(response.status) { return nil }
      self = .refused(status: response.status, codes: codes)
    }
  }

  /// Whether the segment that was asked for is not the profile's.
  var isWrongSegment: Bool {
    if case .refused(_, let codes, _) = self { codes.contains("INCORRECT_SEGMENT_HASH_ERROR") } else { false }
  }

  /// Whether another main host may do better (2.1).
  var isOfHost: Bool {
    switch self {
    case .transport(let error): [.dns, .refused, .connect, .timeout, .tls].contains(error.reason)
    case .refused(let status, _, _): [503, 520, 524, 526].contains(status)
    case .unreadable, .banned: false
    }
  }

  /// Whether the fallback host is asked for a paywall (2.5).
  var isOfServer: Bool {
    switch self {
    case .transport(let error): error.reason == .timeout
    case .refused(let status, _, _): status == 499 || (500...599).contains(status)
    case .unreadable, .banned: false
    }
  }

  /// Whether the installation is registered again (2.5). Of the failures without an answer these are the ones that
  /// AdaptySDK-iOS 3.17 counts to the network (`HTTPError.swift`).
  var isWorthRegisteringAgain: Bool {
    switch self {
    case .transport(let error): error.isOfNetwork
    case .refused(let status, _, _): status == 429 || status == 499 || !(400...499).contains(status)
    case .unreadable: true
    case .banned: false
    }
  }

  var isMiss: Bool { if case .transport(let error) = self { error.isMiss } else { false } }

  var isCancelled: Bool { if case .transport(let error) = self { error.reason == .cancelled } else { false } }

  /// What an app is told about the call of that name.
  func clientError(_ call: String) -> ClientError {
    switch self {
    case .transport(let error): .transport(error)
    case .refused(let status, _, _): .status(status)
    case .unreadable: .unreadable(call)
    case .banned: .banned(call)
    }
  }

  /// 24 h, in seconds (2.5).
  private static let longestBan = 86_400.0

  /// The three shapes of 2.5, of which the first that is there counts.
  private static func codes(of body: JSON) -> [String] {
    if let code = body["error_code"]?.string { return [code] }
    if let details = body["detail"]?.array?.nonEmpty { return details.compactMap { $0["type"]?.string } }
    return (body["errors"]?.array ?? []).compactMap { $0["code"]?.string }
  }
}

extension TransportError {
  /// Whether the network is to blame rather than the other side or the time.
  var isOfNetwork: Bool { [.dns, .refused, .connect, .reset, .truncated].contains(reason) }
}

extension WallTime {
  /// `seconds` later, or earlier; at most a century, which no number from outside can exceed.
  static func + (time: WallTime, seconds: Double) -> WallTime {
    let century = 3_155_760_000.0
    let bounded = seconds.isNaN ? 0 : min(max(seconds, -century), century)
    return WallTime(milliseconds: time.milliseconds &+ Int64((bounded * 1000).rounded()))
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
