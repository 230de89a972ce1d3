public import LaunchContract
public import LaunchDeck
public import LaunchHTTP
public import LaunchTrace
import LaunchServer

/// Serves a recording on loopback, for any client that can be given a base URL or a proxy.
///
/// ```swift
/// let server = try ReplayServer(cassette.trace)
/// print(server.url)                            // http://127.0.0.1:40001, for http_proxy
/// for base in server.bases { print(base.name, base.url) }
/// server.mark("splash launch")
/// let served = server.finish()
/// try served.replay.check()
/// ```
///
/// Every recorded exchange answers one request, with the recorded timing counted from the moment the request was
/// complete. A request that no exchange answers gets 502 with the reason; nothing is ever sent anywhere. The page
/// <doc:ReplayServer> has the whole story: addresses, control endpoint, what the trace tells.
public final class ReplayServer: MarkSink {
  /// How a replay is served.
  public struct Options: Sendable {
    /// Where the main listener is.
    public var address = LoopbackAddress.anyPort
    /// Fixed addresses for hosts, by the names that `bases` gives; the others get free ports.
    public var mapped: [String: LoopbackAddress] = [:]
    public var speed = ReplaySpeed.recorded
    /// What makes a request the same as a recorded one; its host map is not needed here, since `mapped` is one.
    public var matching = Matching()
    /// Gives clients that take it the content encoding that the recording undid; by default it is served decoded.
    public var encode: PieceEncoder = { _, _ in nil }
    /// What the control endpoint gives verdicts on.
    public var contracts: [Contract] = []
    /// Each gets every event of the trace, in order; parts of an answer no later than with whatever happens next.
    public var sinks: [any EventSink] = []

    public init() {}
  }

  /// A recorded origin, and the URL that stands for it.
  public struct Base: Hashable, Sendable {
    /// The host; with scheme or port where the recording has several origins of it: `api.onesignal.com`.
    public let name: String
    public let origin: Origin
    /// `127.0.0.1:9001`, as route tables take it.
    public let address: String
    /// `http://127.0.0.1:9001`
    public var url: String { "http://\(address)" }
  }

  /// In the order of their first recorded request.
  public let bases: [Base]
  private let name: String
  private let replay: ReplayResponder
  private let main: LaunchServer
  private let control: LaunchServer
  private let hosts: [LaunchServer]
  private let pacing: Pacing
  private let finishes: AsyncStream<Void>

  /// Starts listening: one port for proxied requests, one for the control endpoint, one for each recorded origin.
  /// - Throws: `ReplayServerError` when a port is taken, or an address was given for a host that was not recorded.
  /// - Precondition: The speed lies between 0.01 and 100.
  public init(_ trace: Trace, _ options: Options = Options()) throws(ReplayServerError) {
    let replay = ReplayResponder(
      trace, matching: options.matching, speed: options.speed, encode: options.encode,
      sinks: options.sinks)
    let origins = replay.origins
    for host in options.mapped.keys.sorted() where origins.named(host) == nil {
      throw .notRecorded(host: host, recorded: origins.all.map(origins.name))
    }
    let (finishes, continuation) = AsyncStream<Void>.makeStream()
    let endpoint = ControlEndpoint(
      name: trace.name, replay: replay, contracts: options.contracts, onFinish: { continuation.yield() })

    let pacing: Pacing
    do throws(ServerError) { pacing = try Pacing() } catch { throw .server(error) }
    // Whatever fails below, the thread has somebody who leaves it.
    pacing.join()
    defer { pacing.leave() }
    var doors = Doors(origins: origins, endpoint: endpoint)
    var bases: [Base] = []
    var hosts: [LaunchServer] = []
    for origin in origins.all {
      let address = options.mapped.first { origins.named($0.key) == origin }?.value ?? .anyPort
      let host = try serve(at: address, pacing) { replay.respond(to: $0, for: origin, through: .base) }
      doors.ports[host.portNumber] = .origin(origin)
      hosts.append(host)
      bases.append(Base(name: origins.name(of: origin), origin: origin, address: host.address))
    }
    let urls = bases.map { ($0.origin, $0.url) }
    replay.serve(at: Dictionary(urls) { first, _ in first })
    control = try serve(at: .anyPort, pacing) { endpoint.respond(to: $0.request) }
    doors.ports[control.portNumber] = .control
    main = try serve(at: options.address, pacing) { [doors] in doors.respond(to: $0) }
    name = trace.name
    self.bases = bases
    self.hosts = hosts
    self.pacing = pacing
    self.replay = replay
    self.finishes = finishes
  }

  /// What proxy variables name: takes requests in absolute form, and requests whose `Host` line names a recorded host.
  public var url: String { "http://\(main.address)" }

  /// Where marks are posted and verdicts are asked for.
  public var controlURL: String { "http://\(control.address)" }

  /// `inherited` with the variables that lead a program here: proxies, base URLs, the control endpoint.
  public func environment(over inherited: [String: String]) -> [String: String] {
    ReplayEnvironment(
      proxy: url, control: controlURL, bases: bases.map { ReplayEnvironment.Base(name: $0.name, url: $0.url) }
    ).variables(over: inherited)
  }

  /// Adds the mark to the trace, as of now. After the end it is lost.
  public func mark(_ mark: Mark) { _ = replay.log.mark([mark]) }

  /// What clients have done so far.
  public var trace: Trace { replay.log.trace(name: name) }

  /// Returns when a client has posted to `/finish`, or the task is cancelled. For one task.
  public func finishRequested() async {
    for await _ in finishes { return }
  }

  /// Returns when the control endpoint's last answer is sent or given up, once the server was stopped. A process that ends
  /// earlier takes the verdict away from whoever posted to `/finish`.
  public func controlClosed() async { await control.finished() }

  /// Closes the trace, stops serving, and tells how it went. Answers under way may end, and no longer count.
  public func finish() -> ServedReplay {
    replay.log.finish()
    for server in [main, control] + hosts { server.stop() }
    let unanswered = replay.unanswered
    return ServedReplay(
      replay: Replay(
        trace: { [log = replay.log, name] in log.trace(name: name) }, misses: replay.misses, unused: replay.unused,
        cutOff: [], recordingCut: replay.recordingCut,
        lateness: replay.lateness(pacing.report)),
      served: replay.log.events, unended: unanswered.unended, withoutBody: unanswered.withoutBody,
      slowClients: pacing.report.slowClients)
  }
}

/// How a served replay went.
public struct ServedReplay: Sendable {
  /// Its trace is what the clients did, as the server saw it.
  public var replay: Replay
  let served: ServedTrace
  /// The events of that trace, made one after the other, for who does not need them all at once.
  public var events: some Sequence<Event> & Sendable { served }
  /// The exchanges that were asked for and left their clients waiting, because no end of them was recorded.
  public var unended: [Exchange]
  /// The exchanges that were asked for and got 502, because their content was not recorded.
  public var withoutBody: [Exchange]
  /// How many answers had to wait for a client that did not take what was due; their lateness is not counted.
  public var slowClients: Int
}

private func serve(
  at address: LoopbackAddress, _ pacing: Pacing, reply: @escaping @Sendable (Arrival) -> Reply
) throws(ReplayServerError) -> LaunchServer {
  do throws(ServerError) {
    return try LaunchServer(port: address.portNumber, pacing: pacing, reply: reply)
  } catch {
    throw .server(error)
  }
}
