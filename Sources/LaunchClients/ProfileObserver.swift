import LaunchJSON
public import LaunchTrace

/// Hears every profile the delegate is given, and lets others wait for one.
///
/// ```swift
/// let observer = ProfileObserver(marks: tap)
/// adapty.delegate = observer.receive
/// await observer.waitForAppleAds()
/// ```
@MainActor
public final class ProfileObserver {
  private let marks: (any MarkSink)?
  private var newest: AdaptyProfile?
  private var listeners: [Int: AsyncStream<AdaptyProfile>.Continuation] = [:]
  private var count = 0

  /// - Parameter marks: Hears of each profile, with its sources.
  public init(marks: (any MarkSink)? = nil) { self.marks = marks }

  /// The delegate's callback.
  public func receive(_ profile: AdaptyProfile) {
    newest = profile
    marks?.mark(Mark("profile received", ["sources": .array(profile.attributionSources.map(JSON.string))]))
    for listener in listeners.values { listener.yield(profile) }
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
