import LaunchContract
import LaunchReport
import LaunchTrace
import TestSupport
import Testing

/// Traces whose order was taken from times: a verdict that hangs on a tie is UNORDERED.
struct UnorderedTests {
  private static func report(_ rule: String, _ launch: String, _ order: TimeOrder) throws -> RuleReport {
    var trace = Sketch.trace(launch)
    trace.order = .time(order)
    return try Row.contract(rule).reports(on: trace)[0]
  }

  static let rows: [Row] = [
    // The first two tiny traces, imported.
    Row("n only after m", "m 5 | n 5", .unordered), Row("n only after m", "n 5 | m 5", .unordered),
    Row("n only after m", "m 4 | n 5", .unordered), Row("n only after m", "m 3 | n 5", .holds),
    Row("n only after m", "n 3 | m 5", .broken), Row("n only after m", "m 1 | m 5 | n 5", .holds),
    Row("n only after m", "p 5 | n 5", .broken), Row("exactly 2 m", "m 5 | m 5 | n 5", .holds),
    Row("m and n take turns", "m 5 | m 5 | n 5 | n 5", .unordered), Row("n only after m", "m 5 | n 5 | …", .unordered),
    // The two ends of a call keep their order, and what lies between others for certain orders them.
    Row("a only after m", "m 1 | a 3-4 200", .holds), Row("m only after a", "a 1-2 200 | m 2", .unordered),
    Row("m only after a", "a 1-2 200 | m 4", .holds), Row("exactly 1 a", "a 1-2 500 | a 2-3 200", .unordered),
    Row("b only after a (sent)", "a 1-2 200 | b 2-3 200", .unordered),
    Row("b only after a (sent)", "a 1-9 200 | b 3-4 200", .holds),
  ]

  @Test(arguments: rows)
  func `a verdict that depends on a tie is unordered`(row: Row) throws {
    let report = try Self.report(row.rule, row.launch, TimeOrder(resolution: .milliseconds(2)))
    #expect(report.verdict == row.verdict)
  }

  @Test func `without a resolution only equal times are ties`() throws {
    #expect(try Self.report("n only after m", "m 5 | n 5", TimeOrder(resolution: .zero)).verdict == .unordered)
    #expect(try Self.report("n only after m", "m 4 | n 5", TimeOrder(resolution: .zero)).verdict == .holds)
  }

  @Test func `with branches only marks of two branches are ties`() throws {
    let order = TimeOrder(resolution: .milliseconds(5), branches: [["m"], ["n", "q"]])
    #expect(try Self.report("n only after m", "m 5 | n 5", order).verdict == .unordered)
    #expect(try Self.report("p only after m", "m 5 | p 5", order).verdict == .holds)
    #expect(try Self.report("n only after m", "m 5 | p 6 | n 7", order).verdict == .holds)
    #expect(try Self.report("a only after m", "m 5 | a 5-6 200", order).verdict == .holds)
  }

  @Test func `both orders are named`() throws {
    var trace = Sketch.trace("n 4 | m 5")
    trace.order = .time(TimeOrder(resolution: .milliseconds(5)))
    let verification = try Row.contract("n only after m").verification(of: trace)
    #expect(verification.exitCode() == 3)
    #expect(
      TextReport(verification).failures == """
        sketch.contract:6: UNORDERED  n only after m
              0.005 s  m    HOLDS if this is first
              0.004 s  n    BROKEN if this is first
           they are 1 ms apart, and what is closer than 5 ms has no order in this trace
           nothing else matters: 2 of 3 events
        """)
  }

  @Test func `no definite verdict has an order against it`() throws {
    var generator = SeededGenerator(seed: 20_261_130)
    let rules = [
      "n only after m", "every m is followed by n", "m and n take turns", "exactly 1 a", "a only after m",
      "n within 1 ms of m or else p", "no n after m", "nothing after a", "m (any outcome) then n", "a one at a time",
    ].filter { (try? Row.contract($0)) != nil }
    var unordered = 0
    for _ in 0..<400 {
      let launch = (0..<Int.random(in: 1...6, using: &generator)).map { _ in Self.thing(using: &generator) }
        .joined(separator: " | ")
      guard let rule = rules.randomElement(using: &generator) else { return }
      let trace = Sketch.trace(launch)
      let order = TimeOrder(resolution: .milliseconds(2))
      let orders = BruteForce(events: trace.events, resolution: 2000).orders
      if orders.count > BruteForce.limit { continue }
      let verdicts = Set(
        try orders.map { events in
          try Row.contract(rule).reports(on: Trace(name: "one order", events: events))[0].verdict
        })
      let verdict = try Self.report(rule, launch, order).verdict
      if verdict == .unordered { unordered += 1 }
      #expect(verdicts.count > 1 ? verdict == .unordered : verdicts == [verdict], "\(rule) on \(launch): \(verdicts)")
    }
    #expect(unordered > 40)
  }

  private static func thing(using generator: inout SeededGenerator) -> String {
    let start = Int.random(in: 0...8, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return "m \(start)"
    case 1: return "n \(start)"
    case 2: return "p \(start)"
    default:
      let status = [200, 404, 500].randomElement(using: &generator) ?? 200
      return "a \(start)-\(start + Int.random(in: 0...3, using: &generator)) \(status)"
    }
  }
}

/// Every order that the times allow, straight from the definition.
private struct BruteForce {
  static let limit = 2000

  var events: [Event]
  var resolution: Int64

  var orders: [[Event]] {
    var all: [[Event]] = []
    extend([], Array(events.indices), &all)
    return all
  }

  private func extend(_ order: [Int], _ rest: [Int], _ all: inout [[Event]]) {
    if rest.isEmpty { all.append(order.map { events[$0] }) }
    if all.count > Self.limit { return }
    for index in rest where !rest.contains(where: { $0 < index && precedes($0, index) }) {
      extend(order + [index], rest.filter { $0 != index }, &all)
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    switch (events[left].kind, events[right].kind) {
    case (.closed, _), (_, .closed): return true
    case (.call(let one, _), .call(let other, _)) where one == other: return true
    default:
      let distance = events[right].at.microseconds - events[left].at.microseconds
      return distance != 0 && distance >= resolution
    }
  }
}
