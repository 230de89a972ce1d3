import LaunchHTTP
import LaunchJSON

/// Sends calls to the server that is right for them, and keeps where the servers are (vendors.md 2.1, 2.3, 1, and 2.5).
@MainActor
final class AdaptyBackend {
  let requests: AdaptyRequests

  private let transport: any Transport
  private let phone: Phone
  private let store: LaunchStore
  private let work: AdaptyWork
  private var servers: AdaptyServers
  private var refreshing: Milestone<Void>?

  init(
    transport: any Transport, requests: AdaptyRequests, cluster: AdaptyConfiguration.Cluster, phone: Phone,
    store: LaunchStore, work: AdaptyWork
  ) {
    self.transport = transport
    self.requests = requests
    self.phone = phone
    self.store = store
    self.work = work
    servers = AdaptyServers(cluster, AdaptyNetConfig(store[Self.key], now: phone.now) ?? .initial)
  }

  /// Events that stay on the device.
  var eventBlacklist: [String] { servers.configuration.eventBlacklist }

  /// The answer to `call`, once it is known where to send it.
  ///
  /// An answer that is no success is remembered for the calls that follow.
  func answer(to call: AdaptyCall) async throws(AdaptyFailure) -> Response {
    if servers.isBanned(call, phone.now) { throw .banned }
    if call.server == .main { await refreshConfiguration() }
    let base = try servers.base(call, phone.now)
    do throws(AdaptyFailure) {
      return try await send(call, to: base)
    } catch {
      servers.note(error, call, at: base)
      throw error
    }
  }

  /// Returns when the configuration is not expired any more, if the task is not cancelled. However many wait for it, it
  /// is asked for once.
  func refreshConfiguration() async { try? await startRefreshing()?.wait() }

  /// Asks for the configuration in the background if it is expired, and nobody asks already.
  /// - Returns: What happens when it has been asked for; nil when it is not expired.
  @discardableResult
  func startRefreshing() -> Milestone<Void>? {
    guard servers.configuration.isExpired(phone.now) else { return nil }
    if let refreshing { return refreshing }
    let milestone = Milestone<Void>()
    refreshing = milestone
    work.start {
      await self.fetchConfiguration()
      self.refreshing = nil
      milestone.finish(.success(()))
    }
    return milestone
  }

  private static let key = "adapty.configuration"

  /// On failure the old one lives on for a while.
  private func fetchConfiguration() async {
    let call = requests.netConfig
    var response: Response?
    if !servers.isBanned(call, phone.now) {
      response = try? await send(call, to: call.server.base(servers.cluster))
    }
    if Task.isCancelled { return }
    servers.renew(AdaptyNetConfig(response?.json?["data"], now: phone.now), phone.now)
    store.set(Self.key, servers.configuration.json)
  }

  private func send(_ call: AdaptyCall, to base: Location) async throws(AdaptyFailure) -> Response {
    let response: Response
    do throws(TransportError) {
      response = try await transport.response(to: requests.request(call, at: base))
    } catch {
      throw .transport(error)
    }
    if let failure = AdaptyFailure(response, now: phone.now) { throw failure }
    return response
  }
}
