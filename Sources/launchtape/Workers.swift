import LaunchExplore
import LaunchFile

/// Explores with several processes of this program, each of which takes one part after the other.
@MainActor
struct Workers {
  private let count: Int
  private let request: ExploreRequest
  private let words: [String]
  private let deadline: ContinuousClock.Instant?

  init(count: Int, _ request: ExploreRequest, _ arguments: Arguments, orders: Orders) {
    self.count = count
    self.request = request
    deadline = request.budget.map { .now + $0 }
    let own: Set = ["workers", "budget", "output", "write-test", "no-idle", "orders"]
    words = ["--orders=\(orders.word)"] + arguments.words(without: own)
  }

  /// How often a part is run before it is given up.
  private static let tries = 3

  /// - Throws: `Failure` when a part cannot be run, or when the user ends the command.
  func tally(unitCount: Int) async throws -> Tally {
    let folder = try createUniqueFolder(prefix: "launchtape-explore-")
    defer { try? removeFolder(folder) }
    let interruptions = Signals.interruptions()
    let exploring = Task { try await results(in: folder, unitCount) }
    let watch = Task {
      for await _ in interruptions { exploring.cancel() }
    }
    defer { watch.cancel() }
    let result = await exploring.result
    if exploring.isCancelled { throw Failure(message: "interrupted; nothing was concluded", isInterruption: true) }
    return try ShardResult.merged(result.get(), of: request.key, unitCount: unitCount)
  }

  private func results(in folder: String, _ unitCount: Int) async throws -> [ShardResult] {
    let parts = min(unitCount, 4 * count)
    let line = ProgressLine()
    defer { line.clear() }
    var results: [ShardResult] = []
    try await withThrowingTaskGroup(of: ShardResult.self) { group in
      var next = 1
      func start() {
        guard next <= parts else { return }
        let number = next
        next += 1
        group.addTask { try await part(number, of: parts, in: folder) }
      }
      for _ in 0..<count { start() }
      for try await result in group {
        results.append(result)
        line.show(schedules: results.reduce(0) { $0 + $1.tally.schedules }, done: results.count, of: parts)
        start()
      }
    }
    return results
  }

  /// One part; again when its process was killed.
  private func part(_ number: Int, of parts: Int, in folder: String) async throws -> ShardResult {
    let path = joinPath(folder, "\(number)")
    let budget = deadline.map { ["--budget=\(max(1, Int(($0 - .now) / .milliseconds(1))))ms"] } ?? []
    var ending = ChildCommand.Ending.exit(0)
    for _ in 0..<Self.tries {
      ending = try await ChildCommand.run(
        [CommandLine.arguments[0], "explore", "--shard=\(number)/\(parts)"] + budget + words,
        environment: Environment.variables, forwarding: AsyncStream { _ in }, output: path)
      if ending == .exit(0), let result = try? ShardResult.read(path) { return result }
      // What it could not do once, it cannot do again; its reason is on standard error.
      if case .exit(let code) = ending, code != 0 { break }
      try Task.checkCancellation()
    }
    throw Failure(message: "part \(number) of \(parts) of the exploration was not run: its process \(ending)")
  }
}
