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

  /// What answers use up.
  private struct State {
    var player: Player
    var shelf = Shelf()
    var tally = Tally()
  }

  /// What the request before had, and mostly the next one has, too.
  private struct Last {
    var head: PreparedHead?
    /// As on the wire, and as a client composes them.
    var fields: (wire: Fields, composed: Fields) = ([:], [:])
  }

  /// What a request has found.
  private struct Found {
    /// The number of the exchange.
    var number: Int
    /// The exchange, where it may hold values that the clients sent.
    var personal: Exchange?
    /// Whether it is encoded and has answered before.
    var isRepeated = false
    /// What is ready of it.
    var shelved: Shelf.Item?
  }

  let origins: RecordedOrigins
  let log: ReplayLog
  private let speed: ReplaySpeed
  private let renditions: Renditions
  /// As it was before the first answer: what does not change is asked here, without a lock.
  private let recording: Player
  /// Of each exchange.
  private let traits: [AnswerTraits]
  private let state: Mutex<State>
  private let last = Mutex(Last())
  private let paced = Mutex<[Int: PacedAnswer]>([:])
  /// When the recording was cut off; nil for a complete one.
  let recordingCut: Instant?
  private let bases = Mutex<[Origin: String]>([:])

  /// - Parameters:
  ///   - encode: Undone encodings are served decoded where it has no codec.
  ///   - sinks: Each gets every event of the trace, in order.
  init(
    _ trace: Trace, matching: Matching = Matching(), speed: ReplaySpeed,
    encode: @escaping PieceEncoder = { _, _ in nil }, sinks: [any EventSink] = []
  ) {
    recording = Player(trace, matching: matching)
    recordingCut = trace.isClosed ? nil : trace.end
    origins = RecordedOrigins(recording.exchanges)
    renditions = Renditions(exchanges: recording.exchanges, encode: encode)
    traits = recording.exchanges.map { AnswerTraits($0) }
    state = Mutex(State(player: recording))
    log = ReplayLog(renditions, sinks: sinks)
    self.speed = speed.checked()
  }

  var misses: [Miss] { state.withLock { $0.player.misses } }
  var unused: [Exchange] { state.withLock { $0.player.unused } }
  /// The exchanges that were asked for and could not be answered in full.
  var unanswered: Tally { state.withLock { $0.tally } }

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
    let request = composed(arrival.request, for: origin)
    do throws(TransportError) {
      let found = try find(request)
      // What has no end leaves its client waiting, which is a matter of time too.
      if found.personal == nil, isDueAtOnce(found.number) {
        return atOnce(found, request, through: entrance, at: arrival.moment)
      }
      let exchange = found.personal ?? recording.exchanges[found.number]
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

  /// The request as a client composes it, with the recorded origin in its location and without the header lines that
  /// belong to the connection, to the way here, or to the framing: a transport adds them by itself.
  private func composed(_ request: Request, for origin: Origin?) -> Request {
    var request = request
    if let origin { request.location = origin.location(like: request.location) }
    request.fields = last.withLock { last in
      if last.fields.wire != request.fields { last.fields = (request.fields, request.fields.composed) }
      return last.fields.composed
    }
    return request
  }

  /// The answer of `exchange` with its timing, which begins when the connection would be open.
  private func paced(
    _ exchange: Exchange, _ request: Request, through entrance: Entrance, at moment: Moment, after setUp: Duration
  ) -> Reply {
    let answer = exchange.answer(to: request, encode: renditions.encode).scheduled(at: speed, after: setUp)
    let call = log.append(request, answer, content: exchange.recordedContent?.body ?? [], at: moment)
    paced.withLock { $0[call] = PacedAnswer(answer, call: exchange.call, from: moment) }
    var reply = Reply(answer.redirected(to: redirect(answer, to: entrance, from: request.location)))
    reply.number = call
    reply.onLeave = { [log] moment in log.cancel(call, at: moment) }
    return reply
  }

  private func isDueAtOnce(_ number: Int) -> Bool { speed == .immediate && !traits[number].contains(.isUnended) }

  /// The whole answer at once.
  private func atOnce(_ found: Found, _ request: Request, through entrance: Entrance, at moment: Moment) -> Reply {
    let number = found.number
    if let ready = found.shelved ?? plain(number) {
      log.append(request, answeredBy: number, partCount: ready.eventCount, redirect: nil, at: moment)
      return Reply(ready.prepared)
    }
    let answer = renditions.answer(of: number, to: request)
    let head = answer.finalHead.flatMap { (300..<400).contains($0.status) ? $0 : nil }
    let partCount = answer.eventCount
    log.append(request, answeredBy: number, partCount: partCount, redirect: head, at: moment)
    let target = redirect(answer, to: entrance, from: request.location)
    let served = answer.redirected(to: target)
    guard found.isRepeated, head == nil, let prepared = PreparedAnswer(served) else { return Reply(served) }
    let item = Shelf.Item(prepared: prepared, eventCount: partCount)
    state.withLock { $0.shelf.keep(item, as: key(number, request)) }
    return Reply(prepared)
  }

  /// The answer of an exchange that has the same one for every client.
  private func plain(_ number: Int) -> Shelf.Item? {
    guard let plain = PlainAnswer(number, of: recording.exchanges) else { return nil }
    let content = plain.content.body.slice
    let head = last.withLock { last in
      if last.head?.isOf(plain.head, contentLength: content.count) != true {
        last.head = PreparedHead(plain.head, contentLength: content.count)
      }
      return last.head
    }
    return head.map { Shelf.Item(prepared: PreparedAnswer($0, content), eventCount: plain.eventCount) }
  }

  private func key(_ number: Int, _ request: Request) -> Shelf.Key {
    Shelf.Key(exchange: number, accepted: request.fields.values("Accept-Encoding"))
  }

  /// The exchange that answers `request`, which is then used.
  private func find(_ request: Request) throws(TransportError) -> Found {
    let sought = recording.seek(request)
    // The lock is the atomic step: no other request can take the exchange between finding and using it.
    let result = state.withLock { state in
      Result { () throws(Miss) in try take(request, sought, from: &state) }
    }
    switch result {
    case .failure(let miss): throw TransportError(.unmatched, during: .request, miss.description)
    case .success(let found):
      let call = recording.exchanges.call(of: found.number)
      if traits[found.number].contains(.switchesProtocols) {
        let message = "call \(call) switched protocols, and what followed was not recorded"
        throw TransportError(.protocol, during: .response, message)
      }
      guard traits[found.number].contains(.isWithoutBody) else { return found }
      let message = "the body of call \(call) was not recorded; record it again, or add it to the cassette"
      throw TransportError(.protocol, during: .response, message)
    }
  }

  private func take(
    _ request: Request, _ sought: Catalog.Sought, from state: inout State
  ) throws(Miss) -> Found {
    var found = Found(number: try state.player.take(request, sought))
    let traits = traits[found.number]
    if traits.contains(.isUnended) { state.tally.unended.append(recording.exchanges[found.number]) }
    if !traits.isDisjoint(with: [.switchesProtocols, .isWithoutBody]) {
      state.tally.withoutBody.append(recording.exchanges[found.number])
    }
    if state.player.givesBack {
      // Made for this client alone.
      found.personal = state.player.answer(of: found.number)
    } else if traits.contains(.isEncoded), isDueAtOnce(found.number) {
      found.isRepeated = state.shelf.noteAnswer(of: found.number)
      if found.isRepeated { found.shelved = state.shelf.item(key(found.number, request)) }
    }
    return found
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

extension Fields {
  /// Those that a client sets.
  fileprivate var composed: Fields {
    let names = Self.wireFields + elements("Connection")
    return Fields(filter { field in !names.contains { $0.equalsIgnoringCase(field.name) } })
  }

  private static let wireFields = [
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Proxy-Connection",
    "Proxy-Authorization", "Expect", "TE", "Upgrade",
  ]
}

extension Answer {
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
