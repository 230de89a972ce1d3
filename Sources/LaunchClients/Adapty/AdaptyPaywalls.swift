import LaunchHTTP
import LaunchJSON

/// Gets paywalls, from whatever still has one (vendors.md 2.3, 7 and 8, and 2.5).
@MainActor
final class AdaptyPaywalls {
  /// The least time a paywall is given (2.5).
  static let shortestTimeout = Duration.seconds(1)
  /// What may as well be for ever.
  static let longestTimeout = Duration.seconds(86_400)
  /// What is kept back of it for the fallback host (2.5).
  static let keptBack = Duration.milliseconds(500)
  /// What the fallback host gets (2.5).
  static let fallbackTimeout = Duration.milliseconds(500)...Duration.seconds(60)

  /// What is shown when no server has anything.
  var cache: AdaptyPaywallCache

  private let backend: AdaptyBackend
  private let user: AdaptyUser
  private let sync: AdaptySync
  private let phone: Phone
  private let work: AdaptyWork

  init(
    backend: AdaptyBackend, user: AdaptyUser, sync: AdaptySync, phone: Phone, store: LaunchStore, work: AdaptyWork
  ) {
    self.backend = backend
    self.user = user
    self.sync = sync
    self.phone = phone
    self.work = work
    cache = AdaptyPaywallCache(store: store, language: backend.requests.language)
  }

  /// The paywall of the user's segment, from the main host within `timeout` less what is kept back; after a failure of
  /// that server from the fallback host; after that from the cache or the app's file.
  func segmented(_ placement: String, timeout: Duration) async throws -> AdaptyPaywall {
    let deadline = ContinuousClock.now + min(max(timeout, Self.shortestTimeout), Self.longestTimeout)
    do {
      do {
        let limit = deadline - .now - Self.keptBack
        if let paywall = try await work.within(limit, { try await self.fetchSegmented(placement) }) { return paywall }
      } catch let failure as AdaptyFailure {
        guard failure.isOfServer else { throw failure }
      }
      return try await fetch(.fallback, placement, within: deadline - .now)
    } catch {
      return try kept(placement, after: error)
    }
  }

  /// The paywall of the default audience, whoever the user is; after a failure from the cache or the app's file.
  func defaultAudience(_ placement: String) async throws -> AdaptyPaywall {
    do {
      return try await fetch(.configs, placement, within: nil)
    } catch {
      return try kept(placement, after: error)
    }
  }

  /// Asks once more, for the new segment, when the one that was asked for is not the user's any more.
  private func fetchSegmented(_ placement: String) async throws -> AdaptyPaywall {
    let created = try await sync.created.wait()
    let profile = user.profile ?? created
    do {
      return try await fetchSegmented(placement, profile)
    } catch {
      guard error.isWrongSegment else { throw error }
      if user.profile?.segmentHash == profile.segmentHash { try? await sync.update() }
      guard let newest = user.profile, newest.segmentHash != profile.segmentHash else { throw error }
      return try await fetchSegmented(placement, newest)
    }
  }

  private func fetchSegmented(
    _ placement: String, _ profile: AdaptyProfile
  ) async throws(AdaptyFailure) -> AdaptyPaywall {
    let requests = backend.requests
    if let variation = user.crossPlacement?.variation(at: placement) {
      let call = requests.forcedPaywall(
        placement: placement, variation: variation, disablesCache: cacheBreaker, user.session)
      guard let paywall = try await answer(to: call).variation(variation) else { throw .unreadable }
      return cache.keep(paywall)
    }
    let isEligible = user.crossPlacement?.isEligible ?? false
    let variations = try await answer(
      to: requests.segmentedPaywall(
        placement: placement, segmentHash: profile.segmentHash, isEligible: isEligible, disablesCache: cacheBreaker,
        user.session))
    guard let drawn = variations.draw(user.id) else { throw .unreadable }
    return cache.keep(isEligible ? joining(drawn, of: variations) : drawn)
  }

  /// The variation to show, where `drawn` may begin a test over several placements, or one has begun meanwhile.
  private func joining(_ drawn: AdaptyPaywall, of variations: AdaptyVariations) -> AdaptyPaywall {
    guard let known = user.crossPlacement else { return drawn }
    if let variation = known.variation(at: drawn.placement) { return variations.variation(variation) ?? drawn }
    if known.isEligible, let map = variations.crossPlacement(of: drawn) {
      user.take(AdaptyCrossPlacement(variations: map, version: known.version))
    }
    return drawn
  }

  /// The file of the default audience in the user's language, or else in English. Waits for no profile.
  private func fetch(
    _ server: AdaptyCall.Server, _ placement: String, within limit: Duration?
  ) async throws(AdaptyFailure) -> AdaptyPaywall {
    let start = ContinuousClock.now
    let language = backend.requests.language
    do throws(AdaptyFailure) {
      return try await fetch(server, placement, language, within: limit)
    } catch {
      guard case .refused(404, _, _) = error, language != AdaptyRequests.defaultLanguage else { throw error }
      return try await fetch(
        server, placement, AdaptyRequests.defaultLanguage, within: limit.map { $0 - (.now - start) })
    }
  }

  private func fetch(
    _ server: AdaptyCall.Server, _ placement: String, _ language: String, within limit: Duration?
  ) async throws(AdaptyFailure) -> AdaptyPaywall {
    var call = backend.requests.audiencePaywall(
      server, placement: placement, language: language, disablesCache: cacheBreaker)
    if let limit { call.timeout = min(max(limit, Self.fallbackTimeout.lowerBound), Self.fallbackTimeout.upperBound) }
    let variations = try await answer(to: call)
    let forced = server == .fallback ? user.crossPlacement?.variation(at: placement) : nil
    guard let paywall = forced.flatMap(variations.variation) ?? variations.draw(user.id) else { throw .unreadable }
    return user.profile == nil ? paywall : cache.keep(paywall)
  }

  private func answer(to call: AdaptyCall) async throws(AdaptyFailure) -> AdaptyVariations {
    let response = try await backend.answer(to: call)
    guard let variations = response.json.flatMap({ AdaptyVariations(answer: $0) }) else { throw .unreadable }
    return variations
  }

  /// What is there without a server; else `error`, and for an app that has given up `error` in any case.
  private func kept(_ placement: String, after error: any Error) throws -> AdaptyPaywall {
    let isGivenUp = error is CancellationError || (error as? AdaptyFailure)?.isCancelled ?? false
    let kept = isGivenUp ? nil : cache.paywall(placement, profileID: user.id, isKnown: user.profile != nil)
    guard let kept else { throw error }
    return kept
  }

  /// Another text each time, for test users only (2.3, 7).
  private var cacheBreaker: String? {
    guard user.profile?.isTestUser ?? false else { return nil }
    let words = [phone.chance.next(), phone.chance.next()]
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    return formattedUUID(bytes).uppercased()
  }
}
