import LaunchHTTP

/// Decides when an in-app message is shown, and shows it (vendors.md 3.2, call 5, and 3.4).
@MainActor
final class InAppMessages {
  typealias Listener = (willDisplay: @MainActor () -> Void, didDisplay: @MainActor () -> Void)

  var listeners: [Listener] = []
  var isPaused = false { didSet { evaluate() } }
  var triggers: [String: String] = [:] { didSet { evaluate() } }

  private let transport: any Transport
  private let requests: OneSignalRequests
  private let phone: Phone
  private let tasks: TaskBag
  private var messages: [InAppMessage] = []
  private var subscription: String?
  /// A message is being fetched or on the screen. Nobody closes it during a launch.
  private var isBusy = false

  init(transport: any Transport, requests: OneSignalRequests, phone: Phone, tasks: TaskBag) {
    self.transport = transport
    self.requests = requests
    self.phone = phone
    self.tasks = tasks
  }

  func load(_ messages: [InAppMessage], subscription: String) {
    self.messages = messages
    self.subscription = subscription
    evaluate()
  }

  /// A message needs an active app and a subscription; each is tried once.
  private func evaluate() {
    guard !isPaused, !isBusy, phone.isActive, let subscription,
      let index = messages.firstIndex(where: { $0.qualifies(with: triggers) })
    else { return }
    isBusy = true
    let message = messages.remove(at: index)
    tasks.start { try await self.show(message, for: subscription) }
  }

  /// A message whose content cannot be had is dropped, and the next one gets its chance.
  private func show(_ message: InAppMessage, for subscription: String) async throws {
    do {
      _ = try await transport.success(of: requests.content(of: message.id, variant: message.variant))
    } catch {
      isBusy = false
      return evaluate()
    }
    for listener in listeners { listener.willDisplay() }
    try await phone.renderMessage()
    for listener in listeners { listener.didDisplay() }
    _ = try await transport.success(
      of: requests.impression(of: message.id, variant: message.variant, subscription: subscription))
  }
}
