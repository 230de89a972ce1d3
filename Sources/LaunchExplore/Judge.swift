import LaunchContract
import LaunchHTTP
import LaunchJSON
import LaunchTrace

/// Runs schedules, each twice, and holds every contract against each.
struct Judge {
  let contracts: [Contract]
  private(set) var explorer: Explorer
  /// By name of a call: how many recorded ones it means.
  private let uses: [String: Int]

  init(_ explorer: Explorer, _ contracts: [Contract], recorded: [Request] = []) {
    self.explorer = explorer
    self.contracts = contracts
    uses = Dictionary(
      recorded.flatMap { request in contracts.flatMap { $0.callNames(of: request) } }.map { ($0, 1) },
      uniquingKeysWith: +)
  }

  /// From here on, runs keep what was visible at each choice.
  mutating func watch() {
    let contracts = contracts
    explorer.watch = { request in contracts.contains { $0.names(request) } }
  }

  /// Goes on with what was learnt of the launch.
  mutating func adopt(_ explorer: Explorer) { self.explorer = explorer }

  var ruleCount: Int { contracts.reduce(0) { $0 + $1.rules.count } }

  mutating func run(_ chooser: any Chooser & Sendable) -> Explorer.Run { explorer.run(chooser) }

  /// A run with the verdicts on it.
  struct Judged {
    var run: Explorer.Run
    /// By rule; empty for a run that says nothing.
    var verdicts: [Verdict]
  }

  func judged(_ run: Explorer.Run) -> Judged {
    if case .unanswered = run.ending { return Judged(run: run, verdicts: []) }
    return Judged(run: run, verdicts: verdicts(on: run))
  }

  /// The verdicts on every rule of every contract.
  func verdicts(on run: Explorer.Run) -> [Verdict] {
    contracts.flatMap { contract in
      var monitor = Monitor(contract)
      for event in run.events { monitor.step(event) }
      return monitor.verdicts
    }
  }

  /// Counts a run, after it has been repeated.
  mutating func count(_ run: Explorer.Run, in tally: inout Tally) {
    let schedule = run.schedule
    tally.schedules += 1
    let second = explorer.run(ScheduleChooser(schedule))
    if let difference = run.difference(from: second) { tally.differing.add(schedule, difference) }
    if let request = run.lent { tally.lent.add(schedule, request.turnName) }
    switch run.ending {
    case .unanswered(let request, let why):
      // Nobody knows what the launch would have done with an answer.
      tally.unanswered.add(schedule, "\(request.turnName): \(why)")
      return
    case .unfinished(let error): tally.unfinished.add(schedule, "\(error)")
    case .threw(let error): tally.failed.add(schedule, "\(error)")
    case .returned: break
    }
    for (index, verdict) in verdicts(on: run).enumerated() { tally.rules[index].add(verdict, schedule) }
    tally.classes.insert(classOf(run))
  }

  /// The order of what rules name, as a number.
  func classOf(_ run: Explorer.Run) -> UInt64 {
    var hash = StableHash()
    for step in run.steps {
      switch step {
      case .arrival(let turn, let outcome) where names(turn, in: run):
        hash.add(explorer.turns.name(of: turn))
        hash.add(outcome)
      case .death: hash.add("death")
      case .arrival, .wake: break
      }
    }
    return hash.value
  }

  /// What a turn is called: by the contracts' names where they have one.
  func name(of turn: Turn, in run: Explorer.Run) -> String {
    let name = run.requests[turn].flatMap(name(of:)).map { "the answer to \($0)" }
    return explorer.turns.name(of: turn, as: name)
  }

  /// What the contracts call the call: by the name that means the fewest of the recorded ones.
  func name(of request: Request) -> String? {
    contracts.flatMap { $0.callNames(of: request) }.min { uses[$0, default: 0] < uses[$1, default: 0] }
  }

  /// Whether a rule names the call that the turn answers.
  func names(_ turn: Turn, in run: Explorer.Run) -> Bool {
    run.requests[turn].map { request in contracts.contains { $0.names(request) } } ?? false
  }
}

extension Explorer.Run {
  /// In what a second run of the same schedule was otherwise; nil when in nothing.
  fileprivate func difference(from other: Explorer.Run) -> String? {
    for (first, second) in zip(events, other.events) where first != second {
      return
        "at \(seconds(first.at)) the first run had \(first.summary), the second \(second.summary) at \(seconds(second.at))"
    }
    if events.count != other.events.count {
      let (longer, which) = events.count > other.events.count ? (events, "first") : (other.events, "second")
      return "only the \(which) run had \(longer[min(events.count, other.events.count)].summary)"
    }
    return counts == other.counts ? nil : "the two runs had different choices"
  }
}

/// `7.250 s`
func seconds(_ instant: Instant) -> String {
  let milliseconds = (instant - .zero) / .milliseconds(1)
  let whole = Int(milliseconds.rounded())
  let fraction = String(whole % 1000)
  return "\(whole / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
}

extension Event {
  /// A few words for people.
  var summary: String {
    switch kind {
    case .launch(let number): "the start of process \(number)"
    case .mark(let mark): "the mark \"\(mark.name)\"\(mark.fields.isEmpty ? "" : " \(mark.fields)")"
    case .call(let call, let step): "\(step.summary) of call \(call)"
    case .closed: "the end of the launch"
    }
  }
}

extension Event.Step {
  var summary: String {
    switch self {
    case .request(let request, _): "the request \(request.turnName)"
    case .connection: "the connection"
    case .sent: "the sending"
    case .informational(let head), .response(let head): "the head \(head.status)"
    case .chunk(let bytes): "\(bytes) bytes"
    case .end: "the end"
    case .error(let error, _): "the error \(error.reason.rawValue)"
    }
  }
}
