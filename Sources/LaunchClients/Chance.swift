/// The numbers a launch leaves to chance, the same for the same seed: jitter of retries, and nothing else.
///
/// Swift's own generator asks the system for entropy, so a launch that used it could not be repeated.
///
/// ```swift
/// var chance = Chance(seed: 7)
/// let factor = Double.random(in: 0.5...1, using: &chance)
/// ```
public struct Chance: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// - Parameter seed: Any number; neighbours give unrelated sequences.
  public init(seed: UInt64) { state = seed }

  /// The next number: SplitMix64.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
