import LaunchHTTP

/// When the parts of a stand-in's answers are due, for each kind of call.
///
/// ```swift
/// var profile = LatencyProfile.typical
/// profile.timings[.adjustSession] = LatencyProfile.Timing(head: .seconds(4))
/// let sandbox = VendorSandbox(latency: profile)
/// ```
///
/// The n-th answer to a kind of call has the same offsets in every run with the same seed, whatever was asked in between.
public struct LatencyProfile: Hashable, Sendable {
  /// When the parts of one answer are due, counted from the complete request.
  public struct Timing: Hashable, Sendable {
    /// Until the status line.
    public var head: Duration
    /// Into how many pieces of about equal size the body is cut; a shorter body has fewer.
    public var pieces: Int
    /// From the head to the first piece, and from one piece to the next. The end comes with the last piece.
    public var spacing: Duration

    public init(head: Duration, pieces: Int = 1, spacing: Duration = .zero) {
      self.head = head
      self.pieces = pieces
      self.spacing = spacing
    }
  }

  /// What it is called. `init(named:)` finds only those of `all`.
  public var name: String
  /// The timing of each kind of call; `other` times the rest.
  public var timings: [VendorCall: Timing]
  /// Of these kinds of call each answer has one of several timings, drawn by the seed; they come before `timings`.
  public var samples: [VendorCall: [Timing]] = [:]
  /// The timing of calls that neither names.
  public var other: Timing
  /// How far an answer may be faster or slower than its timing, in percent from 0 to 100.
  public var jitterPercent: Int
  /// Decides the jitter of each answer; without jitter it changes nothing.
  public var seed: UInt64

  public init(
    name: String, timings: [VendorCall: Timing] = [:], other: Timing, jitterPercent: Int = 0, seed: UInt64 = 1
  ) {
    self.name = name
    self.timings = timings
    self.other = other
    self.jitterPercent = jitterPercent
    self.seed = seed
  }

  /// The profile of that name, nil when there is none.
  public init?(named name: String) {
    guard let profile = Self.all.first(where: { $0.name == name }) else { return nil }
    self = profile
  }

  /// The named profiles.
  public static let all = [lan, typical, edge]

  /// A machine in the same room: a few milliseconds, but never zero.
  public static let lan = LatencyProfile(
    name: "lan",
    timings: [
      .oneSignalMessagePage: Timing(head: .milliseconds(3), pieces: 6, spacing: .milliseconds(1)),
      .adaptySegmentedPaywall: Timing(head: .milliseconds(4), pieces: 4, spacing: .milliseconds(1)),
      .adaptyDefaultPaywall: Timing(head: .milliseconds(3), pieces: 4, spacing: .milliseconds(1)),
    ],
    other: Timing(head: .milliseconds(2), spacing: .microseconds(200)), jitterPercent: 10)

  /// A phone on a good mobile network, `4g`: invented, but each number is one a launch has to live with.
  public static let typical = LatencyProfile(
    name: "4g",
    timings: [
      .oneSignalParameters: Timing(head: .milliseconds(95)),
      .oneSignalCreateUser: Timing(head: .milliseconds(340), spacing: .milliseconds(1)),
      .oneSignalMessages: Timing(head: .milliseconds(160), spacing: .milliseconds(2)),
      .oneSignalMessagePage: Timing(head: .milliseconds(110), pieces: 6, spacing: .milliseconds(24)),
      .adjustSession: Timing(head: .milliseconds(260)),
      .adjustClick: Timing(head: .milliseconds(290)),
      .adaptyNetConfig: Timing(head: .milliseconds(70)),
      .adaptyCreateProfile: Timing(head: .milliseconds(310), spacing: .milliseconds(1)),
      .adaptyAppleAds: Timing(head: .milliseconds(780), spacing: .milliseconds(1)),
      .adaptySegmentedPaywall: Timing(head: .milliseconds(230), pieces: 4, spacing: .milliseconds(17)),
      .adaptyDefaultPaywall: Timing(head: .milliseconds(90), pieces: 4, spacing: .milliseconds(9)),
      .ipLookup: Timing(head: .milliseconds(140)),
    ],
    other: Timing(head: .milliseconds(180)), jitterPercent: 15)

  /// The same phone at the edge of the network, where everything takes eight times as long and more chance.
  public static let edge: LatencyProfile = {
    func slower(_ timing: Timing) -> Timing {
      Timing(head: timing.head * 8, pieces: timing.pieces, spacing: timing.spacing * 8)
    }
    var edge = typical
    edge.name = "edge"
    edge.timings = typical.timings.mapValues(slower)
    edge.other = slower(typical.other)
    edge.jitterPercent = 40
    return edge
  }()

  /// The answer that says `reply` as the `number`-th one to `call`.
  func answer(_ reply: Reply, to call: VendorCall, number: Int) -> Answer {
    let timing = timing(of: call, number)
    let permille = self.permille(call, number)
    let bounds = pieces(of: reply.body.count, timing.pieces)
    var head = ResponseHead(status: reply.status, fields: reply.fields)
    // A body in several pieces is one whose length the sender does not know yet.
    if bounds.count < 2 { head.fields.append("Content-Length", "\(reply.body.count)") }
    func offset(_ piece: Int) -> Duration { max(.zero, (timing.head + timing.spacing * piece) * permille / 1000) }
    let chunks = bounds.enumerated().map { index, range in
      Answer.TimedPart(at: offset(index + 1), .chunk(Chunk(reply.body[range])))
    }
    let end = Answer.TimedPart(at: offset(bounds.count), .end(Ending()))
    return Answer(parts: [Answer.TimedPart(at: offset(0), .head(head))] + chunks + [end])
  }

  private func timing(of call: VendorCall, _ number: Int) -> Timing {
    guard let samples = samples[call], !samples.isEmpty else { return timings[call] ?? other }
    return samples[Int(mixed(random(call, number)) % UInt64(samples.count))]
  }

  /// The factor of one answer's delays.
  private func permille(_ call: VendorCall, _ number: Int) -> Int {
    let jitter = 10 * min(max(jitterPercent, 0), 100)
    return 1000 - jitter + Int(random(call, number) % UInt64(2 * jitter + 1))
  }

  private func random(_ call: VendorCall, _ number: Int) -> UInt64 {
    mixed(seed ^ mixed(fingerprint(of: call.rawValue) &+ UInt64(truncatingIfNeeded: number)))
  }
}

/// `count` bytes in at most `most` ranges whose sizes differ by one at most.
private func pieces(of count: Int, _ most: Int) -> [Range<Int>] {
  let number = min(max(most, 1), count)
  let cuts = (0...number).map { number == 0 ? 0 : count / number * $0 + min($0, count % number) }
  return zip(cuts, cuts.dropFirst()).map { $0..<$1 }
}

/// FNV-1a.
private func fingerprint(of text: String) -> UInt64 {
  text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

/// The finishing step of SplitMix64: every bit of the input changes about half of the output.
private func mixed(_ value: UInt64) -> UInt64 {
  var value = value &+ 0x9e37_79b9_7f4a_7c15
  value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
  value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
  return value ^ (value >> 31)
}
