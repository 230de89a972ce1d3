import LaunchTrace
import LaunchJSON

/// Takes what answers say: keeps it, gives it to the app, and sees when to ask for the attribution (vendors.md 1.3).
@MainActor
final class AdjustReception {
  let adid = AdjustHeldValue<String>()
  let attribution = AdjustHeldValue<AdjustAttribution>()
  var onAttributionChange: (@MainActor (AdjustAttribution) -> Void)?
  var onDeferredDeeplink: (@MainActor (String) -> Bool)?
  var onConversion: (@MainActor (AdjustConversion) -> Void)?
  var onRemoteTrigger: (@MainActor (AdjustRemoteTrigger) -> Void)?

  private let stored: AdjustStored
  private let marks: (any MarkSink)?

  init(stored: AdjustStored, marks: (any MarkSink)?) {
    self.stored = stored
    self.marks = marks
  }

  /// What earlier launches have got is there at once (vendors.md 1.4).
  func start() {
    if let id = stored.adid { adid.set(id) }
    if let known = AdjustAttribution(stored.attribution) { attribution.set(known) }
  }

  /// Takes the answer to a call of `kind`, which has not opted the user out.
  func take(_ answer: AdjustAnswer, _ kind: AdjustPackage.Kind, asking question: AdjustQuestion) {
    if let parameters = answer.controlParameters { stored.controlParameters = parameters }
    if let conversion = answer.conversion { onConversion?(conversion) }
    for trigger in answer.triggers { onRemoteTrigger?(trigger) }
    guard kind != .info else { return }
    if kind == .session {
      stored.isSessionAnswered = true
      if answer.isSuccess { stored.isInstallTracked = true }
    }
    stored.activity?.isAskingAttribution = answer.askIn != nil
    if let askIn = answer.askIn { question.ask(in: askIn, .backend) }
    if let id = answer.adid, id != adid.value {
      stored.adid = id
      adid.set(id)
    }
    if answer.askIn == nil { takeAttribution(answer.attribution) }
    if kind == .session, answer.askIn == nil, attribution.value == nil { question.ask(in: .zero, .sdk) }
    takeDeeplink(kind == .attribution ? answer.attribution?["deeplink"]?.string : answer.deeplink, kind)
  }

  private func takeAttribution(_ json: JSON?) {
    guard let json, let new = AdjustAttribution(json), new != attribution.value else { return }
    stored.attribution = json
    attribution.set(new)
    onAttributionChange?(new)
  }

  /// Sessions tell it beside the attribution, answers to the question inside it, clicks not at all.
  private func takeDeeplink(_ link: String?, _ kind: AdjustPackage.Kind) {
    guard kind != .click, let link = link?.nonEmpty else { return }
    let isOpened = onDeferredDeeplink?(link) ?? true
    marks?.mark(Mark("deep link", ["opened": .bool(isOpened)]))
  }
}
