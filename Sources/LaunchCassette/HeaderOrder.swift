import LaunchJSON
import LaunchTrace

/// The members of a header that say what the order of the events is worth, as they stand in the file.
struct OrderDraft {
  var source: String?
  /// Microseconds.
  var resolution: Int64?
  var branches: [[String]]?

  var order: TraceOrder {
    guard source == Self.time else { return .recorded }
    return .time(TimeOrder(resolution: .microseconds(resolution ?? 0), branches: branches ?? []))
  }

  static let time = "time"
  static let recorded = "recorded"
}

extension LineReader {
  /// Reads the value of the key just read, if it is about the order.
  mutating func orderMember(into draft: inout OrderDraft) throws(LineError) -> Bool {
    if at("order") {
      let source = try string()
      guard source == OrderDraft.time || source == OrderDraft.recorded else {
        throw LineError("expected \"time\" or \"recorded\"", at: offset)
      }
      set(&draft.source, "order", source)
    } else if at("resolution") {
      set(&draft.resolution, "resolution", try integer(0...Int64.max, "microseconds, not negative"))
    } else if at("branches") {
      set(&draft.branches, "branches", try branches())
    } else {
      return false
    }
    return true
  }

  private mutating func branches() throws(LineError) -> [[String]] {
    var branches: [[String]] = []
    try beginArray()
    while try nextElement() {
      var names: [String] = []
      try beginArray()
      while try nextElement() { names.append(try string()) }
      branches.append(names)
    }
    return branches
  }
}

extension TraceOrder {
  /// Appends the members; none for a recorded order.
  func encode(into writer: inout JSONWriter) {
    guard case .time(let order) = self else { return }
    writer.key("order")
    writer.string(OrderDraft.time)
    let resolution = order.resolution.wholeMicroseconds
    if resolution > 0 {
      writer.key("resolution")
      writer.integer(resolution)
    }
    guard !order.branches.isEmpty else { return }
    writer.key("branches")
    writer.beginArray()
    for names in order.branches {
      writer.beginArray()
      for name in names { writer.string(name) }
      writer.endArray()
    }
    writer.endArray()
  }
}
