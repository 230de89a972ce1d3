import LaunchJSON
public import LaunchTrace

/// Loads the paywall of a placement: the segment's if Apple Ads' attribution arrives in time, else the default one
/// (launch-flow.md section 5).
///
/// ```swift
/// let loader = PaywallLoader(adapty: adapty, observer: observer, marks: tap)
/// let paywall = try await loader.getPaywallOrDefault(placement: "onboarding", timeout: .seconds(5))
/// ```
@MainActor
public final class PaywallLoader {
  /// The two ways of the guides.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Both paywalls are asked for, and the segment's is taken if it can be had in time.
    case race
    /// Only the segment's is asked for, with or without the attribution.
    case simple
  }

  /// Which paywall it became.
  public enum Source: String, Hashable, Sendable {
    case segmented, `default`
    /// The one the app brings along; as published in simple mode only.
    case fallback
  }

  /// What came of a load.
  public struct Loaded: Hashable, Sendable {
    public var source: Source
    /// Nil for the one the app brings along.
    public var paywall: AdaptyPaywall?
  }

  private struct TimeoutError: Error {}

  private let adapty: AdaptyClient
  private let observer: ProfileObserver
  private let marks: (any MarkSink)?
  private let edition: LaunchEdition
  private let tasks = TaskBag()

  /// - Parameter observer: Has to be the delegate of `adapty`, or nothing is ever attributed.
  public init(
    edition: LaunchEdition = .published, adapty: AdaptyClient, observer: ProfileObserver,
    marks: (any MarkSink)? = nil
  ) {
    self.edition = edition
    self.adapty = adapty
    self.observer = observer
    self.marks = marks
  }

  /// Loads in one of the two modes.
  /// - Throws: as `getPaywallOrDefault` in race mode, only `CancellationError` in simple mode.
  public func load(_ mode: Mode, placement: String, timeout: Duration) async throws -> Loaded {
    switch mode {
    case .race: try await getPaywallOrDefault(placement: placement, timeout: timeout)
    case .simple: try await getPaywallAfterAttribution(placement: placement, timeout: timeout)
    }
  }

  /// Race mode. The default paywall is asked for at once; beside it the segment's as soon as the attribution is there.
  ///
  /// The segment's wins if it is complete within `timeout`, and cancels the rest. Otherwise the default one is waited
  /// for, however long that takes, with no second request.
  ///
  /// As published, two things happen that one might not expect. The cancelled wait for the attribution ends like a
  /// successful one, and its next statement still asks for the segment's paywall, in a cancelled task (Q12). And when
  /// the segment's request fails, that error is thrown while the default request runs on (3c). In the strict edition the
  /// cancelled wait ends the task, a failed segment's request leaves the decision to the default one, and when that fails
  /// as well the app shows its own (R53).
  /// - Throws: As published `ClientError` of the request that decided, `CancellationError` when the task is cancelled.
  public func getPaywallOrDefault(placement: String, timeout: Duration) async throws -> Loaded {
    markRequest(.race, placement, timeout)
    let adapty = adapty
    let defaultPaywall = tasks.start { try await adapty.getPaywallForDefaultAudience(placement: placement) }
    do {
      let paywall = try await segmentedPaywall(placement: placement, within: timeout)
      defaultPaywall.cancel()
      return Loaded(source: .segmented, paywall: paywall)
    } catch  where error is TimeoutError || edition == .strict {
      try Task.checkCancellation()
      let paywall = await withTaskCancellationHandler {
        await defaultPaywall.result
      } onCancel: {
        defaultPaywall.cancel()
      }
      if edition == .strict, case .failure = paywall {
        try Task.checkCancellation()
        return Loaded(source: .fallback, paywall: nil)
      }
      return Loaded(source: .default, paywall: try paywall.get())
    }
  }

  /// Returns when no request is left running.
  public func settle() async { await tasks.drain() }

  /// Cancels every call and wait that is under way.
  public func stop() { tasks.cancelAll() }

  /// Simple mode. Waits for the attribution or `timeout`, whatever comes first, then asks once for the segment's
  /// paywall; if that fails the app shows its own.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func getPaywallAfterAttribution(placement: String, timeout: Duration) async throws -> Loaded {
    markRequest(.simple, placement, timeout)
    let observer = observer
    let isAttributed = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await observer.waitForAppleAds()
        return true
      }
      group.addTask {
        try? await Task.sleep(for: timeout)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    try Task.checkCancellation()
    if !isAttributed { marks?.mark("paywall timeout") }
    do {
      return Loaded(source: .segmented, paywall: try await adapty.getPaywall(placement: placement))
    } catch {
      try Task.checkCancellation()
      return Loaded(source: .fallback, paywall: nil)
    }
  }

  /// The two children of race mode: the first to end decides, and the other is cancelled.
  private func segmentedPaywall(placement: String, within timeout: Duration) async throws -> AdaptyPaywall {
    let (adapty, observer, edition, tasks) = (adapty, observer, edition, tasks)
    return try await withThrowingTaskGroup(of: AdaptyPaywall.self) { group in
      group.addTask {
        await observer.waitForAppleAds()
        if edition == .strict {
          try Task.checkCancellation()
          return try await adapty.getPaywall(placement: placement)
        }
        // A naive client, which does not notice the cancellation: the request leaves all the same, and this task, and with
        // it the group, ends with its answer (Q12).
        return try await tasks.start { try await adapty.getPaywall(placement: placement) }.value
      }
      group.addTask {
        try await Task.sleep(for: timeout)
        throw TimeoutError()
      }
      // Whoever has lost is cancelled before it is waited for.
      defer { group.cancelAll() }
      do {
        guard let first = try await group.next() else { throw CancellationError() }
        return first
      } catch let error as TimeoutError {
        marks?.mark("paywall timeout")
        throw error
      }
    }
  }

  private func markRequest(_ mode: Mode, _ placement: String, _ timeout: Duration) {
    let milliseconds = JSON.integer(timeout.wholeMilliseconds)
    marks?.mark(
      Mark(
        "paywall requested",
        ["mode": .string(mode.rawValue), "placement": .string(placement), "timeout": milliseconds]))
  }
}
