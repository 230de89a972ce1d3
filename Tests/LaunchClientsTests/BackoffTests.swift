import LaunchClients
import Testing

@Suite struct BackoffTests {
  @Test(arguments: [
    (Backoff(first: .seconds(120), limit: .seconds(86400), spread: 0.5...1), [120, 240, 480]),
    (Backoff(first: .seconds(1), limit: .seconds(30), spread: 0.8...1.2), [1, 2, 4, 8, 16, 30, 30]),
    (Backoff(first: .seconds(50), limit: .seconds(30), spread: 1...1), [30, 30]),
  ])
  func `waits double up to the limit`(_ backoff: Backoff, _ seconds: [Int]) {
    #expect(seconds.indices.map { backoff.wait(beforeRetry: $0 + 1) } == seconds.map { .seconds($0) })
  }

  @Test func `a number beyond counting waits the limit`() {
    let backoff = Backoff(first: .seconds(1), limit: .seconds(30), spread: 1...1)
    #expect(backoff.wait(beforeRetry: .max) == .seconds(30))
    #expect(backoff.wait(beforeRetry: 0) == .seconds(1))
    #expect(Backoff(first: .zero, limit: .seconds(1), spread: 1...1).wait(beforeRetry: .max) == .zero)
  }

  @Test func `chance spreads within its bounds, and repeats with its seed`() {
    let backoff = Backoff(first: .seconds(1), limit: .seconds(30), spread: 0...1, floor: .milliseconds(500))
    var (first, second) = (Chance(seed: 3), Chance(seed: 3))
    var seen: Set<Duration> = []
    for _ in 0..<1000 {
      let wait = backoff.wait(beforeRetry: 2, using: &first)
      #expect(wait == backoff.wait(beforeRetry: 2, using: &second))
      #expect(.milliseconds(500)...(.seconds(2)) ~= wait)
      seen.insert(wait)
    }
    #expect(seen.count > 500)
  }
}
