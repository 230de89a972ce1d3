/// What turns the recorded launch has, and what of them has to happen before what.
///
/// Found by running it: a turn depends on an arrival when it does not come as long as that is held back, and on time when it
/// does not come although everything else arrives at once.
struct Dependencies {
  /// By their places in `order`: arrivals, and what time brings about.
  private(set) var turns: [Turn] = []
  private(set) var order = PartialOrder(count: 0)
  /// Which of them are arrivals.
  private(set) var isArrival: [Bool] = []
  private var exchanges: Set<Turn> = []
  /// As recorded.
  let recorded: Explorer.Run

  /// One for each arrival, which comes as late as it can: after every timer that runs out meanwhile.
  private(set) var late: [Schedule] = []

  /// How many turns are looked at; of a longer launch, the first.
  private static let limit = 150

  init(_ explorer: inout Explorer) {
    recorded = explorer.run(ScheduleChooser(.recorded))
    let eager = explorer.run(PreferenceChooser { $0 != .wake })
    let eagerTurns = eager.steps.compactMap(\.turn)
    var befores: [Turn: Set<Turn>] = [:]
    for step in recorded.steps.prefix(Self.limit) {
      guard let turn = step.turn else { continue }
      turns.append(turn)
      if case .arrival = step {
        isArrival.append(true)
        let late = explorer.run(PreferenceChooser { if case .arrival(turn, _) = $0 { false } else { true } })
        self.late.append(late.schedule)
        befores[turn] = Set(late.steps.compactMap(\.turn).prefix { $0 != turn })
      } else {
        isArrival.append(false)
        befores[turn] = Set(eagerTurns.prefix { $0 != turn })
      }
    }
    exchanges = Set(turns.filter { recorded.requests[$0] != nil })
    order = PartialOrder(count: turns.count)
    let usual = recorded.steps.compactMap(\.turn)
    for first in turns.indices {
      for second in turns.indices where first != second {
        let isFixed =
          if isArrival[first] || isArrival[second] {
            befores[turns[first]]?.contains(turns[second]) == false
          } else {
            // What time brings about comes in one order, that of the recording.
            Self.comes(turns[first], before: turns[second], in: usual)
          }
        if isFixed { order.insert(first, before: second) }
      }
    }
  }

  private static func comes(_ first: Turn, before second: Turn, in turns: [Turn]) -> Bool {
    guard let place = turns.firstIndex(of: first) else { return false }
    return turns[place...].contains(second)
  }

  /// Whether the turn is the answer to a request.
  func isExchange(_ turn: Turn) -> Bool { exchanges.contains(turn) }

  /// The places of the arrivals alone.
  var arrivals: [Int] { isArrival.indices.filter { isArrival[$0] } }

  /// The steps that let everything happen in this order of places.
  func steps(_ places: [Int]) -> [Step] {
    places.map { isArrival[$0] ? .arrival(turns[$0], outcome: 0) : .wake(turns[$0]) }
  }
}

/// Takes the first usual option that it likes, or else the first.
struct PreferenceChooser: Chooser, Sendable {
  private let likes: @Sendable (Option) -> Bool

  init(_ likes: @escaping @Sendable (Option) -> Bool) { self.likes = likes }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    options.firstIndex { option in
      switch option {
      case .arrival(_, outcome: 0), .wake: likes(option)
      case .arrival, .death, .job: false
      }
    } ?? 0
  }
}
