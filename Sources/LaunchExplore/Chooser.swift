/// What can happen next, when the app has nothing left to do.
enum Option: Hashable, Sendable {
  /// A pending arrival, with the number of its outcome.
  case arrival(Turn, outcome: Int)
  /// Time passes until the app's next timer.
  case wake
  /// The process dies and starts again.
  case death
  /// Of several jobs that are ready, the one with this number runs first.
  case job(Int)
}

/// Decides what happens next in one run.
protocol Chooser {
  /// The index of what happens, of two options or more. The first one is what the recording did, or would have done.
  /// - Parameter now: Since the process began.
  mutating func choose(among options: [Option], at now: Duration) -> Int

  /// Told of each step that was taken, whether it had to be chosen or not.
  mutating func took(_ step: Step)
}

extension Chooser {
  mutating func took(_ step: Step) {}
}

/// Makes the choices of a schedule, and then those of the recording. A choice that there is not is made as recorded; the
/// schedule of the run then tells.
struct ScheduleChooser: Chooser, Sendable {
  private let schedule: Schedule
  private var place = 0

  init(_ schedule: Schedule) { self.schedule = schedule }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    defer { place += 1 }
    let choice = schedule.choice(at: place)
    return choice < options.count ? choice : 0
  }
}

/// Lets the steps happen in a given order as far as they can, and everything else as in the recording.
///
/// An arrival comes when it is due, or later when others have to come before it; earlier only when it comes before something
/// that time brings about before it in the recording.
struct OrderChooser: Chooser, Sendable {
  private let order: [Step]
  /// By turn: its last place in the order.
  private let places: [Turn: Int]
  private var hasHappened: Set<Turn> = []
  private var next = 0
  /// Since when time passes so that the next step may happen.
  private var waitingSince: Duration?
  /// How long it may: in another order, there may be no such step.
  private let patience: Duration
  /// The arrivals that time has passed over.
  private var passed: Set<Turn> = []
  /// The arrivals that come before their time.
  private var early: Set<Turn> = []

  init(_ order: [Step], from recorded: Explorer.Run) {
    self.order = order
    patience = recorded.length
    var home: [Step: Int] = [:]
    for (place, step) in recorded.steps.enumerated() { home[step] = place }
    // Of the wakes behind a place, the one that the recording has first.
    var firstWake = Int.max
    for step in order.reversed() {
      switch step {
      case .wake: firstWake = min(firstWake, home[step] ?? .max)
      case .arrival(let turn, _): if home[.arrival(turn, outcome: 0)] ?? 0 > firstWake { early.insert(turn) }
      case .death: break
      }
    }
    var places: [Turn: Int] = [:]
    for (place, step) in order.enumerated() { if let turn = step.turn { places[turn] = place } }
    self.places = places
  }

  mutating func took(_ step: Step) {
    if let turn = step.turn {
      hasHappened.insert(turn)
    } else if order.indices.contains(next), order[next] == .death {
      next += 1
    }
  }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    while next < order.count, let turn = order[next].turn, hasHappened.contains(turn) { advance() }
    if let waiting = waitingSince, now - waiting > patience { advance() }
    guard next < order.count else { return 0 }
    // What the order does not know comes when it is due.
    for (index, option) in options.enumerated() {
      guard case .arrival(let turn, 0) = option else { break }
      if places[turn] == nil { return index }
    }
    switch order[next] {
    case .arrival(let turn, let outcome):
      if let usual = options.firstIndex(of: .arrival(turn, outcome: 0)) {
        let isDue = options.firstIndex(of: .wake).map { usual < $0 } ?? true
        if !isDue, !early.contains(turn), !passed.contains(turn) { return passTime(options) }
        return options.firstIndex(of: .arrival(turn, outcome: outcome)) ?? usual
      }
      // It is not asked for yet: a timer may do that.
      return wait(options, now)
    case .wake: return wait(options, now)
    case .death:
      if let place = options.firstIndex(of: .death) { return place }
      next += 1
      return choose(among: options, at: now)
    }
  }

  private mutating func wait(_ options: [Option], _ now: Duration) -> Int {
    waitingSince = waitingSince ?? now
    return options.contains(.wake) ? passTime(options) : first(of: options)
  }

  private mutating func passTime(_ options: [Option]) -> Int {
    let wake = options.firstIndex(of: .wake) ?? 0
    for case .arrival(let turn, 0) in options[..<wake] { passed.insert(turn) }
    return wake
  }

  private mutating func advance() {
    next += 1
    waitingSince = nil
  }

  /// The arrival that the order has first.
  private func first(of options: [Option]) -> Int {
    let ranked = options.indices.compactMap { index -> (place: Int, index: Int)? in
      guard case .arrival(let turn, 0) = options[index], let place = places[turn] else { return nil }
      guard case .arrival(_, let outcome) = order[place], outcome != 0 else { return (place, index) }
      return (place, options.firstIndex(of: .arrival(turn, outcome: outcome)) ?? index)
    }
    return ranked.min { $0.place < $1.place }?.index ?? 0
  }
}
