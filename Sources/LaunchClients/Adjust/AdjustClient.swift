public import LaunchHTTP
import LaunchJSON
public import LaunchTrace

/// Adjust's SDK as a launch uses it: the session, the Apple Ads click, the attribution (vendors.md section 1).
///
/// ```swift
/// let adjust = AdjustClient(transport: transport, credentials: credentials, phone: phone, marks: tap)
/// adjust.onAttributionChange = { print($0.campaign ?? "organic") }
/// adjust.initSDK(environment: .sandbox)
/// let adid = adjust.adid  // nil until the session is answered
/// ```
///
/// Every method returns at once. A call that fails is not an error of the app's: the getters stay empty.
///
/// Not modelled yet: fail-over to the `.io` hosts (vendors.md 1.1); the queue on disk and its further tries with growing
/// waits after no answer, no JSON or 429 (1.5), and with them `retry_in`, `continue_in` and the sending counters such as
/// `retry_count` and `wait_total` (1.3 A); `control_params`, SKAdNetwork values and remote triggers in answers (1.3 A);
/// a second question for Apple's token after 5 s, clicks with an `error_code`, `/sdk_info` (1.3 C and D); later launches
/// with their 30 minutes (1.4); the waits for consent and for the first session inside the SDK (1.6).
@MainActor
public final class AdjustClient {
  /// Sent with every request (vendors.md 1.3 A and 1.8).
  public enum Environment: String, Hashable, Sendable, CaseIterable {
    case sandbox, production
  }

  /// Called each time an attribution arrives.
  public var onAttributionChange: (@MainActor (AdjustAttribution) -> Void)?
  /// Called with a deferred deep link; the SDK opens it only if this returns true.
  public var onDeferredDeeplink: (@MainActor (String) -> Bool)?

  /// The device's id at Adjust: nil until an answer has brought it, as the getter of SDK version 4 gives it. The one of
  /// version 5 never returns without a value (vendors.md 1.6), which the published loop does not expect.
  public private(set) var adid: String?
  /// The newest attribution; nil until an answer has brought one.
  public private(set) var attribution: AdjustAttribution?

  private let transport: any Transport
  private let credentials: Credentials
  private let phone: Phone
  private let marks: (any MarkSink)?
  private let tasks = TaskBag()
  private var requests: AdjustRequests?
  private var started = WallTime(milliseconds: 0)
  private var isOptedOut = false
  /// The question for the attribution that is still to be asked.
  private var question: (due: ContinuousClock.Instant, task: Task<Void, any Error>)?

  /// - Parameter marks: Hears of the start and of deferred deep links.
  public init(
    transport: any Transport, credentials: Credentials = .sample, phone: Phone, marks: (any MarkSink)? = nil
  ) {
    self.transport = transport
    self.credentials = credentials
    self.phone = phone
    self.marks = marks
  }

  /// Starts the SDK: the session, and beside it the Apple Ads click as soon as there is a token. Only the first call
  /// counts.
  public func initSDK(environment: Environment) {
    guard requests == nil else { return }
    marks?.mark(Mark("adjust init", ["environment": .string(environment.rawValue)]))
    let requests = AdjustRequests(
      appToken: credentials.adjustAppToken, signature: credentials.adjustSignature, environment: environment,
      device: phone.device)
    self.requests = requests
    started = phone.now
    tasks.start { try await self.startSession(requests) }
    tasks.start { try await self.reportAppleAds(requests) }
  }

  /// The advertising identifier as the system gives it, zeros included.
  public var idfa: String? { phone.advertisingID }
  /// The vendor identifier.
  public var idfv: String? { phone.device.idfv }

  /// Returns when every call has been answered or given up, a question for the attribution included.
  public func settle() async { await tasks.drain() }

  /// Cancels every call and wait that is under way.
  public func stop() { tasks.cancelAll() }

  /// The attribution is asked for only after this answer (vendors.md 1.5); without it in the answer and without an
  /// `ask_in`, at once.
  private func startSession(_ requests: AdjustRequests) async throws {
    let created = phone.now
    let json = try await answer(to: requests.session(at: moment(since: created), started: started), "session")
    if attribution == nil && json["ask_in"] == nil { try await askForAttribution(requests, .sdk) }
  }

  private func reportAppleAds(_ requests: AdjustRequests) async throws {
    guard let token = try await phone.adServicesToken() else { return }
    _ = try await answer(to: requests.click(token: token, at: moment(since: phone.now)), "sdk_click")
  }

  /// Not tried again when it fails (vendors.md 1.3 B).
  private func askForAttribution(_ requests: AdjustRequests, _ initiator: AdjustRequests.Initiator) async throws {
    _ = try await answer(
      to: requests.attribution(initiatedBy: initiator, at: moment(since: phone.now)), "attribution")
  }

  private func moment(since created: WallTime) -> AdjustRequests.Moment {
    AdjustRequests.Moment(status: phone.trackingStatus, created: created, sent: phone.now)
  }

  /// Any JSON body ends the call, whatever the status; only 429 counts as no answer (vendors.md 1.5).
  private func answer(to request: Request, _ name: String) async throws(ClientError) -> JSON {
    guard !isOptedOut else { throw .missing("the user's consent") }
    let response: Response
    do throws(TransportError) { response = try await transport.response(to: request) } catch { throw .transport(error) }
    guard response.status != 429 else { throw .status(response.status) }
    guard let json = response.json, json.object != nil else { throw .unreadable(name) }
    take(json)
    return json
  }

  /// What each answer may carry (vendors.md 1.3 A).
  private func take(_ json: JSON) {
    if json["tracking_state"]?.string == "opted_out" {
      isOptedOut = true
      return tasks.cancelAll()
    }
    if let id = json["adid"]?.string?.nonEmpty { adid = id }
    if let milliseconds = json["ask_in"]?.integer, let requests {
      ask(requests, in: .seconds(max(0, milliseconds / 1000)))
    } else if let attribution = AdjustAttribution(json["attribution"]) {
      self.attribution = attribution
      onAttributionChange?(attribution)
    }
    if let link = (json["deeplink"] ?? json["attribution"]?["deeplink"])?.string?.nonEmpty {
      let isOpened = onDeferredDeeplink?(link) ?? true
      marks?.mark(Mark("deep link", ["opened": .bool(isOpened)]))
    }
  }

  /// `ask_in` is milliseconds, divided as an integer: 1999 is one second, 900 none. A longer wait that already runs
  /// stays (vendors.md 1.5).
  private func ask(_ requests: AdjustRequests, in delay: Duration) {
    let due = ContinuousClock.now + delay
    if let question {
      guard question.due < due else { return }
      question.task.cancel()
    }
    let task = tasks.start {
      try await Task.sleep(until: due, tolerance: .zero, clock: .continuous)
      self.question = nil
      try await self.askForAttribution(requests, .backend)
    }
    question = (due, task)
  }
}
