import LaunchJSON
import LaunchTrace
import Synchronization
import Testing

@testable import LaunchContract

/// The monitors of many keys are changed where they stand.
struct KeyedMonitorTests {
  private final class Counter: Sendable {
    private let counts = Mutex((copies: 0, takes: 0))
    var copies: Int { counts.withLock { $0.copies } }
    var takes: Int { counts.withLock { $0.takes } }
    func count(isCopy: Bool) { counts.withLock { $0 = ($0.copies + (isCopy ? 1 : 0), $0.takes + 1) } }
  }

  /// Notices whether it is a copy: its token is then shared.
  private struct Probe: RuleMonitor {
    final class Token: Sendable {}
    let counter: Counter
    var token = Token()
    var isSpent: Bool

    mutating func take(_ signals: [Signal]) {
      let isCopy = !isKnownUniquelyReferenced(&token)
      if isCopy { token = Token() }
      counter.count(isCopy: isCopy)
    }

    func judge(_ horizon: Horizon) -> Judgement { .holds }
  }

  private static func signal(_ id: Int, key: Int, _ field: FieldPath) -> Signal {
    let point = Point(position: id, at: .zero)
    var facts = Occurrence.Facts(
      id: id, name: 5, names: [5], subject: .mark([:]), start: point, end: point, outcome: .ok, group: id,
      isFinal: true)
    facts.values[field] = [.integer(Int64(key))]
    return Signal(change: .started, occurrence: Occurrence(facts))
  }

  @Test func `an event changes one monitor in place, however many keys there are`() throws {
    let contract = try Contract(
      parsing: "contract \"x\" version 1\nmark m\nat most 1 m per mark.k\n", file: "f")
    let field = try #require(contract.rules[0].fields(in: contract.names).first).field
    let counter = Counter()
    var monitor = KeyedMonitor(
      fields: [5: field], label: "mark.k", absence: "m never came", Probe(counter: counter, isSpent: false))
    for id in 0..<10_000 { monitor.take([Self.signal(id, key: id % 2000, field)]) }
    // Each begins as a copy of a fresh one.
    #expect(counter.copies == 2000)
    #expect(counter.takes == 10_000)
  }

  @Test func `a key whose past does not matter is forgotten`() throws {
    let contract = try Contract(
      parsing: "contract \"x\" version 1\nmark m\nat most 1 m per mark.k\n", file: "f")
    let field = try #require(contract.rules[0].fields(in: contract.names).first).field
    let counter = Counter()
    var monitor = KeyedMonitor(
      fields: [5: field], label: "mark.k", absence: "m never came", Probe(counter: counter, isSpent: true))
    for id in 0..<100 { monitor.take([Self.signal(id, key: 1, field)]) }
    #expect(counter.copies == 100)
    #expect(monitor.judge(Horizon(last: Point(position: 100, at: .zero), isClosed: true)).verdict == .holds)
  }
}
