import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// A launch on one line, in the words of the launch log and of the wire: things between bars, times in milliseconds.
///
/// - `start ATT 3`, `ATT answered {"status":3} 7`: a mark, with its fields.
/// - `POST h.test/a 1-2 200`: a call from 1 to 2; `1-` never ends. In front of the times may stand a header in brackets
///   and a body, `(X-Id:7) {"a":1}` or a form, `a=1&b=2`; behind the status, the answer's body. No part of them has blanks.
///
/// Of things at one time the one that stands first on the line comes first.
struct ShippedLaunch {
  private var events: [Event] = []
  private var calls = 0

  static func trace(_ line: String) -> Trace {
    var launch = ShippedLaunch()
    launch.append(.launch(1), 0)
    for part in line.split(separator: "|") { launch.add(part.split(separator: " ").map(String.init)) }
    var events = launch.events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
    events.append(Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count))))
    return Trace(name: "line", events: events)
  }

  private mutating func add(_ words: [String]) {
    if words.count > 2, ["GET", "POST", "PATCH", "DELETE"].contains(words[0]) { return addCall(words) }
    guard let time = words.last.flatMap(Int64.init) else { return }
    let fields = words.first { $0.hasPrefix("{") }.flatMap { try? JSON(parsing: $0) }?.object ?? [:]
    let name = words.dropLast().filter { !$0.hasPrefix("{") }.joined(separator: " ")
    append(.mark(Mark(name, fields)), time)
  }

  private mutating func addCall(_ words: [String]) {
    guard let place = words.indices.first(where: { $0 > 1 && isSpan(words[$0]) }),
      let location = try? Location(parsing: "https://" + words[1])
    else { return }
    var (fields, body) = (Fields(), "")
    for word in words[2..<place] {
      if word.hasPrefix("(") {
        let pair = word.dropFirst().dropLast().split(separator: ":", maxSplits: 1).map(String.init)
        fields[pair[0]] = pair[1]
      } else {
        if !word.hasPrefix("{") { fields["Content-Type"] = "application/x-www-form-urlencoded" }
        body = word
      }
    }
    let request = Request(method: words[0], location: location, fields: fields, body: Array(body.utf8))
    calls += 1
    let times = words[place].split(separator: "-").compactMap { Int64($0) }
    append(.call(calls, .request(request, from: nil)), times[0])
    guard times.count > 1, place + 1 < words.count, let status = Int(words[place + 1].prefix(3)) else { return }
    append(.call(calls, .response(ResponseHead(status: status))), times[1])
    append(.call(calls, .end(Content(Array(words[place + 1].dropFirst(3).utf8)))), times[1])
  }

  private func isSpan(_ word: String) -> Bool {
    word.contains("-") && word.allSatisfy { $0 == "-" || ("0"..."9").contains($0) }
  }

  private mutating func append(_ kind: Event.Kind, _ milliseconds: Int64) {
    events.append(Event(at: Instant(microseconds: milliseconds * 1000), kind))
  }
}
