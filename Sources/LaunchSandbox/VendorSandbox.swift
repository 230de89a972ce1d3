public import LaunchHTTP
import LaunchJSON

/// All vendors' servers as one value, told apart by the host of the request.
///
/// ```swift
/// let sandbox = Mutex(VendorSandbox(latency: .lan))
/// let transport = AnswerTransport { request in sandbox.withLock { $0.respond(to: request) } }
/// ```
///
/// The same requests in the same order get the same answers, in every process: there is no clock and no chance in it.
/// `http` and `https` mean the same here.
public struct VendorSandbox: Sendable {
  public var oneSignal: OneSignalSandbox
  public var adjust: AdjustSandbox
  public var adapty: AdaptySandbox
  public var motiSig: MotiSigSandbox
  private var pace: Pace

  /// Servers of all vendors with their usual data, which know no user, device or profile yet.
  public init(latency: LatencyProfile = .typical) {
    self.init(
      oneSignal: OneSignalSandbox(latency: latency), adjust: AdjustSandbox(latency: latency),
      adapty: AdaptySandbox(latency: latency), motiSig: MotiSigSandbox(latency: latency), latency: latency)
  }

  /// - Parameter latency: Times the answers to unknown hosts only; each vendor has its own.
  public init(
    oneSignal: OneSignalSandbox, adjust: AdjustSandbox, adapty: AdaptySandbox,
    motiSig: MotiSigSandbox = MotiSigSandbox(), latency: LatencyProfile = .typical
  ) {
    self.oneSignal = oneSignal
    self.adjust = adjust
    self.adapty = adapty
    self.motiSig = motiSig
    pace = Pace(latency)
  }

  /// The vendors, and the hosts that have an answer for each.
  public static let vendors: [(name: String, hosts: [String])] = [
    ("OneSignal", OneSignalSandbox.hosts), ("Adjust", AdjustSandbox.hosts), ("Adapty", AdaptySandbox.hosts),
    ("MotiSig", MotiSigSandbox.hosts),
  ]

  /// Every host that has an answer, in the order of the vendors; enough for a route table.
  public static let hosts = vendors.flatMap(\.hosts)

  /// Answers any request: a wrong one with the vendor's error, one to an unknown host with 421.
  public mutating func respond(to request: Request) -> Answer {
    let host = request.location.host
    if OneSignalSandbox.isHost(host) { return oneSignal.respond(to: request) }
    if AdjustSandbox.isHost(host) { return adjust.respond(to: request) }
    if AdaptySandbox.isHost(host) { return adapty.respond(to: request) }
    if MotiSigSandbox.isHost(host) { return motiSig.respond(to: request) }
    return pace.answer(Reply(["error": .string("no stand-in answers for host \(host)")], status: 421), to: .unknown)
  }
}
