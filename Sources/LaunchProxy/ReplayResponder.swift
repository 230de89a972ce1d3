import LaunchDeck
import LaunchHTTP
import LaunchTrace
import Synchronization

/// Answers requests from a recording, and keeps the trace of them. Shared by all listeners of a replay.
final class ReplayResponder: Sendable {
  /// How a client came here, which decides what a redirect has to look like to bring it here again.
  enum Entrance {
    /// It names recorded hosts and sends its requests to the main listener.
    case proxy
    /// It was given a base URL.
    case base
  }

  /// Exchanges in the order of the requests that asked for them.
  struct Tally {
    /// No end of them was recorded.
    var unended: [Exchange] = []
    /// They had content, and it was not recorded.
    var withoutBody: [Exchange] = []
  }

  let origins: RecordedOrigins
  let log: ReplayLog
  private let speed: ReplaySpeed
  private let encode: PieceEncoder
  private let player: Mutex<Player>
  private let tally = Mutex(Tally())
  private let bases = Mutex<[Origin: String]>([:])

  /// - Parameter encode: Undone encodings are served decoded where it has no codec.
  init(_ trace: Trace, speed: ReplaySpeed, encode: @escaping PieceEncoder = { _, _ in nil }, log: ReplayLog) {
    let player = Player(trace)
    origins = RecordedOrigins(player.exchanges)
    self.player = Mutex(player)
    self.speed = speed.checked()
    self.encode = encode
    self.log = log
  }

  var misses: [Miss] { player.withLock { $0.misses } }
  var unused: [Exchange] { player.withLock { $0.unused } }
  /// The exchanges that were asked for and could not be answered in full.
  var unanswered: Tally { tally.withLock { $0 } }

  /// Makes the base URLs of the origins known, which redirects need.
  func serve(at bases: [Origin: String]) { self.bases.withLock { $0 = bases } }

  /// - Parameters:
  ///   - request: As it stands on the wire.
  ///   - origin: The recorded origin that the request is meant for; nil when there is none.
  func respond(to request: Request, for origin: Origin?, through entrance: Entrance) -> Answer {
    let moment = ContinuousClock.now
    let request = request.composed(for: origin)
    let call = log.begin(request, at: moment)
    func schedule(_ answer: Answer, _ content: Body) {
      log.schedule(ScheduledAnswer(answer, content: content, of: call, to: request.location, from: moment))
    }
    do throws(TransportError) {
      let exchange = try find(request)
      let answer = exchange.answer(to: request, encode: encode).scaled(by: speed)
      schedule(answer, exchange.recordedContent?.body ?? [])
      return redirecting(answer, to: entrance, from: request.location)
    } catch {
      schedule(Answer(parts: [.init(at: .zero, .fault(.error(error)))]), [])
      return Answer(
        head: ResponseHead(status: 502, fields: ["Content-Type": "text/plain; charset=utf-8"]),
        body: Array("\(error.message)\(hint(for: request.location))\n".utf8))
    }
  }

  /// The exchange that answers `request`, which is then used.
  private func find(_ request: Request) throws(TransportError) -> Exchange {
    // The lock is the atomic step: no other request can take the exchange between finding and using it.
    let result = player.withLock { player in
      Result { () throws(Miss) in try player.answer(request) }
    }
    switch result {
    case .failure(let miss): throw TransportError(.unmatched, during: .request, miss.description)
    case .success(let exchange):
      if exchange.end == nil { tally.withLock { $0.unended.append(exchange) } }
      guard exchange.recordedContent?.isMissing == true else { return exchange }
      tally.withLock { $0.withoutBody.append(exchange) }
      let message = "the body of call \(exchange.call) was not recorded; record it again, or add it to the cassette"
      throw TransportError(.protocol, during: .response, message)
    }
  }

  /// What someone should know who took the address of the proxy for a base URL.
  private func hint(for location: Location) -> String {
    guard LoopbackAddress.isLoopback(location.host), origins.origin(of: location) == nil else { return "" }
    let urls = bases.withLock { bases in
      origins.all.compactMap { origin in bases[origin].map { "\(origins.name(of: origin)) is \($0)" } }
    }
    return urls.isEmpty ? "" : "; the base URL of " + urls.joined(separator: ", of ")
  }

  /// A redirect to a recorded origin leads back to this replay: over plain HTTP for a client that comes through the
  /// proxy, to the origin's base URL for one that was given such.
  private func redirecting(_ answer: Answer, to entrance: Entrance, from location: Location) -> Answer {
    guard case .head(let head)? = answer.parts.lazy.map(\.part).first(where: \.isHead),
      head.fields["Location"]?.hasOrigin == true, let target = location.redirectTarget(of: head),
      let origin = origins.all.first(where: { $0 == Origin(of: target) })
    else { return answer }
    let url: String? =
      switch entrance {
      case .proxy: "http://\(origin.authority)"
      case .base: bases.withLock { $0[origin] }
      }
    guard let url else { return answer }
    return answer.mappingHead { $0.fields["Location"] = url + target.target }
  }
}

extension Request {
  /// This request as a client composes it, with the recorded origin in its location and without the header lines that
  /// belong to the connection, to the way here, or to the framing: a transport adds them by itself.
  fileprivate func composed(for origin: Origin?) -> Request {
    var request = self
    if let origin { request.location = origin.location(like: location) }
    let named = fields.elements("Connection")
    request.fields = Fields(
      fields.filter { field in
        !(Self.wireFields + named).contains { $0.equalsIgnoringCase(field.name) }
      })
    return request
  }

  private static let wireFields = [
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection",
    "Proxy-Authorization", "Expect", "TE", "Upgrade",
  ]
}

extension Answer {
  fileprivate func scaled(by speed: ReplaySpeed) -> Answer {
    if speed == .recorded { return self }
    var answer = self
    for index in answer.parts.indices { answer.parts[index].offset = speed.scaled(answer.parts[index].offset) }
    return answer
  }
}

extension Answer.Part {
  fileprivate var isHead: Bool { if case .head = self { true } else { false } }
}

extension String {
  /// Whether this reference names a host, `https://host/path` or `//host/path`.
  fileprivate var hasOrigin: Bool { hasPrefix("//") || (try? Location(parsing: self)) != nil }
}
