import LaunchDeck
import LaunchHTTP
import LaunchSimulation
import LaunchTrace

/// Runs one launch after the other, each as a chooser has it, and each from the beginning.
struct Explorer {
  /// One launch.
  struct Run {
    /// How it came to an end.
    enum Ending {
      case returned
      case threw(any Error)
      /// It waits for something that never comes, or never stops; and for what.
      case unfinished(String)
      case unanswered(Request, why: String)
    }

    var events: [Event]
    var steps: [Step]
    /// By turn, the request whose answer it is.
    var requests: [Turn: Request]
    /// By step, how much later than usual it came.
    var delays: [Duration]
    var choices: [Int]
    /// By choice: how many options there were.
    var counts: [Int]
    /// By choice, if that is asked for: what was visible, and how many events there were.
    var points: [(state: UInt64, events: Int)] = []
    /// The first request that the recording has no answer for, and the fallback has.
    var lent: Request?
    var ending: Ending

    var schedule: Schedule { Schedule(choices) }

    /// How long the launch took.
    var length: Duration { (events.last?.at ?? .zero) - .zero }
    func trace(named name: String) -> Trace { Trace(name: name, events: events) }
  }

  let name: String
  let varies: Variations
  private(set) var turns = TurnTable()
  /// Tells which requests a rule names, where what is visible at each choice is to be kept.
  var watch: (@Sendable (Request) -> Bool)?
  private let player: Player
  /// By number of the exchange: what the player answers with while it gives nothing back.
  private let recorded: [HeldAnswer]
  private let fallback: @Sendable () -> Fallback?
  private let launch: @Sendable (Launch) async throws -> Void

  /// - Parameters:
  ///   - fallback: Makes what answers the requests of one run that the trace has no answer for.
  ///   - launch: One process, from its start to its end.
  init(
    _ trace: Trace, matching: Matching = Matching(), varies: Variations,
    fallback: @escaping @Sendable () -> Fallback? = { nil },
    launch: @escaping @Sendable (Launch) async throws -> Void
  ) {
    name = trace.name
    self.varies = varies
    let player = Player(trace, matching: matching)
    self.player = player
    recorded = player.exchanges.indices.map { HeldAnswer($0, of: player) }
    self.fallback = fallback
    self.launch = launch
  }

  /// How much virtual time one process may take: more than any launch waits for, little enough for endless timers.
  static let horizon = Duration.seconds(600)

  mutating func run(_ chooser: any Chooser & Sendable) -> Run {
    let director = Director(chooser, turns, varies: varies, watch: watch)
    let transport = HeldTransport(director, player, recorded, fallback: fallback())
    let ending = Processes(director, transport, launch).run()
    let run = director.take()
    turns = run.turns
    return Run(
      events: run.events, steps: run.steps, requests: run.requests, delays: run.delays, choices: run.choices,
      counts: run.counts,
      points: run.points, lent: transport.lent, ending: ending
    )
  }
}

/// The processes of one launch.
private struct Processes {
  private let director: Director
  private let transport: HeldTransport
  private let launch: @Sendable (Launch) async throws -> Void

  init(
    _ director: Director, _ transport: HeldTransport, _ launch: @escaping @Sendable (Launch) async throws -> Void
  ) {
    self.director = director
    self.transport = transport
    self.launch = launch
  }

  func run() -> Explorer.Run.Ending {
    while true {
      var failure: (any Error)?
      do {
        try Simulation.run(horizon: Explorer.horizon, driver: director) { [director, transport, launch] in
          let tap = director.makeTap(over: transport)
          try await launch(Launch(transport: tap, keep: director.keep))
          tap.finish()
          if let failure = tap.failure { throw failure }
        }
      } catch {
        failure = error
      }
      switch director.takeInterruption() {
      case .death: continue
      case .unanswered(let request, let why): return .unanswered(request, why: why)
      case nil: break
      }
      switch failure {
      case nil: return .returned
      case let error as SimulationError where error.isAboutWaiting:
        return .unfinished("\(waits(director.takeAbandoned())): \(error)")
      case let error?: return .threw(error)
      }
    }
  }
}

/// `it waits for the answer to GET a/1 and the push token`
private func waits(_ names: [String]) -> String {
  guard let last = names.last else { return "it waits for nothing that is still to come from outside" }
  let first = names.dropLast().joined(separator: ", ")
  return "it waits for \(first.isEmpty ? last : "\(first) and \(last)")"
}

extension SimulationError {
  /// Whether the launch only took too long; else it has left the simulation.
  fileprivate var isAboutWaiting: Bool {
    switch self {
    case .hang, .horizonReached, .spinning: true
    case .ended, .escaped, .blocked, .nested: false
    }
  }
}
