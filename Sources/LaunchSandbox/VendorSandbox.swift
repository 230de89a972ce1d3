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
  /// What goes wrong; each request uses up a turn.
  public var faults = FaultScript()
  private var pace: Pace

  /// Servers of all vendors with their usual data, which know no user, device or profile yet.
  public init(latency: LatencyProfile = .typical, faults: FaultScript = FaultScript()) {
    self.init(
      oneSignal: OneSignalSandbox(latency: latency), adjust: AdjustSandbox(latency: latency),
      adapty: AdaptySandbox(latency: latency), motiSig: MotiSigSandbox(latency: latency), latency: latency)
    self.faults = faults
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

  /// Which call `request` is; `unknown` when no stand-in has an answer for it.
  public static func call(of request: Request) -> VendorCall {
    let host = request.location.host
    if OneSignalSandbox.isHost(host) { return OneSignalSandbox.call(of: request) }
    if AdjustSandbox.isHost(host) { return AdjustSandbox.call(of: request) }
    if AdaptySandbox.isHost(host) { return AdaptySandbox.call(of: request) }
    if MotiSigSandbox.isHost(host) { return MotiSigSandbox.call(of: request) }
    return .unknown
  }

  /// Answers any request: a wrong one with the vendor's error, one to an unknown host with 421.
  public mutating func respond(to request: Request) -> Answer {
    let host = request.location.host
    let fault = faults.next(for: Self.call(of: request), request)
    if OneSignalSandbox.isHost(host) { return oneSignal.answer(request, fault) }
    if AdjustSandbox.isHost(host) { return adjust.answer(request, fault) }
    if AdaptySandbox.isHost(host) { return adapty.answer(request, fault) }
    if MotiSigSandbox.isHost(host) { return motiSig.answer(request, fault) }
    return pace.answer(Reply(["error": .string("no stand-in answers for host \(host)")], status: 421), to: .unknown)
  }
}
