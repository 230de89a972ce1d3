import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Reads one entry of a HAR, however its exporter departs from the format.
struct HAREntryReader {
  let entry: JSON
  let creator: HARCreator
  var remarks: HARRemarks

  /// The entry as a call whose steps are timed from its own start.
  mutating func call() -> HARCall {
    if entry.object == nil { remarks.add("", "\(entry.shown) is no object; kept as a call that failed") }
    let timings = timings()
    let answer = answer(isConnected: timings.wait ?? 0 > 0 || timings.receive ?? 0 > 0)
    let request = request()
    let connection = connection(for: request, timings, answer)
    return HARCall(
      started: started(), request: request, connection: connection,
      connectionName: entry["connection"]?.harText.flatMap { $0.isEmpty ? nil : $0 },
      steps: steps(timings, answer, isConnected: connection != nil),
      redirect: redirect(of: answer))
  }

  /// The entry's start; nil, with a remark, when it has none that can be read.
  private mutating func started() -> Int64? {
    let path = "startedDateTime"
    guard let text = entry[path]?.harText, !text.trimmingSpaces.isEmpty else {
      remarks.add(path, "is missing; placed at the start of the entry before it")
      return nil
    }
    guard let date = HARDate(text.trimmingSpaces) else {
      remarks.add(path, "\(JSON.string(text).shown) is no date; placed at the start of the entry before it")
      return nil
    }
    if date.isZoneless { remarks.add(path, "\(JSON.string(text).shown) names no time zone; read as UTC") }
    return date.microseconds
  }

  /// The steps behind the connection.
  private func steps(_ timings: HARTimings, _ answer: HARAnswer, isConnected: Bool) -> [HARCall.Step] {
    var steps: [HARCall.Step] = []
    var time = timings.untilConnected
    func add(_ step: Event.Step) { steps.append(HARCall.Step(offset: time, step: step)) }
    if isConnected { steps.append(HARCall.Step(offset: time, step: nil)) }
    time += timings.send ?? 0
    if answer.wasSent { add(.sent) }
    time += timings.wait ?? 0
    if let head = answer.head { add(.response(head)) }
    time += timings.receive ?? 0
    let content = answer.content
    if answer.head != nil, !content.body.isEmpty { add(.chunk(bytes: content.body.count)) }
    add(answer.error.map { .error($0, content) } ?? .end(content))
    return steps
  }

  /// The connection, where the entry says anything about it. Its number is given later.
  private func connection(for request: Request, _ timings: HARTimings, _ answer: HARAnswer) -> Connection? {
    let address = entry["serverIPAddress"]?.harText ?? ""
    let isNamed = !(entry["connection"]?.harText ?? "").isEmpty
    guard timings.hasSetUp || isNamed || !address.isEmpty, answer.error.map({ $0.phase.isConnected }) ?? true else {
      return nil
    }
    let isBare = address.utf8.contains(UInt8(ascii: ":")) && !address.hasPrefix("[")
    let port = request.location.port ?? (request.location.scheme == "http" ? 80 : 443)
    return Connection(
      id: 1, address: address.isEmpty ? "" : "\(isBare ? "[\(address)]" : address):\(port)",
      isReused: !timings.hasSetUp, dns: timings.dns.map { .microseconds($0) },
      connect: timings.connect.map { .microseconds($0) }, tls: timings.ssl.map { .microseconds($0) },
      version: answer.head?.version ?? version(of: entry["request"]) ?? .http11)
  }

  /// Where the answer sends the client.
  private func redirect(of answer: HARAnswer) -> String? {
    guard let head = answer.head, (300..<400).contains(head.status) else { return nil }
    let text = entry["response"]?["redirectURL"]?.harText ?? ""
    return text.isEmpty ? head.fields["Location"] : text
  }
}

/// An entry of a HAR as a call, timed from its own start.
struct HARCall {
  struct Step {
    /// In microseconds.
    var offset: Int64
    /// Nil where the connection is ready.
    var step: Event.Step?
  }

  /// Microseconds since the start of 1970; nil when the entry does not say it.
  var started: Int64?
  var request: Request
  var connection: Connection?
  /// What the exporter calls the connection.
  var connectionName: String?
  var steps: [Step]
  var redirect: String?
}

/// What became of a request.
struct HARAnswer {
  var head: ResponseHead?
  var content = Content()
  var error: TransportError?

  var wasSent: Bool { error.map { $0.phase == .response || $0.phase == .body } ?? true }
}

extension TransportError.Phase {
  /// The connection had come about.
  fileprivate var isConnected: Bool { self == .request || self == .response || self == .body }
}
