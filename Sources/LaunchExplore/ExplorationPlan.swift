/// What an exploration is going to run, worked out alike by everyone who takes part in it.
struct ExplorationPlan {
  enum Unit: Hashable {
    /// All schedules that begin so.
    case subtree(prefix: [Int])
    /// The turns in this order, as places among the dependencies.
    case order([Int])
    /// The chance run with this number.
    case random(Int)
    /// Just this schedule.
    case only(Schedule)
  }

  let orders: Orders
  let dependencies: Dependencies
  let prediction: Prediction
  private(set) var units: [Unit] = []
  /// The sequences that a covering set has to bring about.
  private(set) var sequences: Sequences?
  /// For chance runs: what follows from each other.
  let chains: [[Turn]]
  /// How many steps the launch has that chance could decide on.
  let stepCount: Int
  let depth: Int
  /// What a single schedule comes to: another one when it does not fit the launch.
  private(set) var actual: Schedule?
  /// How many orders of what rules name there can be; nil when there are too many to count.
  let classCount: Int?

  /// - Parameters:
  ///   - isPart: Whether others explore the rest: then the schedules are not counted.
  ///   - isWhole: Whether all schedules are one unit, so that each can be compared with all before it.
  init(
    _ judge: inout Judge, orders: Orders?, varies: Variations, ceiling: Int, seed: UInt64, isPart: Bool, isWhole: Bool
  ) {
    var explorer = judge.explorer
    dependencies = Dependencies(&explorer)
    judge.adopt(explorer)
    let dependencies = dependencies
    let arrivals = dependencies.arrivals
    chains = dependencies.order.restricted(to: arrivals).chains().map { $0.map { dependencies.turns[arrivals[$0]] } }
    stepCount = dependencies.recorded.steps.count
    let named = arrivals.filter { judge.names(dependencies.turns[$0], in: dependencies.recorded) }
    classCount = dependencies.order.restricted(to: named).linearExtensionCount()
    if let orders, orders != .exhaustive {
      self.orders = orders
    } else {
      var prediction = Self.count(&judge, dependencies, varies, upTo: isPart ? 0 : ceiling, seed)
      if isPart, orders != nil { prediction = .about(0) }
      let fits =
        switch prediction {
        case .exactly(let count): count <= ceiling;
        case .about: isPart && orders != nil
        }
      if orders != nil || fits {
        self.orders = .exhaustive
        self.prediction = prediction
        depth = 0
        if fits { units = isWhole ? [.subtree(prefix: [])] : Self.subtrees(&judge).map(Unit.subtree) }
        return
      }
      self.orders = .covering(3)
    }
    switch self.orders {
    case .exhaustive: preconditionFailure("all orders have been planned")
    case .only(let schedule):
      units = [.only(schedule)]
      actual = judge.run(ScheduleChooser(schedule)).schedule
      prediction = .exactly(1)
      depth = 0
    case .covering(let strength):
      let all = Sequences(dependencies.order, strength: strength)
      sequences = all
      units = CoveringOrders(dependencies.order, all, seed: seed).orders.map(Unit.order)
      units += dependencies.late.map(Unit.only)
      self.prediction = .exactly(units.count)
      depth = 0
    case .random(let runs, let depth):
      units = (0..<runs).map(Unit.random)
      self.prediction = .exactly(runs)
      self.depth = depth
    }
  }

  /// The known turns in the order in which a run had them, as places among the dependencies.
  func places(of run: Explorer.Run) -> [Int] {
    let turns = run.steps.compactMap(\.turn)
    return turns.compactMap { dependencies.turns.firstIndex(of: $0) }
  }

  /// Counts the schedules as the dependencies have them where only answers arrive; else by running them, if there are not
  /// too many; else estimates them from random ones (Knuth 1975).
  private static func count(
    _ judge: inout Judge, _ dependencies: Dependencies, _ varies: Variations, upTo ceiling: Int, _ seed: UInt64
  ) -> Prediction {
    if varies == Variations(), !dependencies.isArrival.contains(false),
      let count = dependencies.order.linearExtensionCount()
    {
      return .exactly(count)
    }
    var generator = ExploreGenerator(seed: seed)
    let dives = 64
    var total = 0.0
    for _ in 0..<dives {
      let run = judge.run(DiceChooser(seed: generator.next()))
      total += run.counts.reduce(1) { $0 * Double($1) }
    }
    let estimate = total / Double(dives)
    guard estimate < 20 * Double(ceiling) else { return .about(estimate) }
    var tree = ScheduleTree(below: [])
    var count = 0
    while let schedule = tree.next {
      guard count < ceiling else { return .about(max(estimate, Double(count))) }
      tree.advance(after: judge.run(ScheduleChooser(schedule)))
      count += 1
    }
    return .exactly(count)
  }

  /// Parts of the tree, more than anyone has processors, the same for everybody.
  private static func subtrees(_ judge: inout Judge) -> [[Int]] {
    var open: [[Int]] = [[]]
    var closed: [[Int]] = []
    while let prefix = open.first, open.count + closed.count < 64 {
      open.removeFirst()
      let run = judge.run(ScheduleChooser(Schedule(prefix)))
      guard run.counts.count > prefix.count else {
        closed.append(prefix)
        continue
      }
      open += (0..<run.counts[prefix.count]).map { prefix + [$0] }
    }
    return open + closed
  }
}

/// Any option, each as likely.
private struct DiceChooser: Chooser, Sendable {
  private var generator: ExploreGenerator

  init(seed: UInt64) { generator = ExploreGenerator(seed: seed) }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    Int.random(in: options.indices, using: &generator)
  }
}
