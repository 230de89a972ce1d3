public import LaunchTrace

extension LatencyProfile {
  /// The latencies that a trace shows: an answer to a kind of call takes as long as one of those recorded, drawn by the
  /// seed. A kind that was not answered there takes as long as in `typical`.
  ///
  /// Times count from the complete request; the pieces of a body are spaced evenly over the time it took.
  public init(recordedIn trace: Trace, seed: UInt64 = 1) {
    self = .typical
    name = trace.name
    jitterPercent = 0
    self.seed = seed
    for exchange in trace.exchanges {
      guard let timing = Timing(exchange) else { continue }
      let call = VendorSandbox.call(of: exchange.request)
      if call != .unknown { samples[call, default: []].append(timing) }
    }
  }
}

extension LatencyProfile.Timing {
  /// Nil for an exchange without a complete response.
  fileprivate init?(_ exchange: Exchange) {
    var head: Instant?
    var end: Instant?
    var pieces = 0
    for step in exchange.steps {
      switch step.step {
      case .response: head = step.at
      case .chunk: pieces += 1
      case .end: end = step.at
      default: break
      }
    }
    guard let head, let end else { return nil }
    self.init(
      head: max(.zero, head - (exchange.sent ?? exchange.requested)), pieces: max(1, pieces),
      spacing: (end - head) / max(1, pieces))
  }
}
