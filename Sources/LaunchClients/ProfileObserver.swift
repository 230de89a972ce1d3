/// Hears every profile the delegate is given, and lets others wait for one.
///
/// ```swift
/// let observer = ProfileObserver()
/// adapty.delegate = observer.receive
/// await observer.waitForAppleAds()
/// ```
@MainActor
public final class ProfileObserver {
  private var newest: AdaptyProfile?
  private var listeners: [Int: AsyncStream<AdaptyProfile>.Continuation] = [:]
  private var count = 0

  /// One that has heard nothing yet.
  public init() {}

  /// The delegate's callback.
  public func receive(_ profile: AdaptyProfile) {
    newest = profile
    // In the order in which they came: that of a dictionary would be another in every run.
    for (_, listener) in listeners.sorted(by: { $0.key < $1.key }) { listener.yield(profile) }
  }

  /// The newest profile, if there is one, and each later one, until the task that reads them is cancelled.
  public var profiles: AsyncStream<AdaptyProfile> {
    let (stream, continuation) = AsyncStream.makeStream(of: AdaptyProfile.self)
    count += 1
    let id = count
    listeners[id] = continuation
    continuation.onTermination = { _ in Task { @MainActor in self.listeners[id] = nil } }
    if let newest { continuation.yield(newest) }
    return stream
  }

  /// Returns when Apple Ads is among the attribution sources, at once if it is already (R50); also when the task is
  /// cancelled, because a stream of values then simply ends (Q12).
  public func waitForAppleAds() async {
    for await profile in profiles where profile.hasAppleAds { return }
  }
}
