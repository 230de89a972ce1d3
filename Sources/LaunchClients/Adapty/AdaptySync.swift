import LaunchHTTP
import LaunchJSON

/// Keeps the user's profile as the server has it (vendors.md 2.3, 2, 4 and 5).
@MainActor
final class AdaptySync {
  /// Before a profile that could not be created is tried again (2.5).
  static let creationPause = Duration.milliseconds(100)

  /// The first profile of this process, which much has to wait for: on a later launch it is there from the start.
  let created = Milestone<AdaptyProfile>()
  /// Hears each profile that an answer has brought, and that of an earlier launch.
  var onProfile: @MainActor (AdaptyProfile) -> Void = { _ in }
  /// The device's address once it has been looked up.
  var address: String?

  private let backend: AdaptyBackend
  private let user: AdaptyUser
  private let phone: Phone
  private let events: AdaptyEvents
  private let work: AdaptyWork
  private let customer: String?

  init(
    backend: AdaptyBackend, user: AdaptyUser, phone: Phone, events: AdaptyEvents, work: AdaptyWork, customer: String?
  ) {
    self.backend = backend
    self.user = user
    self.phone = phone
    self.events = events
    self.work = work
    self.customer = customer
  }

  /// Creates the profile, or uses the one that is there; a user who has got another name is created like a new one.
  func start() {
    if let profile = user.profile, customer == nil || customer == profile.customerUserID {
      begin(profile)
      work.start { try await self.update() }
    } else {
      work.start {
        do { try await self.create() } catch {
          self.created.finish(.failure(ClientError.missing("create profile")))
          throw error
        }
      }
    }
  }

  /// PATCH when there is something to send (`address`, or the environment once a process), else GET.
  ///
  /// The environment counts as sent with the request, so that two at once do not both carry it, and as not sent again
  /// when that fails.
  func update(address: String? = nil) async throws(AdaptyFailure) {
    let session = user.session
    let known = user.environment
    let environment = needsEnvironment ? self.environment : nil
    if let environment { user.environment = environment.sent }
    let call =
      environment == nil && address == nil
      ? backend.requests.fetchProfile(session)
      : backend.requests.updateProfile(session, environment, address: address)
    do throws(AdaptyFailure) {
      try take(try await backend.answer(to: call), sent: session)
    } catch {
      if environment != nil { user.environment = known }
      throw error
    }
  }

  /// For ever, whatever the failure (2.5); but no replay has anything more to say after a miss.
  private func create() async throws {
    while true {
      do throws(AdaptyFailure) {
        begin(try await tryCreating())
        return
      } catch {
        if error.isMiss { return created.finish(.failure(error.clientError("create profile"))) }
        try Task.checkCancellation()
        try await work.waitBeforeRetry(Self.creationPause)
      }
    }
  }

  /// When the server knows the user by another id, it is also asked which tests they take part in (2.3, 2).
  private func tryCreating() async throws(AdaptyFailure) -> AdaptyProfile {
    let environment = environment
    let session = AdaptyRequests.Session(profileID: user.id)
    let response = try await backend.answer(
      to: backend.requests.createProfile(session, environment, customer: customer))
    guard let profile = response.json.flatMap(AdaptyProfile.init(answer:)) else { throw .unreadable }
    var crossPlacement = AdaptyCrossPlacement.new
    if profile.id != user.id {
      let other = AdaptyRequests.Session(profileID: profile.id)
      let answer = try await backend.answer(to: backend.requests.crossPlacement(other))
      guard let known = answer.json?["data"].flatMap(AdaptyCrossPlacement.init) else { throw .unreadable }
      crossPlacement = known
    }
    user.adopt(profile, hash: response.fields["x-response-hash"], crossPlacement)
    user.environment = environment.sent
    return profile
  }

  /// The profile exists: the delegate hears of it, and what has waited for it goes on.
  private func begin(_ profile: AdaptyProfile) {
    onProfile(profile)
    work.start { try await self.reportAppleAds() }
    events.open()
    created.finish(.success(profile))
  }

  /// Once a profile, and not tried again in this process (2.3, 4). The event names the token as well.
  private func reportAppleAds() async throws {
    guard !user.hasSentAppleAds, let token = try await phone.adServicesToken() else { return }
    events.addSystemEvent("apple_response_fetchASAToken", ["token": .string(token), "success": true])
    let session = user.session
    try take(try await backend.answer(to: backend.requests.appleAds(token: token, session)), sent: session)
    user.hasSentAppleAds = true
  }

  private func take(_ response: Response, sent session: AdaptyRequests.Session) throws(AdaptyFailure) {
    if let profile = try user.take(response, sentHash: session.responseHash) { onProfile(profile) }
  }

  private var environment: AdaptyRequests.Environment {
    AdaptyRequests.Environment(status: phone.trackingStatus, address: address)
  }

  /// Again when the advertising identifier can be had that was not to be had before.
  private var needsEnvironment: Bool {
    switch user.environment {
    case .unknown: true
    case .withoutIDFA: phone.trackingStatus == .authorized
    case .withIDFA: false
    }
  }
}

extension AdaptyRequests.Environment {
  fileprivate var sent: AdaptyUser.Environment { status == .authorized ? .withIDFA : .withoutIDFA }
}
