import LaunchTrace

/// One rule on a trace whose times leave the order of some events open: the rule is judged in every order of the events
/// it is about, or, where there are too many, in those that put one of its names before the others.
struct OpenOrder {
  /// The events the rule is about, in the order of the trace.
  private let named: [Int]
  /// By event, what it changes in terms of the rule's names.
  private let signals: [Int: [Signal]]
  /// For each of `named`, by place, the earlier places that may as well come after it.
  private let open: [[Int]]
  private let ties: Ties
  /// Has the one rule.
  private let contract: Contract
  /// More orders than this are not tried one by one.
  private static let limit = 720

  /// - Returns: nil when the order of no two of the events is open.
  init?(_ contract: Contract, _ signals: [Int: [Signal]], _ ties: Ties) {
    let named = signals.keys.sorted()
    let places = Dictionary(uniqueKeysWithValues: named.enumerated().map { ($1, $0) })
    var open: [[Int]] = Array(repeating: [], count: named.count)
    for (place, index) in named.enumerated() {
      for later in ties.unordered(after: index).compactMap({ places[$0] }) { open[later].append(place) }
    }
    if open.allSatisfy(\.isEmpty) { return nil }
    self.named = named
    self.signals = signals
    self.open = open
    self.ties = ties
    self.contract = contract
  }

  /// The rule's report when the verdict depends on the order; nil when it does not.
  func report(recorded: RuleReport) -> RuleReport? {
    var best = (order: Array(named.indices), verdict: recorded.verdict)
    var worst = best
    for order in orders {
      let verdict = verdict(order)
      if verdict.rank < best.verdict.rank { best = (order, verdict) }
      if verdict.rank > worst.verdict.rank { worst = (order, verdict) }
    }
    return best.verdict == worst.verdict ? nil : explain(from: best, to: worst, recorded)
  }

  private func verdict(_ order: [Int]) -> Verdict {
    var monitor = Monitor(contract)
    for event in ties.arranged(order.map { named[$0] }) { monitor.step(event) }
    return monitor.finish()[0].verdict
  }
}

/// The orders to try, each a list of places in `named`.
extension OpenOrder {
  private var orders: [[Int]] {
    var all: [[Int]] = []
    var order: [Int] = []
    var isPlaced = Array(repeating: false, count: named.count)
    return extend(&order, &isPlaced, from: 0, choices: 0, &all) ? all : preferring
  }

  /// Finds every order that begins with `order`; false when there are too many. Each choice on the way adds one at least,
  /// so there are never more choices than orders.
  private func extend(
    _ order: inout [Int], _ isPlaced: inout [Bool], from start: Int, choices: Int, _ all: inout [[Int]]
  ) -> Bool {
    if choices > Self.limit { return false }
    let length = order.count
    var first = start
    var next = available(isPlaced, from: &first)
    while next.count == 1 {
      isPlaced[next[0]] = true
      order.append(next[0])
      next = available(isPlaced, from: &first)
    }
    if next.isEmpty { all.append(order) }
    for place in next where all.count <= Self.limit {
      isPlaced[place] = true
      order.append(place)
      guard extend(&order, &isPlaced, from: first, choices: choices + 1, &all) else { return false }
      order.removeLast()
      isPlaced[place] = false
    }
    for place in order[length...] { isPlaced[place] = false }
    order.removeSubrange(length...)
    return all.count <= Self.limit
  }

  /// The places that may come next. Moves `first` to the first that has not come.
  private func available(_ isPlaced: [Bool], from first: inout Int) -> [Int] {
    while first < named.count, isPlaced[first] { first += 1 }
    let start = first
    return named.indices[start...].prefix { ties.areClose(named[start], named[$0]) }.filter { place in
      !isPlaced[place] && (start..<place).allSatisfy { isPlaced[$0] || open[place].contains($0) }
    }
  }

  /// For each order of the names, or both directions of many, the one that lets them come in that order where it can.
  private var preferring: [[Int]] {
    let all = Set(signals.values.joined().map(\.occurrence.name)).sorted()
    let ranks = all.count <= 4 ? permutations(of: all) : [all, all.reversed()]
    return ranks.map { ranking in
      var isPlaced = Array(repeating: false, count: named.count)
      var order: [Int] = []
      var first = 0
      while let next = available(isPlaced, from: &first).min(by: { rank($0, ranking) < rank($1, ranking) }) {
        isPlaced[next] = true
        order.append(next)
      }
      return order
    }
  }

  private func rank(_ place: Int, _ ranking: [Int]) -> Int {
    signals[named[place], default: []].compactMap { ranking.firstIndex(of: $0.occurrence.name) }.min() ?? ranking.count
  }

  private func permutations(of names: [Int]) -> [[Int]] {
    if names.isEmpty { return [[]] }
    return names.flatMap { first in permutations(of: names.filter { $0 != first }).map { [first] + $0 } }
  }
}

extension OpenOrder {
  /// Goes from one order to the other, swapping neighbours: the swap that changes the verdict names the two events.
  private func explain(
    from best: (order: [Int], verdict: Verdict), to worst: (order: [Int], verdict: Verdict), _ recorded: RuleReport
  ) -> RuleReport {
    var goal = Array(repeating: 0, count: named.count)
    for (position, place) in worst.order.enumerated() { goal[place] = position }
    var order = best.order
    var previous = best.verdict
    while let index = order.indices.dropLast().first(where: { goal[order[$0]] > goal[order[$0 + 1]] }) {
      order.swapAt(index, index + 1)
      let current = verdict(order)
      if current != previous {
        return report(recorded, order[index + 1], order[index], with: previous, without: current)
      }
      previous = current
    }
    return recorded
  }

  private func report(
    _ recorded: RuleReport, _ first: Int, _ second: Int, with kept: Verdict, without other: Verdict
  ) -> RuleReport {
    var report = RuleReport(recorded.rule, Judgement(.unordered))
    let (left, right) = (named[first], named[second])
    let distance = Span.text(ties.distance(left, right))
    let resolution = ties.order.resolution.wholeMicroseconds
    let limit = resolution == 0 ? "events at one time have" : "what is closer than \(Span.text(resolution)) has"
    report.witness = [event(left, "\(kept) if this is first"), event(right, "\(other) if this is first")]
      .compactMap(\.self)
    report.note = "they are \(distance) apart, and \(limit) no order in this trace"
    return report
  }

  private func event(_ index: Int, _ remark: String) -> WitnessEvent? {
    guard let signal = signals[index]?.first else { return nil }
    let label = contract.names[signal.occurrence.name].name
    var event = WitnessEvent(signal.occurrence, signal.change == .ended ? .end : .start, label, remark: remark)
    event.position = index
    event.at = ties.events[index].at
    return event
  }
}

extension Verdict {
  /// From kept to broken.
  fileprivate var rank: Int {
    switch self {
    case .holds: 0
    case .idle: 1
    case .open(leaning: .kept): 2
    case .open(leaning: .broken): 3
    case .unordered: 4
    case .broken: 5
    }
  }
}

extension Contract {
  /// The reports with what they do not say when the trace was ordered by time: a verdict that depends on the order of
  /// events whose order is open.
  func reports(_ reports: [RuleReport], on events: [Event], orderedBy order: TimeOrder) -> [RuleReport] {
    let ties = Ties(events, order)
    let signals = signals(of: events)
    return reports.map { report in
      let mentioned = report.rule.mentioned
      let own = signals.mapValues { $0.filter { mentioned.contains($0.occurrence.name) } }.filter { !$0.value.isEmpty }
      return OpenOrder(alone(report.rule), own, ties)?.report(recorded: report) ?? report
    }
  }

  /// By the index of an event, what it changes in the order of the list.
  private func signals(of events: [Event]) -> [Int: [Signal]] {
    let fresh = Recognizer(names, fields: plan.fields, watchesEveryCall: true)
    var recognizer = fresh
    var signals: [Int: [Signal]] = [:]
    for (index, event) in events.enumerated() {
      if case .launch = event.kind { recognizer = fresh }
      var changes: [Signal] = []
      recognizer.take(event, at: Point(position: index, at: event.at), into: &changes)
      if !changes.isEmpty { signals[index] = changes }
    }
    return signals
  }

  private func alone(_ rule: Rule) -> Contract {
    Contract(
      name: name, file: file, tolerance: tolerance, rules: [rule], warnings: [], names: names)
  }
}
