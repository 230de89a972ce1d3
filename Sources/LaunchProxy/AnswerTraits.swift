import LaunchHTTP
import LaunchTrace

/// What a replay has to know of each exchange before it serves it.
struct AnswerTraits: OptionSet {
  let rawValue: UInt8

  /// No end of it was recorded.
  static let isUnended = AnswerTraits(rawValue: 1)
  /// It had content, and that was not recorded.
  static let isWithoutBody = AnswerTraits(rawValue: 2)
  /// It goes on in another protocol, which was not recorded.
  static let switchesProtocols = AnswerTraits(rawValue: 4)
  /// Its content has an encoding that clients may take or not.
  static let isEncoded = AnswerTraits(rawValue: 8)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ exchange: Exchange) {
    self = []
    if exchange.end == nil { insert(.isUnended) }
    if exchange.recordedContent?.isMissing == true { insert(.isWithoutBody) }
    if exchange.recordedContent?.encoding != nil { insert(.isEncoded) }
    if exchange.response?.head.status == 101 { insert(.switchesProtocols) }
  }
}
