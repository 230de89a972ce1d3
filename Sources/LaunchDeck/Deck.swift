public import LaunchCassette
import LaunchFile
import LaunchHTTP
public import LaunchSimulation
public import LaunchTrace
import Synchronization

/// A cassette ready to be replayed under an app's launch code.
///
/// ```swift
/// func testLaunchOrder() throws {
///   let deck = try Deck(cassette: "first-launch")
///   let trace = try deck.simulate { launch in
///     launch.mark("cold start")
///     try await AppLaunch(transport: launch.transport).run()
///   }
///   XCTAssertContract("launch", holdsOn: trace)
/// }
/// ```
///
/// Each replay begins anew, with every exchange unused.
public struct Deck: Sendable {
  /// What every replay answers from.
  public let cassette: Cassette

  /// Every replay starts with a copy.
  private let player: Player

  /// A deck of a cassette that is read already, or made in memory. Walks each recorded request once.
  public init(_ cassette: Cassette, matching: Matching = Matching()) {
    self.cassette = cassette
    player = Player(cassette.trace, matching: matching)
  }

  /// Finds and reads a cassette.
  ///
  /// A name, such as `first-launch`, means `first-launch.cassette` beside the calling file, or in a folder `cassettes` of
  /// its folder or of one above, up to the one that holds `Package.swift`. What contains a slash or ends in `.cassette` is
  /// a path.
  /// - Parameter matching: Which recorded exchange answers a request, where the usual comparison is too strict.
  /// - Throws: `CassetteError`: where it looked when nothing was found, or what is wrong with the cassette.
  public init(
    cassette name: String, matching: Matching = Matching(), file: StaticString = #filePath
  ) throws(CassetteError) {
    if name.contains("/") || name.hasSuffix(".cassette") {
      try self.init(Cassette(path: name), matching: matching)
      return
    }
    let path: String
    do throws(FileError) {
      path = try findFile(named: "\(name).cassette", inFolder: "cassettes", startingAt: "\(file)")
    } catch {
      throw .file(error)
    }
    try self.init(Cassette(path: path), matching: matching)
  }

  /// Runs the launch in a simulation that answers its requests from the cassette, and returns what it really did.
  /// - Parameters:
  ///   - pace: Virtual by default: a launch of 20 seconds takes milliseconds.
  ///   - isStrict: Whether a recorded exchange that the launch never asked for is a failure.
  /// - Throws: `ReplayError` when a request had no recorded answer, with the error it led to in the app; else what the
  ///   launch threw; else `SimulationError` when it never finished.
  public func simulate(
    pace: Pace = .virtual, isStrict: Bool = false, _ launch: @escaping @Sendable (Launch) async throws -> Void
  ) throws -> Trace {
    let replay = replay(pace: pace, launch)
    try replay.check(isStrict: isStrict)
    return replay.trace
  }

  /// The same, with everything there is to know about the replay, however it went.
  public func replay(
    pace: Pace = .virtual, _ launch: @escaping @Sendable (Launch) async throws -> Void
  ) -> Replay {
    let transport = ReplayTransport(player)
    let log = EventLog()
    var failure: (any Error)?
    do {
      try Simulation.run(pace: pace) {
        let tap = Tap(transport, sinks: [log])
        try await launch(Launch(transport: tap))
        tap.finish()
        if let failure = tap.failure { throw failure }
      }
    } catch {
      failure = error
    }
    let trace = log.trace(name: cassette.name)
    return Replay(
      trace: { trace }, failure: failure, misses: transport.misses, unused: transport.unused,
      cutOff: transport.cutOff, recordingCut: cassette.trace.isClosed ? nil : cassette.trace.end,
      lateness: transport.lateness)
  }
}

/// What a replay hands to the app's launch code.
public struct Launch: MarkSink, Outside {
  /// Answers from the cassette, and takes marks, too.
  public let transport: Tap
  /// What outlives the process.
  private let keep: Keep

  package init(transport: Tap, keep: Keep = Keep()) {
    self.transport = transport
    self.keep = keep
  }

  /// Adds the mark to the trace of the replay, as of now.
  public func mark(_ mark: Mark) { transport.mark(mark) }

  /// The process dies and starts again.
  public func relaunch() { transport.relaunch() }

  /// What outlives the process: made when it is first asked for in a run, and the same after the process has died.
  ///
  /// ```swift
  /// let store = launch.kept({ LaunchStore() }, copy: LaunchStore.init(copying:))
  /// ```
  /// One value of each type is kept.
  /// - Parameter copy: Called when the process dies: what its tasks still do while they are cancelled changes the original,
  ///   and the next process gets the copy.
  public func kept<Value: Sendable>(
    _ make: () throws -> Value, copy: @escaping @Sendable (Value) -> Value
  ) rethrows -> Value {
    try keep.value(make, copy: copy)
  }

  public func outcome(of occasion: String, after delay: Duration?, among count: Int) async throws -> Int {
    try await transport.outcome(of: occasion, after: delay, among: count)
  }

  /// Here as well as on every mark sink, so that a test needs no import for it.
  public func mark(_ name: String) { mark(Mark(name)) }
}

/// What outlives the processes of one run.
package final class Keep: Sendable {
  private struct Entry {
    var value: any Sendable
    var copy: @Sendable (any Sendable) -> any Sendable
  }

  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  package init() {}

  func value<Value: Sendable>(
    _ make: () throws -> Value, copy: @escaping @Sendable (Value) -> Value
  ) rethrows -> Value {
    if let kept = entries.withLock({ $0[ObjectIdentifier(Value.self)]?.value as? Value }) { return kept }
    let value = try make()
    entries.withLock {
      $0[ObjectIdentifier(Value.self)] = Entry(value: value) { kept in (kept as? Value).map(copy) ?? kept }
    }
    return value
  }

  /// The process dies now.
  package func die() {
    entries.withLock { entries in
      for (key, entry) in entries { entries[key]?.value = entry.copy(entry.value) }
    }
  }
}
