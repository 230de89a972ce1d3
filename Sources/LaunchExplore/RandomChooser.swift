/// Chooses by chance as PCT does, so that an order that breaks something is met with a known probability.
///
/// Each chain of turns that follow from each other has a priority, and of what can happen, that of the highest priority
/// does. At a few steps drawn beforehand the chain whose turn it is falls behind all others. (Burckhardt and others: A
/// Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, 2010.)
struct RandomChooser: Chooser, Sendable {
  private var generator: ExploreGenerator
  private let chainOf: [Turn: Int]
  private var priorities: [Int: Int]
  /// At which steps a chain falls behind, and its priority from then on.
  private let falls: [Int: Int]
  /// At which steps a fault is put in the place of an answer, or a death anywhere.
  private let upsets: Set<Int>
  private let depth: Int
  private var stepCount = 0

  /// - Parameters:
  ///   - chains: What follows from each other; what is in none makes a chain of its own.
  ///   - stepCount: How many steps the launch has.
  ///   - depth: How many orders between two turns it takes to break something, at most.
  init(seed: UInt64, chains: [[Turn]], stepCount: Int, depth: Int, varies: Variations) {
    var generator = ExploreGenerator(seed: seed)
    self.depth = depth
    var chainOf: [Turn: Int] = [:]
    for (number, chain) in chains.enumerated() { for turn in chain { chainOf[turn] = number } }
    self.chainOf = chainOf
    // The last number is the chain of time.
    let ranks = Array(0...chains.count).shuffled(using: &generator)
    var priorities: [Int: Int] = [:]
    for (number, rank) in ranks.enumerated() { priorities[number == chains.count ? Self.time : number] = depth + rank }
    self.priorities = priorities
    let steps = max(stepCount, 1)
    var falls: [Int: Int] = [:]
    for number in 0..<max(depth - 1, 0) { falls[Int.random(in: 0..<steps, using: &generator)] = number }
    self.falls = falls
    let upsetCount =
      varies.faults + varies.deaths > 0 ? Int.random(in: 0...(varies.faults + varies.deaths), using: &generator) : 0
    upsets = Set((0..<upsetCount).map { _ in Int.random(in: 0..<steps, using: &generator) })
    self.generator = generator
  }

  private static let time = -1

  mutating func took(_ step: Step) { stepCount += 1 }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    if case .job = options[0] { return Int.random(in: options.indices, using: &generator) }
    let usual = options.indices.filter { index in
      switch options[index] {
      case .arrival(_, outcome: 0), .wake: true
      case .arrival, .death, .job: false
      }
    }
    let best = usual.max { priority(of: options[$0]) < priority(of: options[$1]) } ?? 0
    if let low = falls[stepCount] { priorities[chain(of: options[best])] = low }
    guard case .arrival(let turn, _) = options[best] else { return upset(options, turn: nil) ?? best }
    return upset(options, turn: turn) ?? outcome(options, of: turn) ?? best
  }

  /// Another outcome of something that is no exchange, as likely as the usual one.
  private mutating func outcome(_ options: [Option], of turn: Turn) -> Int? {
    let others = otherwise(options, turn)
    guard others.count == 1 else { return nil }
    return Bool.random(using: &generator) ? others[0] : nil
  }

  private mutating func upset(_ options: [Option], turn: Turn?) -> Int? {
    guard upsets.contains(stepCount) else { return nil }
    let deaths = options.indices.filter { options[$0] == .death }
    return (deaths + (turn.map { otherwise(options, $0) } ?? [])).randomElement(using: &generator)
  }

  private func otherwise(_ options: [Option], _ turn: Turn) -> [Int] {
    options.indices.filter { if case .arrival(turn, let outcome) = options[$0] { outcome > 0 } else { false } }
  }

  private func chain(of option: Option) -> Int {
    guard case .arrival(let turn, _) = option else { return Self.time }
    return chainOf[turn] ?? Self.time - 1 - turn
  }

  private mutating func priority(of option: Option) -> Int {
    let chain = chain(of: option)
    if let priority = priorities[chain] { return priority }
    let priority = depth + Int.random(in: 0...chainOf.count, using: &generator)
    priorities[chain] = priority
    return priority
  }
}
