public import LaunchCassette
public import LaunchContract
public import LaunchDeck
import LaunchHTTP
import LaunchTrace

/// Runs a launch through the orders in which its answers could arrive, and holds contracts against each.
///
/// ```swift
/// var exploration = Exploration(try Cassette(path: "first-launch.cassette"), contracts: [contract]) { launch in
///   try await AppLaunch(transport: launch.transport).run()
/// }
/// let result = exploration.run()
/// for example in result.counterexamples { print(example.explanation) }
/// ```
///
/// Every launch runs in a simulation, in virtual time, answered from the cassette. What is seen of it, requests and marks,
/// divides it into turns: answers that arrive, things outside that come about, and what the app's own timers bring. A schedule
/// is an order of the turns. Each is run twice and has to give the same events.
public struct Exploration {
  /// A part of the work, as `--shard 2/5` says it.
  public struct Shard: Hashable, Sendable {
    /// From 1 to `count`.
    public let number: Int
    public let count: Int

    public static let whole = Shard(number: 1, count: 1)

    fileprivate init(number: Int, count: Int) {
      self.number = number
      self.count = count
    }

    /// Reads `2/5`; nil for what is no part.
    public init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let number = parts[0], let count = parts[1], 1...100_000 ~= count, 1...count ~= number
      else { return nil }
      self.init(number: number, count: count)
    }
  }

  /// How far a run is.
  public struct Progress: Sendable {
    public var schedules: Int
    /// How many units of work are done, of how many.
    public var units: (done: Int, all: Int)
  }

  public let orders: Orders
  public let seed: UInt64
  /// How many schedules an exhaustive exploration may have.
  public let ceiling: Int
  /// Whether a prefix is skipped when what is visible after it was the same after another one.
  public let assumesVisibleState: Bool
  let plan: ExplorationPlan
  var judge: Judge

  /// Prepares an exploration: runs the launch a few times, to see what depends on what and how many schedules there are.
  /// - Parameters:
  ///   - orders: Nil for all orders if they are no more than `ceiling`, else a covering set of every three.
  ///   - isPart: Whether others explore the rest: then nobody counts the schedules beforehand.
  ///   - fallback: Makes what answers the requests of one launch that the cassette has no answer for; without it such a
  ///     launch ends there and says nothing.
  ///   - launch: One process, from its start to its end. It must not keep anything from one call to the next, but what it
  ///     asks `Launch.kept` for.
  public init(
    _ cassette: Cassette, contracts: [Contract], orders: Orders? = nil, varies: Variations = Variations(),
    matching: Matching = Matching(), ceiling: Int = 5_040, seed: UInt64 = 1, assumesVisibleState: Bool = false,
    isPart: Bool = false,
    fallback: @escaping @Sendable () -> Fallback? = { nil },
    launch: @escaping @Sendable (Launch) async throws -> Void
  ) {
    let explorer = Explorer(cassette.trace, matching: matching, varies: varies, fallback: fallback, launch: launch)
    judge = Judge(explorer, contracts, recorded: cassette.trace.exchanges.map(\.request))
    plan = ExplorationPlan(
      &judge, orders: orders, varies: varies, ceiling: ceiling, seed: seed, isPart: isPart,
      isWhole: assumesVisibleState)
    self.orders = plan.orders
    self.seed = seed
    self.ceiling = ceiling
    self.assumesVisibleState = assumesVisibleState
  }

  /// How many parts the work can be divided into.
  package var unitCount: Int { plan.units.count }

  /// Whether it takes longer than starting other processes.
  package var isWorthSharing: Bool {
    switch prediction {
    case .exactly(let count): count >= 200
    case .about: !plan.units.isEmpty
    }
  }

  /// How many schedules there are to run: exactly, or about.
  public var prediction: Prediction { plan.prediction }

  /// Runs the schedules of one part.
  /// - Parameters:
  ///   - budget: How long it may take; then it ends with what it has.
  ///   - progress: Told now and then.
  public mutating func tally(
    shard: Shard = .whole, budget: Duration? = nil, progress: (Progress) -> Void = { _ in }
  ) -> Tally {
    var tally = Tally(ruleCount: judge.ruleCount)
    let deadline = budget.map { ContinuousClock.now + $0 }
    let units = plan.units.indices.filter { $0 % shard.count == shard.number - 1 }
    var skipping = assumesVisibleState ? VisibleStates() : nil
    if assumesVisibleState { judge.watch() }
    for (done, number) in units.enumerated() {
      let isDone = run(plan.units[number], number, &tally, &skipping, deadline) { schedules in
        progress(Progress(schedules: schedules, units: (done, units.count)))
      }
      guard isDone else {
        tally.isCut = true
        return tally
      }
      tally.units.insert(number)
    }
    return tally
  }

  private mutating func run(
    _ unit: ExplorationPlan.Unit, _ number: Int, _ tally: inout Tally, _ skipping: inout VisibleStates?,
    _ deadline: ContinuousClock.Instant?, _ progress: (Int) -> Void
  ) -> Bool {
    func isOver() -> Bool { deadline.map { $0 <= .now } ?? false }
    if isOver() { return false }
    switch unit {
    case .subtree(let prefix):
      var tree = ScheduleTree(below: prefix)
      while let schedule = tree.next {
        if isOver() { return false }
        let run = judge.run(ScheduleChooser(schedule))
        judge.count(run, in: &tally)
        if let (place, isAlike) = skipping?.visit(run, forced: tree.forced) {
          for count in run.counts[place...] { tally.skipped += count - 1 }
          tally.audited += 1
          if !isAlike { tally.misjudged.add(schedule, "schedule \(schedule) went on otherwise than one before it") }
          tree.advance(after: run, before: place)
        } else {
          tree.advance(after: run)
        }
        if tally.schedules % 64 == 0 { progress(tally.schedules) }
      }
    case .order(let places):
      let run = judge.run(OrderChooser(plan.dependencies.steps(places), from: plan.dependencies.recorded))
      judge.count(run, in: &tally)
      tally.realized[number] = plan.places(of: run)
    case .only(let schedule):
      judge.count(judge.run(ScheduleChooser(schedule)), in: &tally)
    case .random(let index):
      let chooser = RandomChooser(
        seed: mixed(seed, index), chains: plan.chains, stepCount: plan.stepCount, depth: plan.depth,
        varies: judge.explorer.varies)
      judge.count(judge.run(chooser), in: &tally)
    }
    progress(tally.schedules)
    return true
  }
}

/// A seed of its own for each run.
private func mixed(_ seed: UInt64, _ index: Int) -> UInt64 {
  var generator = ExploreGenerator(seed: seed &+ UInt64(truncatingIfNeeded: index) &* 0x9e37_79b9_7f4a_7c15)
  return generator.next()
}

/// How many schedules there are.
public enum Prediction: Hashable, Sendable, CustomStringConvertible {
  case exactly(Int)
  /// Estimated by going down the tree of choices at random.
  case about(Double)

  /// `5040`, or `about 1.2e12`
  public var description: String {
    switch self {
    case .exactly(let count): "\(count)"
    case .about(let count): "about \(spaced(count))"
    }
  }
}
