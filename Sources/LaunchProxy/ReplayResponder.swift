import LaunchDeck
import LaunchHTTP
import LaunchServer
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
  /// As it was before the first answer: what does not change is asked here, without a lock.
  private let recording: Player
  private let player: Mutex<Player>
  private let shelf = Mutex(Shelf())
  private let paced = Mutex<[Int: PacedAnswer]>([:])
  /// When the recording was cut off; nil for a complete one.
  let recordingCut: Instant?
  private let tally = Mutex(Tally())
  private let bases = Mutex<[Origin: String]>([:])

  /// - Parameter encode: Undone encodings are served decoded where it has no codec.
  init(
    _ trace: Trace, matching: Matching = Matching(), speed: ReplaySpeed,
    encode: @escaping PieceEncoder = { _, _ in nil }, log: ReplayLog
  ) {
    recording = Player(trace, matching: matching)
    recordingCut = trace.isClosed ? nil : trace.end
    origins = RecordedOrigins(recording.exchanges)
    player = Mutex(recording)
    self.speed = speed.checked()
    self.encode = encode
    self.log = log
  }

  var misses: [Miss] { player.withLock { $0.misses } }
  var unused: [Exchange] { player.withLock { $0.unused } }
  /// The exchanges that were asked for and could not be answered in full.
  var unanswered: Tally { tally.withLock { $0 } }

  /// How late the parts of answers were; those of answers that are no replay's are left out.
  func lateness(_ report: PacingReport) -> Lateness {
    let samples = paced.withLock { paced in
      report.samples.compactMap { sample in paced[sample.answer]?.sample(sample, since: log.start, at: speed) }
    }
    return Lateness(samples, schedulingClass: report.schedulingClass == .realTime ? .realTime : .ordinary)
  }

  /// Makes the base URLs of the origins known, which redirects need.
  func serve(at bases: [Origin: String]) { self.bases.withLock { $0 = bases } }

  /// - Parameters:
  ///   - arrival: Its request stands as on the wire.
  ///   - origin: The recorded origin that the request is meant for; nil when there is none.
  func respond(to arrival: Arrival, for origin: Origin?, through entrance: Entrance) -> Reply {
    let request = arrival.request.composed(for: origin)
    do throws(TransportError) {
      let (exchange, isPersonal) = try find(request)
      // What has no end leaves its client waiting, which is a matter of time too. An answer with values of this client is
      // made for it alone.
      if speed == .immediate, exchange.end != nil, !isPersonal {
        return prepared(exchange, request, through: entrance, at: arrival.moment)
      }
      let setUp = arrival.isFirst ? recording.setUp(of: exchange) : .zero
      return paced(exchange, request, through: entrance, at: arrival.moment, after: setUp)
    } catch {
      log.append(request, Answer(parts: [.init(at: .zero, .fault(.error(error)))]), at: arrival.moment)
      return Reply(
        Answer(
          head: ResponseHead(status: 502, fields: ["Content-Type": "text/plain; charset=utf-8"]),
          body: Array("\(error.message)\(hint(for: request.location))\n".utf8)))
    }
  }

  /// The answer of `exchange` with its timing, which begins when the connection would be open.
  private func paced(
    _ exchange: Exchange, _ request: Request, through entrance: Entrance, at moment: Moment, after setUp: Duration
  ) -> Reply {
    let answer = exchange.answer(to: request, encode: encode).scheduled(at: speed, after: setUp)
    let call = log.append(request, answer, content: exchange.recordedContent?.body ?? [], at: moment)
    paced.withLock { $0[call] = PacedAnswer(answer, call: exchange.call, from: moment) }
    var reply = Reply(answer.redirected(to: redirect(answer, to: entrance, from: request.location)))
    reply.number = call
    reply.onLeave = { [log] moment in log.cancel(call, at: moment) }
    return reply
  }

  /// The whole answer of `exchange` at once.
  private func prepared(
    _ exchange: Exchange, _ request: Request, through entrance: Entrance, at moment: Moment
  ) -> Reply {
    let accepted = exchange.recordedContent?.encoding.map { _ in request.fields.values("Accept-Encoding") }
    let key = Shelf.Key(call: exchange.call, entrance: entrance, accepted: accepted)
    let known = shelf.withLock { $0.item(key) }
    if let known, let prepared = known.prepared {
      log.append(request, answeredBy: known.rendition, at: moment)
      return Reply(prepared)
    }
    var asking = request
    asking.body = []
    let make: @Sendable () -> Answer = { [encode, asking] in
      exchange.answer(to: asking, encode: encode).scheduled(at: .immediate, after: .zero)
    }
    let answer = make()
    let rendition = known?.rendition ?? Rendition(of: exchange, answer, make)
    log.append(request, answeredBy: rendition, at: moment)
    let target = redirect(answer, to: entrance, from: request.location)
    let served = answer.redirected(to: target)
    let prepared = PreparedAnswer(served) { make().redirected(to: target) }
    shelf.withLock { $0.keep(Shelf.Item(rendition: rendition, prepared: prepared), as: key) }
    return prepared.map { Reply($0) } ?? Reply(served)
  }

  /// The exchange that answers `request`, which is then used, and whether it may hold values that the clients sent.
  private func find(_ request: Request) throws(TransportError) -> (exchange: Exchange, isPersonal: Bool) {
    let sought = recording.seek(request)
    // The lock is the atomic step: no other request can take the exchange between finding and using it.
    let result = player.withLock { player in
      Result { () throws(Miss) in (try player.answer(request, sought), player.givesBack) }
    }
    switch result {
    case .failure(let miss): throw TransportError(.unmatched, during: .request, miss.description)
    case .success((let exchange, let isPersonal)):
      if exchange.end == nil { tally.withLock { $0.unended.append(exchange) } }
      if exchange.response?.head.status == 101 {
        tally.withLock { $0.withoutBody.append(exchange) }
        let message = "call \(exchange.call) switched protocols, and what followed was not recorded"
        throw TransportError(.protocol, during: .response, message)
      }
      guard exchange.recordedContent?.isMissing == true else { return (exchange, isPersonal) }
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

  /// Where a redirect has to lead so that the client comes back to this replay: over plain HTTP where it comes through
  /// the proxy, to the origin's base URL where it was given such. Nil for anything but a redirect to a recorded origin.
  private func redirect(_ answer: Answer, to entrance: Entrance, from location: Location) -> String? {
    guard let head = answer.finalHead, head.fields["Location"]?.hasOrigin == true,
      let target = location.redirectTarget(of: head),
      let origin = origins.all.first(where: { $0 == Origin(of: target) })
    else { return nil }
    let url: String? =
      switch entrance {
      case .proxy: "http://\(origin.authority)"
      case .base: bases.withLock { $0[origin] }
      }
    return url.map { $0 + target.target }
  }
}

extension Request {
  /// This request as a client composes it, with the recorded origin in its location and without the header lines that
  /// belong to the connection, to the way here, or to the framing: a transport adds them by itself.
  fileprivate func composed(for origin: Origin?) -> Request {
    var request = self
    if let origin { request.location = origin.location(like: location) }
    let names = Self.wireFields + fields.elements("Connection")
    request.fields = Fields(fields.filter { field in !names.contains { $0.equalsIgnoringCase(field.name) } })
    return request
  }

  private static let wireFields = [
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection",
    "Proxy-Authorization", "Expect", "TE", "Upgrade",
  ]
}

extension Answer {
  fileprivate func scheduled(at speed: ReplaySpeed, after setUp: Duration) -> Answer {
    if speed == .recorded, setUp == .zero { return self }
    var answer = self
    for index in answer.parts.indices { answer.parts[index].offset = speed.scaled(setUp + answer.parts[index].offset) }
    return answer
  }

  fileprivate func redirected(to url: String?) -> Answer {
    url.map { url in mappingHead { $0.fields["Location"] = url } } ?? self
  }

  fileprivate var finalHead: ResponseHead? {
    for timed in parts { if case .head(let head) = timed.part { return head } }
    return nil
  }
}

extension String {
  /// Whether this reference names a host, `https://host/path` or `//host/path`.
  fileprivate var hasOrigin: Bool { hasPrefix("//") || (try? Location(parsing: self)) != nil }
}
