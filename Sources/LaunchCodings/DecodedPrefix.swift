/// What could be decoded of content that may be broken or cut off.
public struct DecodedPrefix: Hashable, Sendable {
  /// The content up to the fault; all of it when there is none.
  public var content: [UInt8]
  /// Why there is no more; nil when the encoding ends as it should.
  public var fault: CodingError?
  /// Whether nothing that the encoded bytes hold is missing from `content`: they were cut off, or no more than the checksum
  /// behind them is wrong.
  public var isRead: Bool
}
