import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// The `_launchtape` members of a HAR: what a cassette knows beyond the entries, so that it can be had back exactly.
///
/// Events stand in them as `[index, line]`: the place in the whole trace, and the line of the cassette format without
/// what the entry says already.
enum HARTape {
  static let key = "_launchtape"
  /// The largest number of a call that leaves room for those of entries without a tape.
  static let lastCall = Int.max / 2
  /// Where a line of the cassette keeps what a HAR says beyond it.
  static let patchKey = "har"

  /// An event with its place in the trace.
  struct Placed {
    var index: Int64
    var event: Event
  }

  /// The line of an event that stands in no entry, or of one that does, in full.
  static func line(_ event: Event) -> JSONObject {
    var writer = JSONWriter()
    event.encode(into: &writer)
    return (try? JSON(parsing: writer.bytes))?.object ?? [:]
  }

  /// The event of a line; nil when the cassette format has no such line.
  static func event(_ line: JSONObject) -> Event? {
    let bytes = JSON.object(line).serialized
    var reader = LineReader(bytes, in: bytes.indices)
    return try? reader.event()
  }

  /// The header of a header's line.
  static func header(_ line: JSONObject) -> CassetteHeader? {
    let bytes = JSON.object(line).serialized
    var reader = LineReader(bytes, in: bytes.indices)
    guard let draft = try? reader.header(), draft.version <= CassetteHeader.version, let name = draft.name else {
      return nil
    }
    return CassetteHeader(
      name: name, recorded: draft.recorded ?? "", by: draft.by ?? "", order: draft.order.order, unknown: draft.unknown)
  }

  static func line(_ header: CassetteHeader) -> JSONObject {
    var writer = JSONWriter()
    header.encode(into: &writer)
    return (try? JSON(parsing: writer.bytes))?.object ?? [:]
  }
}

/// One entry's part of the tape: each event of its call, written against what the entry itself says of the step.
struct HAREntryTape {
  private let entry: JSON
  private let request: Request
  private let answer: HARAnswer

  /// - Parameter entry: As it stands in the HAR, whether with a tape or without.
  init(_ entry: JSON) {
    self.entry = entry
    // Whatever is odd about the entry, the tape says what is right, so nothing is remarked.
    var reader = HAREntryReader(entry: entry, creator: HARCreator(nil), remarks: HARRemarks())
    request = reader.request()
    answer = reader.answer(isConnected: false)
  }

  /// The member `_launchtape` for the call's events.
  func tape(call: Int, _ events: [HARTape.Placed]) -> JSON {
    let lines = events.map { JSON.array([.integer($0.index), .object(line($0.event))]) }
    return ["call": .integer(Int64(call)), "events": .array(lines)]
  }

  /// The call's number and events; nil when the entry has no tape, or one that this version cannot read.
  var events: (call: Int, events: [HARTape.Placed])? {
    let tape = entry[HARTape.key]
    guard let number = tape?["call"]?.integer, let call = Int(exactly: number), (1...HARTape.lastCall).contains(call),
      let lines = tape?["events"]?.array
    else { return nil }
    var events: [HARTape.Placed] = []
    for line in lines {
      guard let index = line[0]?.integer, let members = line[1]?.object, let event = event(members, call: number)
      else { return nil }
      events.append(HARTape.Placed(index: index, event: event))
    }
    guard case .call(_, .request)? = events.first?.event.kind else { return nil }
    return (call, events)
  }

  private func line(_ event: Event) -> JSONObject {
    guard case .call(_, let step) = event.kind else { return HARTape.line(event) }
    var bare = event
    let body = step.body
    if body == entryBody(of: step) { bare.replaceBody([]) }
    var line = HARTape.line(bare)
    if let index = line.members.firstIndex(where: { $0.key == "call" }) { line.members.remove(at: index) }
    if let index = line.members.firstIndex(where: { $0.key == step.name }) {
      var inner = line.members[index].value
      if let body, body.isEmpty, body != entryBody(of: step), var object = inner.object {
        object["body"] = ["text": ""]
        inner = .object(object)
      }
      line.members[index].value = JSONPatch.patch(from: known(step.name), to: inner) ?? [:]
    }
    return line
  }

  private func event(_ line: JSONObject, call: Int64) -> Event? {
    var line = line
    line.members.insert(JSONObject.Member("call", .integer(call)), at: min(1, line.members.count))
    guard let index = line.members.firstIndex(where: { stepNames.contains($0.key) }) else { return nil }
    let name = line.members[index].key
    let inner = JSONPatch.apply(line.members[index].value, to: known(name))
    line.members[index].value = inner
    guard var event = HARTape.event(line), case .call(_, let step) = event.kind else { return nil }
    if inner["body"] == nil, let body = entryBody(of: step), !step.isMissing { event.replaceBody(body) }
    return event
  }

  /// What the entry says of a step, as the inner object of a cassette's line without the body.
  private func known(_ name: String) -> JSON {
    let step: Event.Step
    switch name {
    case "request":
      var request = request
      request.body = []
      step = .request(request)
    case "response":
      guard let head = answer.head else { return [:] }
      step = .response(head)
    default: return [:]
    }
    return HARTape.line(Event(at: .zero, .call(1, step)))[name] ?? [:]
  }

  /// The body that the entry has for a step; nil for a step without one.
  private func entryBody(of step: Event.Step) -> [UInt8]? {
    switch step {
    case .request: request.body.bytes
    case .end, .error: answer.content.body.bytes
    default: nil
    }
  }
}

private let stepNames: Set = ["request", "connection", "sent", "informational", "response", "chunk", "end", "error"]

extension Event.Step {
  /// The body of a request or of a response's content; nil for the steps that have none.
  fileprivate var body: [UInt8]? {
    switch self {
    case .request(let request, _): request.body.bytes
    case .end(let content), .error(_, let content): content.body.bytes
    default: nil
    }
  }

  fileprivate var isMissing: Bool {
    switch self {
    case .end(let content), .error(_, let content): content.isMissing
    default: false
    }
  }
}

extension Event {
  fileprivate mutating func replaceBody(_ bytes: [UInt8]) {
    guard case .call(let call, let step) = kind else { return }
    switch step {
    case .request(var request, let origin):
      request.body = Body(bytes)
      kind = .call(call, .request(request, from: origin))
    case .end(var content):
      content.body = Body(bytes)
      kind = .call(call, .end(content))
    case .error(let error, var content):
      content.body = Body(bytes)
      kind = .call(call, .error(error, content))
    default: break
    }
  }
}
