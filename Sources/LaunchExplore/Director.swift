import LaunchDeck
import LaunchHTTP
import LaunchSimulation
import LaunchTrace
import Synchronization

/// Decides in one run when everything from outside happens, by asking a chooser; and keeps what happened.
///
/// It gets its turn when the app has nothing left to do. What is pending then may arrive, or time passes to the app's next
/// timer. The first option is always what the recording did: whatever is due first. A pending arrival for which time did not
/// stop when it was due is *held*: from then on the recording has no place for it, and it arrives when it is chosen, or a
/// minute late.
///
/// What an arrival is taken out of turn for happens at its recorded instant if no timer of the app's lies before that, else
/// at the instant of the timer; never in the past.
final class Director: SimulationDriver, EventSink {
  /// How an arrival ends for the one who waits for it.
  enum Release: Sendable {
    /// With the number of the outcome.
    case outcome(Int)
    case timedOut
    case cancelled
  }

  /// How a run ended, short of what its code threw.
  enum Interruption: Sendable {
    /// A request had no answer.
    case unanswered(Request, why: String)
    /// The process died.
    case death
  }

  private let varies: Variations
  private let state: Mutex<Situation>
  /// The tap of the process that lives.
  private let living = Mutex<Tap?>(nil)
  /// What outlives a process.
  let keep = Keep()

  /// - Parameter watch: Tells which requests a rule names, where what is visible at each choice is to be kept.
  init(
    _ chooser: any Chooser & Sendable, _ turns: TurnTable, varies: Variations,
    watch: (@Sendable (Request) -> Bool)? = nil
  ) {
    self.varies = varies
    state = Mutex(Situation(chooser, turns, varies, watch: watch))
  }

  // Called on the simulation's thread only; the lock is for the compiler.

  func append(_ event: Event) { state.withLock { $0.events.append(event) } }

  func nextJob(of count: Int) -> Int {
    guard varies.jobs else { return 0 }
    let now = Simulation.current?.now ?? .zero
    return state.withLock { $0.choose(among: (0..<count).map(Option.job), at: now) }
  }

  func simulationIsIdle(_ simulation: Simulation) {
    let (now, nextDue) = (simulation.now, simulation.nextDue)
    let move = state.withLock { $0.next(now: now, nextDue: nextDue, varies) }
    switch consume move {
    case .wake: break
    case .release(let continuation, let release, let instant):
      if instant > now { simulation.advance(to: instant) }
      continuation.resume(returning: release)
    case .death: interrupt(.death)
    }
  }

  /// The tap of the next process, the first one included.
  func makeTap(over transport: any Transport) -> Tap {
    let tap = living.withLock(\.self).map { Tap(after: $0, transport: transport) } ?? Tap(transport, sinks: [self])
    living.withLock { $0 = tap }
    return tap
  }

  /// Ends the process at once, so that nothing of it is seen any more.
  private func interrupt(_ interruption: Interruption) {
    let isFirst = state.withLock { state in
      defer { state.interruption = state.interruption ?? interruption }
      return state.interruption == nil
    }
    guard isFirst else { return }
    living.withLock(\.self)?.die()
    keep.die()
    Simulation.current?.end()
  }

  /// Waits until the run lets `name` arrive.
  /// - Parameters:
  ///   - delay: When it usually does; nil never.
  ///   - outcomes: How many ways there are.
  ///   - request: Whose answer it is: the client gives up after its time-out, and other outcomes are faults.
  func arrival(
    _ name: String, after delay: Duration?, outcomes: Int, answering request: Request? = nil
  ) async -> Release {
    guard let simulation = Simulation.current else { return .cancelled }
    let now = simulation.now
    let number = state.withLock { state in
      state.pendingCount += 1
      return state.pendingCount
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = Task.isCancelled
        let refused: CheckedContinuation<Release, Never>? = state.withLock { state in
          guard !isCancelled, state.interruption == nil else { return continuation }
          let turn = state.nextTurn(name)
          state.requests[turn] = request
          state.pending.append(
            Situation.Pending(
              number: number, turn: turn, due: delay.map { now + $0 },
              deadline: request?.timeout.map { now + $0 }, outcomes: outcomes, isExchange: request != nil,
              continuation: continuation))
          return nil
        }
        refused?.resume(returning: .cancelled)
      }
    } onCancel: {
      let isOver = Simulation.current?.isOver == true
      let cancelled = state.withLock { state in
        if isOver { state.noteAbandoned(number) }
        return state.remove(number)
      }
      cancelled?.resume(returning: .cancelled)
    }
  }

  /// What the run still waited for when it was over, as it stands behind "waits for".
  func takeAbandoned() -> [String] {
    state.withLock { state in
      defer { state.abandoned = [] }
      return state.abandoned.sorted().map { state.turns.name(of: $0) }
    }
  }

  /// Ends the run: nothing answers `request`.
  func giveUp(on request: Request, why: String) { interrupt(.unanswered(request, why: why)) }

  /// Why the run was interrupted since the last time; the next process may go on.
  func takeInterruption() -> Interruption? {
    state.withLock { state in
      defer { state.interruption = nil }
      state.pending = []
      return state.interruption
    }
  }

  /// What the run came to, when it is over.
  func take() -> Situation {
    // The tap holds on to this, its sink.
    living.withLock { $0 = nil }
    return state.withLock { state in
      state.noteWake()
      return state
    }
  }
}
