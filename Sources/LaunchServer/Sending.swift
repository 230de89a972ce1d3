import CPlatform

/// What became of bytes to be sent.
enum Sent {
  case sent(Int)
  /// There is no room for now.
  case full
  case broken
}

/// Sends as many of `first`, which are not empty, and then of `second` as there is room for, without waiting.
/// - Parameter isFollowed: Whether more bytes come at once, so that a small packet may wait for them.
func transmit(
  _ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8> = [], to descriptor: Int32, isFollowed: Bool
) -> Sent {
  let count = unsafe first.withUnsafeBytes { first in
    unsafe second.withUnsafeBytes { second in
      unsafe launch_send(
        descriptor, first.baseAddress, first.count, second.baseAddress, second.count, isFollowed ? 1 : 0)
    }
  }
  return count > 0 ? .sent(count) : launch_is_unready(count) != 0 ? .full : .broken
}
