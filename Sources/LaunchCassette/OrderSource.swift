import LaunchJSON

/// What the order of a cassette's events was taken from.
public enum OrderSource: String, Hashable, Sendable {
  /// The recorder's own lock: what stands first happened first.
  case recorded
  /// Times of another clock, such as those of a log: what lies close together has no known order.
  case time
}

extension CassetteHeader {
  /// The member `order`, which stands only where it is `time`.
  public var order: OrderSource {
    get { unknown["order"]?.string.flatMap(OrderSource.init) ?? .recorded }
    set { unknown["order"] = newValue == .recorded ? nil : Optional(.string(newValue.rawValue)) }
  }
}
