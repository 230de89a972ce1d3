/// Decides what a simulation leaves open: which ready job runs next, and what happens before time moves.
///
/// Called on the simulation's thread, between jobs. Without a driver, jobs run in the order in which they became ready.
/// With one, the tasks that are left when the body has ended are cancelled at once, as by `Simulation.end()`.
package protocol SimulationDriver: AnyObject {
  /// Which of the ready jobs runs next, as an index into them in the order in which they became ready. Called only when
  /// there are two or more.
  func nextJob(of count: Int) -> Int

  /// Called when no job is ready, before time moves to `simulation.nextDue`.
  ///
  /// It may make jobs ready (resume continuations), move time itself with `simulation.advance(to:)`, or end the run with
  /// `simulation.end()`; it is then called again once nothing is ready. When it does none of these, time moves to the
  /// next sleeper, or the run hangs.
  func simulationIsIdle(_ simulation: Simulation)

  /// Called when the run is over and drained, whatever its end: the last look at `now`, `progress` and `leftOver`.
  func didEnd(_ simulation: Simulation)
}

extension SimulationDriver {
  package func didEnd(_ simulation: Simulation) {}
}
