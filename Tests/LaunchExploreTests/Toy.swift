import LaunchCassette
import LaunchContract
import LaunchDeck
import LaunchHTTP
import LaunchTrace

@testable import LaunchExplore

/// A launch of exchanges, each made once those that it depends on are answered.
struct Toy: Sendable {
  var order: PartialOrder

  static func request(_ number: Int, timeout: Duration? = nil) -> Request {
    Request(
      method: "GET", location: Location(scheme: "https", host: "toy.example", path: "/\(number)"), timeout: timeout)
  }

  /// One recorded run, in which the answers arrive in the order of their numbers.
  var cassette: Cassette {
    Cassette.answering((0..<order.count).map { Toy.request($0) })
  }

  /// Marks each answer.
  @Sendable func launch(_ launch: Launch) async throws {
    await withTaskGroup(of: Int.self) { group in
      var missing = (0..<order.count).map { number in (0..<order.count).count { order.isBefore($0, number) } }
      func send(_ number: Int) {
        group.addTask {
          _ = try? await launch.transport.response(to: Toy.request(number))
          return number
        }
      }
      for number in 0..<order.count where missing[number] == 0 { send(number) }
      for await number in group {
        launch.mark("answered \(number)")
        for later in 0..<order.count where order.isBefore(number, later) {
          missing[later] -= 1
          if missing[later] == 0 { send(later) }
        }
      }
    }
  }
}

extension Cassette {
  /// A recording in which each request is answered, with its path as the body, so many milliseconds after it left as its
  /// place.
  static func answering(_ requests: [Request], every spacing: Duration = .milliseconds(10)) -> Cassette {
    var events = [Event(at: .zero, .launch(1))]
    for (index, request) in requests.enumerated() {
      events.append(Event(at: .zero, .call(index + 1, .request(request))))
    }
    for (index, request) in requests.enumerated() {
      let at = Instant.zero + spacing * (index + 1)
      let body = Array(request.location.path.utf8)
      events += [
        Event(at: at, .call(index + 1, .response(ResponseHead(status: 200)))),
        Event(at: at, .call(index + 1, .chunk(bytes: body.count))),
        Event(at: at, .call(index + 1, .end(Content(body)))),
      ]
    }
    events.append(Event(at: .zero + spacing * (requests.count + 1), .closed(Closing(events: events.count))))
    return Cassette(header: CassetteHeader(name: "toy", recorded: "2026-11-30T00:00:00Z", by: "a test"), events: events)
  }
}

extension Contract {
  static func toy(_ rules: String) throws -> Contract {
    let names = (0..<10).map { "mark m\($0) = \"answered \($0)\"\ncall c\($0) = GET https://toy.example/\($0)" }
    return try Contract(
      parsing: "contract \"toy\" version 1\n\(names.joined(separator: "\n"))\n\(rules)\n", file: "toy.contract")
  }
}
