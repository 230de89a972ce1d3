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
    var shelf: Shelf
    var tally = Tally()
  }

  /// What a request has found.
  private struct Found {
    /// The number of the exchange.
    var number: Int
    /// The exchange, where it may hold values that the clients sent.
    var personal: Exchange?
    /// Whether it has answered before.
    var isRepeated = false
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
    state = Mutex(State(player: recording, shelf: Shelf(exchangeCount: traits.count)))
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
    let request = arrival.request.composed(for: origin)
    do throws(TransportError) {
      let found = try find(request, through: entrance)
      if let known = found.shelved {
        log.append(
          request, answeredBy: found.number, partCount: known.eventCount, redirect: known.redirect,
          at: arrival.moment)
        return Reply(known.prepared)
      }
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

  /// The whole answer at once, put on the shelf when it was given before.
  private func atOnce(_ found: Found, _ request: Request, through entrance: Entrance, at moment: Moment) -> Reply {
    let number = found.number
    let answer = renditions.answer(of: number, to: request)
    let head = answer.finalHead.flatMap { (300..<400).contains($0.status) ? $0 : nil }
    let partCount = answer.eventCount
    log.append(request, answeredBy: number, partCount: partCount, redirect: head, at: moment)
    let target = redirect(answer, to: entrance, from: request.location)
    let served = answer.redirected(to: target)
    guard found.isRepeated else { return Reply(served) }
    let make: @Sendable () -> Answer = { [renditions, fields = request.fields] in
      var request = renditions.exchanges.request(of: number)
      request.fields = fields
      return renditions.answer(of: number, to: request).redirected(to: target)
    }
    guard let prepared = PreparedAnswer(served, make) else { return Reply(served) }
    let item = Shelf.Item(prepared: prepared, eventCount: partCount, redirect: head)
    state.withLock { $0.shelf.keep(item, as: key(number, request, through: entrance)) }
    return Reply(prepared)
  }

  private func key(_ number: Int, _ request: Request, through entrance: Entrance) -> Shelf.Key {
    let accepted = traits[number].contains(.isEncoded) ? request.fields.values("Accept-Encoding") : nil
    return Shelf.Key(exchange: number, entrance: entrance, accepted: accepted)
  }

  /// The exchange that answers `request`, which is then used.
  private func find(_ request: Request, through entrance: Entrance) throws(TransportError) -> Found {
    let sought = recording.seek(request)
    // The lock is the atomic step: no other request can take the exchange between finding and using it.
    let result = state.withLock { state in
      Result { () throws(Miss) in try take(request, sought, through: entrance, from: &state) }
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
    _ request: Request, _ sought: Catalog.Sought, through entrance: Entrance, from state: inout State
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
    } else if isDueAtOnce(found.number) {
      found.isRepeated = state.shelf.noteAnswer(of: found.number)
      if found.isRepeated { found.shelved = state.shelf.item(key(found.number, request, through: entrance)) }
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
