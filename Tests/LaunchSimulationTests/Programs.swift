import Testing

/// Programs whose output every legal executor agrees on: what orders their lines is awaiting, never a race of short sleeps.
struct Program: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let body: @Sendable (Log) async throws -> Void

  /// Runs the program and returns what it noted.
  func output() async throws -> [String] {
    let log = Log()
    try await body(log)
    return log.all
  }

  static let all = [
    Program(testDescription: "main actor", body: mainActor),
    Program(testDescription: "unstructured tasks", body: unstructuredTasks),
    Program(testDescription: "groups with cancellation", body: groups),
    Program(testDescription: "sleeps", body: sleeps),
    Program(testDescription: "AsyncStream", body: streams),
    Program(testDescription: "cancelled sleeps", body: cancelledSleeps),
    Program(testDescription: "continuations", body: continuations),
    Program(testDescription: "buffers of AsyncStream", body: streamBuffers),
    Program(testDescription: "re-entrant actors", body: reentrancy),
    Program(testDescription: "priorities", body: priorities),
    Program(testDescription: "groups that throw and discard", body: throwingGroups),
    Program(testDescription: "cancellation handlers", body: cancellationHandlers),
  ]
}

@MainActor private final class Splash {
  private let log: Log
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ log: Log) { self.log = log }

  func waitForSignal() async {
    await withCheckedContinuation { continuation in
      waiting = continuation
      Task {
        for round in 1...3 {
          log.note("poll \(round)")
          try? await Task.sleep(for: .milliseconds(2))
        }
        signal()
        signal()
      }
    }
    log.note("signalled")
  }

  nonisolated func assumingMain() -> String {
    MainActor.assumeIsolated { waiting == nil ? "nobody waits" : "somebody waits" }
  }

  private func signal() {
    guard let waiting else { return log.note("signal again") }
    log.note("signal")
    self.waiting = nil
    waiting.resume()
  }
}

@Sendable private func mainActor(_ log: Log) async {
  let splash = await Splash(log)
  async let value = MainActor.run { 7 }
  await splash.waitForSignal()
  log.note("value \(await value)")
  log.note(await MainActor.run { splash.assumingMain() })
  await Task.detached { @MainActor in log.note("detached to the main actor: \(splash.assumingMain())") }.value
}

private enum Name {
  @TaskLocal static var current = "nobody"
}

private actor Counter {
  private(set) var count = 0
  func add(_ amount: Int) async {
    let before = count
    await Task.yield()
    count = before + amount
  }
}

@Sendable private func unstructuredTasks(_ log: Log) async throws {
  await Name.$current.withValue("the app") {
    log.note(await Task { Name.current }.value)
    log.note(await Task.detached { Name.current }.value)
    async let child = Name.current
    log.note(await child)
  }
  let counter = Counter()
  for amount in [1, 10, 100] { await Task { await counter.add(amount) }.value }
  log.note("count \(await counter.count)")
  let sleeper = Task {
    do {
      try await Task.sleep(for: .seconds(600))
      log.note("slept")
    } catch {
      log.note("woken: \(error is CancellationError)")
    }
  }
  try await Task.sleep(for: .milliseconds(2))
  sleeper.cancel()
  await sleeper.value
  log.note("\(await Task(priority: .background) { Task.basePriority == .background }.value)")
  Task.immediate { log.note("at once") }
  log.note("after it")
  await withTaskExecutorPreference(globalConcurrentExecutor) { log.note("preferred \(await counter.count)") }
  struct Failure: Error {}
  let failing = Task { throw Failure() }
  do { try await failing.value } catch { log.note("\(error)") }
  var first = Task { 1 }
  for _ in 0..<20 { first = Task { [first] in await first.value + 1 } }
  log.note("chain \(await first.value)")
}

@Sendable private func groups(_ log: Log) async throws {
  let sum = await withTaskGroup { group in
    for number in 1...50 {
      group.addTask {
        await Task.yield(); return number
      }
    }
    return await group.reduce(0, +)
  }
  log.note("sum \(sum)")
  await withTaskGroup { group in
    for seconds in [600, 700, 800] {
      group.addTask { (try? await Task.sleep(for: .seconds(seconds))) == nil ? "cancelled" : "slept" }
    }
    group.addTask { "at once" }
    log.note(await group.next() ?? "")
    group.cancelAll()
    for await outcome in group { log.note(outcome) }
    let added = group.addTaskUnlessCancelled { "late" }
    log.note("added \(added)")
  }
  struct Failure: Error {}
  do {
    try await withThrowingTaskGroup { group in
      group.addTask { try await Task.sleep(for: .seconds(600)) }
      group.addTask { throw Failure() }
      for try await _ in group {}
    }
  } catch {
    log.note("\(error)")
  }
  await withDiscardingTaskGroup { group in
    group.addTask {
      await withTaskCancellationHandler {
        await Task.yield()
      } onCancel: {
        log.note("never")
      }
    }
  }
  async let slow = Task.sleep(for: .milliseconds(4))
  async let _: Void = Task.sleep(for: .seconds(600))
  try await slow
  log.note("slow done")
}

@Sendable private func sleeps(_ log: Log) async throws {
  let continuous = ContinuousClock()
  let suspending = SuspendingClock()
  let start = continuous.now
  let suspendingStart = suspending.now
  try await Task.sleep(nanoseconds: 1_000_001)
  try await Task.sleep(for: .milliseconds(1))
  try await Task.sleep(for: .milliseconds(1), tolerance: .milliseconds(1))
  try await Task.sleep(for: .milliseconds(1), tolerance: .zero, clock: .suspending)
  try await Task.sleep(until: .now + .milliseconds(1))
  try await Task.sleep(until: .now + .milliseconds(1), tolerance: .seconds(1), clock: .continuous)
  try await Task.sleep(until: suspending.now + .milliseconds(1), clock: .suspending)
  try await continuous.sleep(for: .milliseconds(1))
  try await suspending.sleep(until: suspending.now + .milliseconds(1), tolerance: nil)
  log.note("long enough \(continuous.now - start >= .nanoseconds(9_000_001))")
  log.note("on both clocks \(suspending.now - suspendingStart >= .nanoseconds(9_000_001))")
  try await Task.sleep(nanoseconds: 0)
  try await Task.sleep(for: .seconds(-3))
  try await Task.sleep(until: start)
  log.note("past deadlines")
  let deadline = continuous.now + .nanoseconds(1_500_000) + Duration(secondsComponent: 0, attosecondsComponent: 1)
  while continuous.now < deadline { try await Task.sleep(until: deadline) }
  log.note("past an odd deadline")
  let forever = Task { try await Task.sleep(for: .seconds(Int64.max / 4)) }
  forever.cancel()
  log.note("forever \(await forever.result.isFailure)")
  let measured = try await continuous.measure { try await Task.sleep(for: .milliseconds(1)) }
  log.note("measured \(measured >= .milliseconds(1))")
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}

@Sendable private func streams(_ log: Log) async throws {
  let (numbers, producer) = AsyncStream.makeStream(of: Int.self)
  let (echoes, echo) = AsyncStream.makeStream(of: Int.self)
  producer.onTermination = { reason in log.note("terminated: \(reason)") }
  let consumer = Task {
    for await number in numbers {
      log.note("got \(number)")
      echo.yield(number)
    }
    log.note("no more")
  }
  var iterator = echoes.makeAsyncIterator()
  for number in 1...3 {
    try await Task.sleep(for: .milliseconds(1))
    log.note("put \(number)")
    producer.yield(number)
    _ = await iterator.next()
  }
  producer.finish()
  await consumer.value
  let newest = AsyncStream(bufferingPolicy: .bufferingNewest(2)) { continuation in
    for number in 1...5 { continuation.yield(number) }
    continuation.finish()
  }
  for await number in newest { log.note("kept \(number)") }
  let endless = Task {
    for await _ in AsyncStream<Int>(unfolding: {
      try? await Task.sleep(for: .seconds(600)); return nil
    }) {}
  }
  endless.cancel()
  await endless.value
  log.note("endless ended")
}
