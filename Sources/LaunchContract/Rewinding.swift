/// What depends on the ends of a name, and can go back: when a call that had ended goes on with a retry, everything since
/// is taken again without that end.
///
/// Remembers what happened only while an end may still be undone.
struct Rewinding<State: EndDriven>: Sendable {
  private struct Checkpoint {
    /// As it was before the end.
    var state: State
    /// Where the event with the end stands in `log`.
    var place: Int
  }

  private(set) var state: State
  private let name: Int
  private var log: [[Signal]] = []
  /// By the id of what ended and may go on.
  private var checkpoints: [Int: Checkpoint] = [:]

  init(_ state: State, endsOf name: Int) {
    self.state = state
    self.name = name
  }

  mutating func take(_ signals: [Signal]) {
    for signal in signals where signal.change == .resumed && signal.occurrence.name == name {
      rewind(signal.occurrence.id)
    }
    if !checkpoints.isEmpty || signals.contains(where: isTentative) {
      log.append(signals)
      play(log.count - 1)
    } else {
      state.take(signals)
    }
  }

  private func isTentative(_ signal: Signal) -> Bool {
    signal.occurrence.name == name && signal.change == .ended && !signal.occurrence.isFinal
  }

  private mutating func play(_ place: Int) {
    for signal in log[place] where isTentative(signal) {
      checkpoints[signal.occurrence.id] = Checkpoint(state: state, place: place)
    }
    state.take(log[place])
  }

  private mutating func rewind(_ id: Int) {
    guard let checkpoint = checkpoints.removeValue(forKey: id) else { return }
    state = checkpoint.state
    log[checkpoint.place].removeAll { $0.change == .ended && $0.occurrence.id == id }
    checkpoints = checkpoints.filter { $0.value.place < checkpoint.place }
    for place in checkpoint.place..<log.count { play(place) }
    if checkpoints.isEmpty { log = [] }
  }
}

/// What `Rewinding` takes back.
protocol EndDriven: Sendable {
  mutating func take(_ signals: [Signal])
}
