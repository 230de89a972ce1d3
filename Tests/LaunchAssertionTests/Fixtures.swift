import LaunchDeck
import LaunchHTTP
import LaunchTrace

/// Traces for `contracts/order.contract` beside these tests.
enum Fixtures {
  static let kept = trace("ATT answered", "start adjust initialization", "home")
  static let broken = trace("start adjust initialization", "ATT answered", "home")
  static let idle = trace("ATT answered", "home")

  static let explanation =
    "breaks when the answer to GET api.example.com/start comes before the answer to GET api.example.com/consent; nothing else need change"

  /// Starts Adjust when both answers are there.
  @Sendable static func careful(_ launch: Launch) async throws {
    async let consent = launch.transport.response(to: request("consent"))
    async let start = launch.transport.response(to: request("start"))
    _ = try await consent
    launch.mark("ATT answered")
    _ = try await start
    launch.mark("start adjust initialization")
    launch.mark("home")
  }

  /// Starts Adjust whenever it is told to.
  @Sendable static func careless(_ launch: Launch) async throws {
    async let starting: Void = {
      _ = try await launch.transport.response(to: request("start"))
      launch.mark("start adjust initialization")
    }()
    _ = try await launch.transport.response(to: request("consent"))
    launch.mark("ATT answered")
    try await starting
    launch.mark("home")
  }

  private static func request(_ name: String) -> Request {
    Request(method: "GET", location: Location(scheme: "https", host: "api.example.com", path: "/\(name)"))
  }

  private static func trace(_ marks: String...) -> Trace {
    let events = marks.enumerated().map { index, name in
      Event(at: Instant(microseconds: Int64(index) * 1000), .mark(Mark(name)))
    }
    let closing = Event(at: events.last?.at ?? .zero, .closed(Closing(events: events.count)))
    return Trace(name: "fixture", events: events + [closing])
  }
}
