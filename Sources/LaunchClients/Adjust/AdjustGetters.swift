/// What the app asks.
extension AdjustClient {
  /// The device's id at Adjust, as far as it is known now.
  public var knownAdid: String? { reception.adid.value }
  /// The newest attribution, as far as one is known now.
  public var knownAttribution: AdjustAttribution? { reception.attribution.value }

  /// The device's id at Adjust; while there is none, as `AdjustConfiguration.getter` has it.
  /// - Throws: `CancellationError` when the task is cancelled, or the client is stopped.
  public func adid() async throws -> String? {
    isHolding ? try await reception.adid.wait() : knownAdid
  }

  /// The same with an end, since version 5.5.0 (vendors.md 1.6): nil when the time has run out.
  /// - Throws: `CancellationError` when the task is cancelled, or the client is stopped.
  public func adid(timeout: Duration) async throws -> String? { try await reception.adid.wait(timeout: timeout) }

  /// The attribution; while there is none, as `AdjustConfiguration.getter` has it.
  /// - Throws: `CancellationError` when the task is cancelled, or the client is stopped.
  public func attribution() async throws -> AdjustAttribution? {
    isHolding ? try await reception.attribution.wait() : knownAttribution
  }

  /// The same with an end, since version 5.5.0 (vendors.md 1.6): nil when the time has run out.
  /// - Throws: `CancellationError` when the task is cancelled, or the client is stopped.
  public func attribution(timeout: Duration) async throws -> AdjustAttribution? {
    try await reception.attribution.wait(timeout: timeout)
  }

  /// The advertising identifier as the system gives it, zeros included.
  public var idfa: String? { phone.advertisingID }
  /// The vendor identifier.
  public var idfv: String? { phone.device.idfv }

  /// Called each time another attribution arrives.
  public var onAttributionChange: (@MainActor (AdjustAttribution) -> Void)? {
    get { reception.onAttributionChange }
    set { reception.onAttributionChange = newValue }
  }

  /// Called with a deferred deep link; the SDK opens it only if this returns true.
  public var onDeferredDeeplink: (@MainActor (String) -> Bool)? {
    get { reception.onDeferredDeeplink }
    set { reception.onDeferredDeeplink = newValue }
  }

  /// Called with each conversion value of the server's; the SDK would report it to SKAdNetwork.
  public var onConversion: (@MainActor (AdjustConversion) -> Void)? {
    get { reception.onConversion }
    set { reception.onConversion = newValue }
  }

  /// Called with each remote trigger; whether there is somebody to call is told to the server.
  public var onRemoteTrigger: (@MainActor (AdjustRemoteTrigger) -> Void)? {
    get { reception.onRemoteTrigger }
    set {
      reception.onRemoteTrigger = newValue
      engine?.run.hearsTriggers = newValue != nil
    }
  }

  private var isHolding: Bool { (configuration?.getter ?? .immediate) == .holding }
}
