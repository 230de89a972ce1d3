import LaunchContract
import LaunchTrace
import Testing

/// Many triggers that wait for one answer: the random launches of the oracle are short.
struct ManyWaitingTests {
  @Test(arguments: [
    "every m is followed by n", "m then n", "n within 1 s of m", "n within 1 s of m or else att", "n only after m",
    "at least 1 n after m", "n at least 1 ms after m",
  ])
  func `one answer serves all that wait`(rule: String) throws {
    for count in [1, 31, 32, 33, 34, 50, 64, 65, 66, 100, 129, 1000] {
      var builder = TraceBuilder()
      for index in 0..<count { builder.mark("m", at: Int64(index) / 10) }
      builder.mark("n", at: 200)
      #expect(try builder.trace().verdict(on: rule) == .holds, "\(count) of m")
    }
  }

  @Test func `answers come in rounds`() throws {
    for count in [33, 34, 70] {
      var builder = TraceBuilder()
      for round in 0..<5 {
        let start = Int64(round) * 1000
        for index in 0..<count { builder.mark("m", at: start + Int64(index)) }
        builder.mark("n", at: start + 500)
      }
      #expect(try builder.trace().verdict(on: "every m is followed by n") == .holds)
      #expect(try builder.trace().verdict(on: "n within 500 ms of m") == .holds)
      #expect(try builder.trace().verdict(on: "n within 499 ms of m") == .broken)
    }
  }
}
