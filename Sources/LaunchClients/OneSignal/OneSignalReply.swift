import LaunchHTTP
import LaunchJSON

/// What became of one of OneSignal's requests, as the SDK tells outcomes apart.
struct OneSignalReply: Hashable, Sendable {
  /// The classes of statuses (vendors.md 3.4).
  enum Outcome: Hashable, Sendable {
    case accepted
    /// 400 and 402: never sent again.
    case invalid
    /// 401 and 403.
    case unauthorized
    /// 404 and 410: what the request is about is gone.
    case missing
    /// 409: somebody else has it.
    case conflict
    /// Everything else, 429 and no answer at all included: sent again later.
    case retryable
  }

  /// 0 when no complete answer arrived.
  var status = 0
  var fields: Fields = [:]
  /// Nil when the body is none.
  var json: JSON?

  /// A replay has no answer: never asked again.
  var isMiss = false

  static let missed = OneSignalReply(isMiss: true)
  /// No complete answer arrived, or none was asked for.
  static let none = OneSignalReply()

  /// Whether the transport itself tries again: 5xx or no answer (vendors.md 3.4).
  var isServersFault: Bool { !isMiss && (status == 0 || status >= 500) }

  var outcome: Outcome {
    switch status {
    case 200...299: .accepted
    case 400, 402: .invalid
    case 401, 403: .unauthorized
    case 404, 410: .missing
    case 409: .conflict
    case 0 where isMiss: .invalid
    default: .retryable
    }
  }

  /// The whole number that header line `name` carries; nil unless it is above 0.
  func positive(_ name: String) -> Int64? {
    guard let number = fields[name]?.trimmed.flatMap({ Int64($0) }), number > 0 else { return nil }
    return number
  }
}

extension OneSignalReply {
  init(_ response: Response) {
    self.init(status: response.status, fields: response.fields, json: response.json)
  }
}
