extension Trace {
  /// This trace with the marks of another source put in by time.
  ///
  /// Marks whose name this trace has already are left out: both sources tell of the same moment, and ours is exact. At
  /// equal times the events of this trace come first. A closing event stays the last one, moved to the last mark where
  /// that is later. Everything but marks in `events` is ignored.
  /// - Parameters:
  ///   - events: In order of their times.
  ///   - shift: Where their zero lies on this trace's clock. Marks before this trace's own zero come at zero.
  /// - Returns: The merged trace, and the names that were left out, each once.
  public func merged(withMarksOf events: [Event], shiftedBy shift: Duration) -> (trace: Trace, known: [String]) {
    let own = Set(self.events.compactMap(\.markName))
    var known: [String] = []
    var marks: [Event] = []
    for event in events {
      guard let name = event.markName else { continue }
      if own.contains(name) {
        if !known.contains(name) { known.append(name) }
      } else {
        var event = event
        event.at = max(.zero, event.at + shift)
        marks.append(event)
      }
    }
    return (Trace(name: name, events: merge(self.events, marks), order: order), known)
  }
}

extension Event {
  fileprivate var markName: String? { if case .mark(let mark) = kind { mark.name } else { nil } }
}

private func merge(_ events: [Event], _ marks: [Event]) -> [Event] {
  var merged: [Event] = []
  var rest = marks[...]
  for event in events {
    if case .closed(var closing) = event.kind {
      merged += rest
      rest = []
      closing.events = merged.count
      var last = event
      last.kind = .closed(closing)
      last.at = max(event.at, merged.last?.at ?? .zero)
      merged.append(last)
    } else {
      // The process start goes before everything that was told of it.
      while let mark = rest.first, mark.at < event.at, !merged.isEmpty { merged.append(rest.removeFirst()) }
      merged.append(event)
    }
  }
  return merged + rest
}
