import LaunchTrace

/// What was visible at choices of an exhaustive exploration, and how the launch went on from there.
///
/// Two beginnings after which the same is visible need not both be followed if what is visible decides the future. The second
/// one is run as recorded from there on, and has to go on as the first did.
struct VisibleStates {
  /// By what was visible, how the launch went on.
  private var futures: [UInt64: UInt64] = [:]

  /// Looks for the first choice behind those that were forced at which nothing new was visible.
  /// - Parameter forced: How many choices of the run were forced.
  /// - Returns: That choice, and whether the run went on from there as the other one.
  mutating func visit(_ run: Explorer.Run, forced: Int) -> (place: Int, isAlike: Bool)? {
    for place in run.points.indices where place >= forced {
      let future = run.future(from: run.points[place].events)
      guard let known = futures[run.points[place].state] else {
        futures[run.points[place].state] = future
        continue
      }
      return (place, known == future)
    }
    return nil
  }
}

extension Explorer.Run {
  /// What happened from this event on, but for the numbers of the calls, which come from what was before.
  fileprivate func future(from start: Int) -> UInt64 {
    var hash = StableHash()
    for event in events[min(start, events.count)...] {
      hash.add(Int((event.at - .zero) / .microseconds(1)))
      switch event.kind {
      case .launch(let number): hash.add(number)
      case .mark(let mark): hash.add("\(mark.name) \(mark.fields)")
      case .call(_, .request(let request, _)): hash.add(request.turnName)
      case .call(_, let step): hash.add(step.summary)
      case .closed: hash.add("closed")
      }
    }
    return hash.value
  }
}
