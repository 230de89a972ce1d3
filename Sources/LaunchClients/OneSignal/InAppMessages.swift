import LaunchHTTP
import LaunchJSON

/// Decides when an in-app message is shown, and shows it (vendors.md 3.2, call 5, and 3.4).
///
/// Nobody closes a message during a launch, so one that was displayed counts as seen at once, and is never shown again:
/// that makes it one impression a message. That a message may be shown again after a while is not modelled.
@MainActor
final class InAppMessages {
  typealias Listener = (willDisplay: @MainActor () -> Void, didDisplay: @MainActor () -> Void)

  private static let seenKey = "onesignal.seen"

  var listeners: [Listener] = []
  var isPaused = false { didSet { evaluate() } }
  var triggers: [String: String] = [:] { didSet { evaluate() } }

  private let core: OneSignalCore
  private var messages: [InAppMessage] = []
  private var subscription: String?
  /// A message is being fetched or on the screen.
  private var isBusy = false

  init(core: OneSignalCore) {
    self.core = core
    core.phone.whenActive { [weak self] in self?.evaluate() }
  }

  /// Takes the place of the messages so far.
  func take(_ list: JSON, subscription: String) {
    let language = core.phone.device.language
    messages = (list["in_app_messages"]?.array ?? []).compactMap { InAppMessage($0, language: language) }
    self.subscription = subscription
    evaluate()
  }

  /// A message needs an active app and a subscription; each is tried once.
  private func evaluate() {
    guard !isPaused, !isBusy, core.phone.isActive, let subscription,
      let index = messages.firstIndex(where: { $0.qualifies(with: triggers) && !isSeen($0) })
    else { return }
    isBusy = true
    let message = messages.remove(at: index)
    core.start { try await self.show(message, for: subscription) }
  }

  /// A message whose content cannot be had, by 404 or 410 or otherwise, is dropped, and the next one gets its chance.
  private func show(_ message: InAppMessage, for subscription: String) async throws {
    let content = try await core.caller.reply(
      to: core.requests.content(of: message.id, variant: message.variant))
    guard content.outcome == .accepted else {
      isBusy = false
      return evaluate()
    }
    for listener in listeners { listener.willDisplay() }
    try await core.phone.renderMessage()
    core.store.set(Self.seenKey, .array(seen + [.string(message.id)]))
    for listener in listeners { listener.didDisplay() }
    _ = try await core.caller.reply(
      to: core.requests.impression(of: message.id, variant: message.variant, subscription: subscription))
  }

  private var seen: [JSON] { core.store[Self.seenKey]?.array ?? [] }
  private func isSeen(_ message: InAppMessage) -> Bool { seen.contains(.string(message.id)) }
}
