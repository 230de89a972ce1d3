import LaunchCassette
import LaunchClients
import LaunchCurl
import LaunchDeck
import LaunchFile
import LaunchHTTP
import LaunchTrace
import Synchronization

/// One launch to be recorded over libcurl, as `record` and `demo` do it.
struct Recording {
  let flow: Flow
  let path: String
  let replaces: Bool
  let routes: RouteTable
  /// What the user and the system do; nil for the flow's own.
  var scenario: LaunchScenario?
  /// Real vendors, which need credentials; nil for stand-ins alone.
  var access: VendorAccess?
  /// What the app knows.
  var history = LaunchHistory()
  var rules = RedactionRules.builtIn
  /// What answers before the network does.
  var recorded: Cassette?

  /// Runs the flow and writes the cassette.
  /// - Returns: The cassette as it was read back, and what answered from `recorded`.
  /// - Throws: `Failure` when it was interrupted or could not be written; what the recorder throws otherwise.
  func run() async throws -> (cassette: Cassette, fill: FillTransport?) {
    let live = CurlTransport(routes: routes)
    defer { live.close() }
    let fill = recorded.map { FillTransport($0.trace, matching: matching, live: live) }
    let watch = TrustWatch(fill ?? live, hosts: access?.hosts ?? [])
    var recorder = Recorder(path: path, by: "launchtape \(Launchtape.version)", replaces: replaces)
    recorder.rules = rules
    recorder.secrets = access?.secrets.map { ($0.kind, $0.value) } ?? []
    if let recorded { recorder.pseudonyms = recorded.trace.pseudonyms(by: rules) }
    recorder.unpacker = RedactionOption.unpacker
    do {
      try await interruptible { [flow, scenario, history, recorder, credentials = access?.credentials] in
        try await recorder.record(over: watch) { tap in
          try await watch.guarding {
            try await flow.run(
              tap, scenario: scenario, device: history.device, credentials: credentials ?? .sample,
              store: history.store)
          }
        }
      }
    } catch let error as DistrustError {
      throw Failure(
        message: "the recording was ended: \(error)",
        next: access?.authorityFile == nil
          ? "if the host's authority is your own, name its certificate: LAUNCHTAPE_CA_FILE=… in the file of --env"
          : "only the certificates in the file that LAUNCHTAPE_CA_FILE names are trusted")
    } catch let error as FileError where regularFileExists(path + ".part") {
      throw Failure(
        message: "the recording failed: \(error)", next: "what there is of it: launchtape show \(path).part")
    }
    return (try Files.cassette(at: path), fill)
  }

  /// How `recorded` answers.
  private var matching: Matching {
    var matching = Matching()
    matching.decode = { Files.decoded($0, from: $1) }
    matching.redactionRules = rules
    return matching
  }

  /// Runs `body` and cancels it at Ctrl-C, SIGTERM or SIGHUP.
  private func interruptible(_ body: sending @escaping () async throws -> Void) async throws {
    let interruptions = Signals.interruptions()
    let recording = Task { try await body() }
    let isInterrupted = Mutex(false)
    let watch = Task {
      for await _ in interruptions {
        isInterrupted.withLock { $0 = true }
        recording.cancel()
      }
    }
    // Another Ctrl-C must kill neither the recording while it is put in order, nor the command before it has said so: an
    // interrupted one goes on listening until the process ends.
    let result = await recording.result
    if !isInterrupted.withLock(\.self) { watch.cancel() }
    if case .failure(let error) = result {
      guard isInterrupted.withLock(\.self), !(error is FileError || error is LeakError) else { throw error }
      throw Failure(
        message: "interrupted; what was recorded until then is the cut cassette \(path).part",
        next: "look at it with: launchtape show \(path).part", isInterruption: true)
    }
  }
}
