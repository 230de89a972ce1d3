import LaunchHTTP
import LaunchJSON

/// What the SDK fetches and reports once a process, beside the profile and in no order with it (vendors.md 2.3, 3).
@MainActor
final class AdaptyErrands {
  /// Between two tries for the products (2.5).
  static let productsPause = Duration.seconds(2)
  /// Before the n-th retry of the address n seconds pass, but no more than these (2.3, 3).
  static let longestAddressPause = 10
  /// How often the installation is registered again (2.5).
  static let installRetries = 10
  /// Full jitter over a second that doubles with each retry, the first one included (2.5; AdaptySDK-iOS 3.17,
  /// `RegisterInstallRequest.swift`).
  static let installBackoff = Backoff(
    first: .seconds(2), limit: .seconds(30), spread: 0...1, floor: .milliseconds(500))

  private let transport: any Transport
  private let backend: AdaptyBackend
  private let user: AdaptyUser
  private let sync: AdaptySync
  private let phone: Phone
  private let store: LaunchStore
  private let work: AdaptyWork
  private var isRegistering = false

  init(
    transport: any Transport, backend: AdaptyBackend, user: AdaptyUser, sync: AdaptySync, phone: Phone,
    store: LaunchStore, work: AdaptyWork
  ) {
    self.transport = transport
    self.backend = backend
    self.user = user
    self.sync = sync
    self.phone = phone
    self.store = store
    self.work = work
  }

  /// Prefetches the products, with no last try.
  func fetchProducts() {
    work.start {
      while true {
        do throws(AdaptyFailure) {
          let response = try await self.backend.answer(to: self.backend.requests.products)
          if response.json?["data"]?.array != nil { return }
        } catch {
          if error.isMiss { return }
        }
        try Task.checkCancellation()
        try await self.work.waitBeforeRetry(Self.productsPause)
      }
    }
  }

  /// Looks up the device's address, with no last try while the network fails, and tells it to the created profile.
  func reportAddress() {
    work.start {
      var tries = 0
      while self.sync.address == nil {
        do throws(TransportError) {
          let response = try await self.transport.response(to: self.backend.requests.address)
          guard let address = response.json?["ip"]?.string?.nonEmpty else { return }
          self.sync.address = address
        } catch {
          guard error.isOfNetwork || error.reason == .timeout else { return }
          tries += 1
          try await self.work.waitBeforeRetry(.seconds(min(tries, Self.longestAddressPause)))
        }
      }
      _ = try await self.sync.created.wait()
      try await self.sync.update(address: self.sync.address)
    }
  }

  /// Registers the installation, once for as long as it is installed.
  func registerInstall() {
    guard !isRegistering, store[Self.installKey] == nil else { return }
    isRegistering = true
    work.start {
      defer { self.isRegistering = false }
      for retry in 1... {
        do throws(AdaptyFailure) {
          return try await self.tryRegistering()
        } catch {
          guard error.isWorthRegisteringAgain, retry <= Self.installRetries else { return }
        }
        let wait = Self.installBackoff.wait(beforeRetry: retry, using: &self.phone.chance)
        try await Task.sleep(until: .now + wait, tolerance: .zero, clock: .continuous)
      }
    }
  }

  private static let installKey = "adapty.install"

  /// An answer without data is a registration as well.
  private func tryRegistering() async throws(AdaptyFailure) {
    let call = backend.requests.install(user.session, status: phone.trackingStatus, now: phone.now)
    let response = try await backend.answer(to: call)
    guard let answer = response.json?.object else { throw .unreadable }
    var kept: JSONObject = [:]
    kept["install_id"] = answer["data"]?["install_id"]
    kept["payload"] = answer["data"]?["payload"]
    store.set(Self.installKey, .object(kept))
  }
}
