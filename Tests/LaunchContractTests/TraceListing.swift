import LaunchHTTP
import LaunchJSON
import LaunchTrace

extension Trace {
  /// The events one a line, for failure messages.
  var listing: String { events.enumerated().map { "  \($0) \($1.listing)" }.joined(separator: "\n") }

  /// Without the events at some places.
  func without(_ places: Set<Int>) -> Trace {
    Trace(name: name, events: events.indices.filter { !places.contains($0) }.map { events[$0] })
  }
}

extension Event {
  fileprivate var listing: String {
    let text =
      switch kind {
      case .launch(let number): "launch \(number)"
      case .mark(let mark): mark.name + " " + mark.fields.members.map { "\($0.key):\($0.value)" }.joined(separator: " ")
      case .call(let number, .request(let request, let from)):
        "call \(number) " + request.listing + (from.map { " from \($0)" } ?? "")
      case .call(let number, .response(let head)):
        "call \(number) status \(head.status) " + head.fields.map { "\($0.name): \($0.value)" }.joined(separator: " ")
      case .call(let number, .end(let content)):
        "call \(number) end \(String(decoding: content.body.bytes, as: UTF8.self))"
      case .call(let number, .error(let error, _)): "call \(number) \(error.reason)"
      case .call(let number, _): "call \(number) …"
      case .closed: "closed"
      }
    return "\(at.microseconds) µs \(text)"
  }
}

extension Request {
  fileprivate var listing: String {
    let fields = fields.filter { $0.name != "Content-Type" }.map { "\($0.name): \($0.value)" }.joined(separator: " ")
    return "\(method) \(location) \(fields) \(String(decoding: body.bytes, as: UTF8.self))"
  }
}
