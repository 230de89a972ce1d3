import LaunchHTTP
import LaunchSimulation
import LaunchTrace

/// What is pending in a run, what has happened so far, and what happens next.
struct Situation {
  struct Pending {
    let number: Int
    let turn: Turn
    /// Nil for what usually never comes.
    let due: Duration?
    /// When the one who waits gives up.
    let deadline: Duration?
    let outcomes: Int
    /// Whether outcomes other than 0 are faults.
    let isExchange: Bool
    /// Whether time has passed over it, or it usually never comes.
    private(set) var isHeld: Bool
    /// When it arrives unless somebody chooses otherwise.
    private(set) var usualDue: Duration
    let continuation: CheckedContinuation<Director.Release, Never>

    init(
      number: Int, turn: Turn, due: Duration?, deadline: Duration?, outcomes: Int, isExchange: Bool,
      continuation: CheckedContinuation<Director.Release, Never>
    ) {
      self.number = number
      self.turn = turn
      self.due = due
      self.deadline = deadline
      self.outcomes = outcomes
      self.isExchange = isExchange
      self.continuation = continuation
      isHeld = due == nil
      usualDue = due ?? .nanoseconds(Int64.max)
    }

    fileprivate mutating func hold() {
      isHeld = true
      if let due { usualDue = due + Situation.patience }
    }
  }

  /// How much later than recorded what time has passed over arrives at last: what URLSession and many others wait for an
  /// answer. So an answer comes after every timer that a launch may run into, and a launch comes to its end.
  static let patience = Duration.seconds(60)

  /// What the director is to do.
  enum Move {
    case wake
    case release(CheckedContinuation<Director.Release, Never>, Director.Release, at: Duration)
    case death
  }

  var chooser: any Chooser
  var turns: TurnTable
  var events: [Event] = []
  var steps: [Step] = []
  /// By step, how much later than usual it came; negative for one that came early, zero for what time brought about.
  var delays: [Duration] = []
  var choices: [Int] = []
  /// By turn, the request whose answer it is: in another run it may have another body.
  var requests: [Turn: Request] = [:]
  /// By choice: how many options there were.
  var counts: [Int] = []
  var pending: [Pending] = []
  /// How many there ever were.
  var pendingCount = 0
  var faultsLeft: Int
  var deathsLeft: Int
  /// By name of a turn: how often it was there.
  var occurrences: [String: Int] = [:]
  var interruption: Director.Interruption?
  /// What was pending when the run was over.
  var abandoned: [Turn] = []
  /// By choice: what was visible, and how many events there were; empty unless that is watched.
  private(set) var points: [(state: UInt64, events: Int)] = []
  private let watch: (@Sendable (Request) -> Bool)?
  /// How much had happened when time began to pass last; nil when something else came after it.
  private var beforeWake: (events: Int, pending: Int)?

  init(
    _ chooser: any Chooser, _ turns: TurnTable, _ varies: Variations, watch: (@Sendable (Request) -> Bool)? = nil
  ) {
    self.watch = watch
    self.chooser = chooser
    self.turns = turns
    faultsLeft = varies.faults
    deathsLeft = varies.deaths
    events.reserveCapacity(256)
    requests.reserveCapacity(32)
  }

  /// What happens now that the app has nothing left to do.
  mutating func next(now: Duration, nextDue: Duration?, _ varies: Variations) -> Move {
    let wasSilent = !noteWake()
    // A client's deadline is one of the app's timers.
    let deadline = earliestDeadline
    let wake = earlier(nextDue, deadline?.instant)
    // Nothing was seen of what the timer did, so nothing is to be decided anew.
    if wasSilent, isTimeNext(wake) { return passTime(wake, nextDue, deadline) }
    let ranked = ranked(wake)
    guard !ranked.isEmpty else { return .wake }
    let options = options(ranked, varies)
    let choice = options.count > 1 ? choose(among: options, at: now) : 0
    switch options[choice] {
    case .arrival(let turn, let outcome):
      guard let index = pending.firstIndex(where: { $0.turn == turn }) else {
        preconditionFailure("only what is pending can be chosen")
      }
      let arrival = pending.remove(at: index)
      if arrival.isExchange, outcome > 0 { faultsLeft -= 1 }
      // What is held waits to be chosen, or for its last moment.
      let usual = arrival.due == nil || arrival.isHeld && choice > 0 ? now : arrival.usualDue
      let moment = max(now, earlier(usual, wake) ?? now)
      take(.arrival(turn, outcome: outcome), late: arrival.due.map { moment - $0 } ?? .zero)
      return .release(arrival.continuation, .outcome(outcome), at: moment)
    case .wake: return passTime(wake, nextDue, deadline)
    case .death:
      deathsLeft -= 1
      take(.death)
      return .death
    case .job: preconditionFailure("no job is ready")
    }
  }

  mutating func choose(among options: [Option], at now: Duration) -> Int {
    if let watch { points.append((visible(now, watch), events.count)) }
    let choice = chooser.choose(among: options, at: now)
    choices.append(choice)
    counts.append(options.count)
    return choice
  }

  /// Everything that can be seen from outside: what is pending, the marks so far in their order, and the answers: those to
  /// calls that a rule names in their order, all others in any.
  private func visible(_ now: Duration, _ watch: (Request) -> Bool) -> UInt64 {
    var hash = StableHash()
    hash.add(Int(now / .nanoseconds(1)))
    for name in pending.map({ "\(turns.name(of: $0.turn)) \($0.usualDue)" }).sorted() { hash.add(name) }
    for case .mark(let mark) in events.map(\.kind) { hash.add("\(mark.name) \(mark.fields)") }
    var others: [Int] = []
    for step in steps {
      switch step {
      case .arrival(let turn, let outcome):
        let isNamed = requests[turn].map(watch) ?? true
        guard isNamed else {
          others.append(turn * 16 + outcome)
          continue
        }
        hash.add(turns.name(of: turn))
        hash.add(outcome)
      case .wake: break
      case .death: hash.add("death")
      }
    }
    for other in others.sorted() { hash.add(other) }
    hash.add(faultsLeft)
    return hash.value
  }

  mutating func remove(_ number: Int) -> CheckedContinuation<Director.Release, Never>? {
    pending.firstIndex { $0.number == number }.map { pending.remove(at: $0).continuation }
  }

  mutating func noteAbandoned(_ number: Int) {
    if let waiting = pending.first(where: { $0.number == number }) { abandoned.append(waiting.turn) }
  }

  private mutating func take(_ step: Step, late delay: Duration = .zero) {
    steps.append(step)
    delays.append(delay)
    chooser.took(step)
  }

  /// When the first of those who wait gives up, and its number.
  private var earliestDeadline: (instant: Duration, number: Int)? {
    var earliest: (instant: Duration, number: Int)?
    // By index, here and below: each is to be looked at where it stands, and a copy retains what it holds.
    for index in pending.indices {
      guard let deadline = pending[index].deadline else { continue }
      if let earliest, earliest <= (deadline, pending[index].number) { continue }
      earliest = (deadline, pending[index].number)
    }
    return earliest
  }

  /// Whether time passes next unless somebody chooses otherwise: the first of `ranked`, which most moments need not make.
  private func isTimeNext(_ wake: Duration?) -> Bool {
    guard let wake else { return !pending.isEmpty && pending.indices.allSatisfy { pending[$0].due == nil } }
    return !pending.indices.contains { pending[$0].usualDue <= wake }
  }

  /// Everything that can happen, the recording's choice first; nil is time.
  private func ranked(_ wake: Duration?) -> [Int?] {
    let places = pending.indices.sorted { first, second in
      (pending[first].usualDue, pending[first].number) < (pending[second].usualDue, pending[second].number)
    }
    // What usually never comes does not come by itself, and then nothing does.
    guard let wake else { return places.first.map { pending[$0].due == nil } ?? false ? [nil] + places : places }
    let before = places.prefix { pending[$0].usualDue <= wake }
    // Nothing comes later than that, or a launch with endless timers would never hear of it.
    let time: [Int?] = before.contains { pending[$0].isHeld } ? [] : [nil]
    return before.map(Optional.some) + time + places.dropFirst(before.count).map(Optional.some)
  }

  /// The ways in which each can happen: first all as usual, then otherwise.
  private func options(_ ranked: [Int?], _ varies: Variations) -> [Option] {
    var options: [Option] = ranked.map { place in
      place.map { .arrival(pending[$0].turn, outcome: 0) } ?? .wake
    }
    for place in ranked.compactMap(\.self) where pending[place].outcomes > 1 {
      if pending[place].isExchange ? faultsLeft == 0 : !varies.outcomes { continue }
      options += (1..<pending[place].outcomes).map { .arrival(pending[place].turn, outcome: $0) }
    }
    if deathsLeft > 0 { options.append(.death) }
    return options
  }

  private mutating func passTime(
    _ wake: Duration?, _ nextDue: Duration?, _ deadline: (instant: Duration, number: Int)?
  ) -> Move {
    if let wake {
      for index in pending.indices where !pending[index].isHeld {
        if let due = pending[index].due, due <= wake { pending[index].hold() }
      }
    }
    if let (instant, number) = deadline, instant <= nextDue ?? instant,
      let waiting = pending.first(where: { $0.number == number }),
      let continuation = remove(number)
    {
      beforeWake = nil
      take(.wake(waiting.turn))
      return .release(continuation, .timedOut, at: instant)
    }
    beforeWake = (events.count, pendingCount)
    return .wake
  }

  /// Looks at what came of time passing.
  /// - Returns: false when that was nothing that is seen.
  @discardableResult
  mutating func noteWake() -> Bool {
    guard let before = beforeWake else { return true }
    beforeWake = nil
    guard events.count > before.events else { return pendingCount > before.pending }
    take(.wake(nextTurn(events[before.events].turnName)))
    return true
  }

  /// The turn of what has this name, and has come as often as it has now.
  mutating func nextTurn(_ name: String) -> Turn {
    func increment(_ count: inout Int) -> Int {
      count += 1
      return count
    }
    return turns.turn(name, increment(&occurrences[name, default: 0]))
  }
}

extension Event {
  /// What time has brought about, as it stands behind "before".
  fileprivate var turnName: String {
    switch kind {
    case .launch(let number): "the start of process \(number)"
    case .mark(let mark): "the mark \"\(mark.name)\""
    case .call(_, .request(let request, _)): "the request \(request.turnName)"
    case .call(let call, _): "the next of call \(call)"
    case .closed: "the end of the launch"
    }
  }
}

extension Request {
  /// Method, host and path.
  var turnName: String { "\(method) \(location.host)\(location.path)" }
}

/// Nil when there is neither.
private func earlier(_ one: Duration?, _ other: Duration?) -> Duration? {
  guard let one, let other else { return one ?? other }
  return min(one, other)
}
