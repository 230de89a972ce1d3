import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchJSON
import LaunchServer
import LaunchTrace

/// What a test does to a running replay: posts marks, reads the trace, asks for verdicts, ends it.
struct ControlEndpoint: Sendable {
  static let synopsis = "POST /marks, GET /trace, GET /verdict, GET /misses and POST /finish"

  let name: String
  let replay: ReplayResponder
  let contracts: [Contract]
  let onFinish: @Sendable () -> Void

  func respond(to request: Request) -> Reply {
    do throws(ControlError) {
      return try reply(to: request)
    } catch {
      var answer = Self.answer(["error": .string(error.message)], status: error.status)
      if case .methodNotAllowed(_, let allowed) = error { answer = answer.adding("Allow", allowed) }
      return Reply(answer)
    }
  }

  private func reply(to request: Request) throws(ControlError) -> Reply {
    let path = request.location.path
    let methods = ["/marks": "POST", "/trace": "GET", "/verdict": "GET", "/misses": "GET", "/finish": "POST"]
    guard let method = methods[path] else { throw .notFound(path: path) }
    guard request.method == method else { throw .methodNotAllowed(request.method, allowed: method) }
    switch path {
    case "/marks":
      let posting = try MarkPosting(parsing: request.body.bytes)
      guard let moment = replay.log.mark(posting.marks) else { throw .badRequest("the replay is over") }
      return Self.json(["marks": .integer(Int64(posting.marks.count)), "at": .integer(moment.microseconds)])
    case "/trace":
      let text = TraceText(header: CassetteHeader(name: name), events: replay.log.events)
      let head = ResponseHead(status: 200, fields: ["Content-Type": "application/jsonl"])
      return Reply(StreamedAnswer(head: head, content: text))
    case "/misses": return Self.json(["misses": .array(misses)])
    case "/finish":
      replay.log.finish()
      defer { onFinish() }
      return Self.json(verdict)
    default: return Self.json(verdict)
    }
  }

  private var misses: [JSON] {
    replay.misses.map { miss in
      [
        "method": .string(miss.request.method), "url": .string(miss.request.location.description),
        "message": .string(miss.description),
      ]
    }
  }

  private var verdict: JSON {
    let events = replay.log.events
    let verifications = contracts.map { $0.verification(of: events, named: name) }
    let misses = replay.misses.count
    let code = misses > 0 ? 1 : verifications.flatMap(\.reports).exitCode()
    return [
      "trace": .string(name), "closed": .bool(events.isClosed), "events": .integer(Int64(events.eventCount)),
      "misses": .integer(Int64(misses)), "exitCode": .integer(Int64(code)),
      "contracts": .array(verifications.map(\.json)),
    ]
  }

  private static func json(_ value: JSON) -> Reply { Reply(answer(value, status: 200)) }

  private static func answer(_ value: JSON, status: Int) -> Answer {
    Answer(
      head: ResponseHead(status: status, fields: ["Content-Type": "application/json"]),
      body: value.serialized + [UInt8(ascii: "\n")])
  }
}

extension Answer {
  fileprivate func adding(_ name: String, _ value: String) -> Answer {
    mappingHead { head in head.fields.append(name, value) }
  }
}

extension Verification {
  fileprivate var json: JSON {
    ["contract": .string(contract), "file": .string(file), "rules": .array(reports.map(\.json))]
  }
}

extension RuleReport {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "rule": .string(rule.sentence), "line": .integer(Int64(rule.line)), "verdict": .string(verdict.description),
    ]
    if let name = rule.name { object["name"] = .string(name) }
    if rule.isAdvice { object["advice"] = .bool(true) }
    if let note { object["note"] = .string(note) }
    return .object(object)
  }
}
