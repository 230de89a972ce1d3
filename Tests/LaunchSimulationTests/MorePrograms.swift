/// Every form of sleep, cancelled before it began, while it lasts, and after it ended.
@Sendable func cancelledSleeps(_ log: Log) async throws {
  let forms: [(name: String, sleep: @Sendable (Duration) async throws -> Void)] = [
    ("nanoseconds", { try await Task.sleep(nanoseconds: UInt64($0 / .nanoseconds(1))) }),
    ("for", { try await Task.sleep(for: $0) }),
    ("for, with tolerance", { try await Task.sleep(for: $0, tolerance: .seconds(1), clock: .continuous) }),
    ("until", { try await Task.sleep(until: .now + $0) }),
    ("until, suspending", { try await Task.sleep(until: .now + $0, tolerance: .zero, clock: .suspending) }),
    ("continuous clock", { try await ContinuousClock().sleep(for: $0) }),
    ("suspending clock", { try await SuspendingClock().sleep(until: .now + $0, tolerance: nil) }),
    ("main actor", { duration in try await Task { @MainActor in try await Task.sleep(for: duration) }.value }),
  ]
  for form in forms {
    @Sendable func outcome(_ duration: Duration) async -> String {
      do {
        try await form.sleep(duration)
        return "slept"
      } catch {
        return error is CancellationError ? "cancelled" : "\(error)"
      }
    }
    let before = Task {
      while !Task.isCancelled { await Task.yield() }
      return form.name == "main actor" ? "cancelled" : await outcome(.seconds(600))
    }
    before.cancel()
    let during = Task {
      await withTaskCancellationHandler {
        form.name == "main actor" ? "cancelled" : await outcome(.seconds(600))
      } onCancel: {
      }
    }
    try await Task.sleep(for: .milliseconds(1))
    during.cancel()
    let after = Task { await outcome(.milliseconds(1)) }
    let slept = await after.value
    after.cancel()
    log.note("\(form.name): \(await before.value), \(await during.value), \(slept), \(await after.value)")
  }
}

@Sendable func continuations(_ log: Log) async throws {
  struct Failure: Error {}
  log.note("at once \(await withCheckedContinuation { $0.resume(returning: 1) })")
  log.note("later \(await withCheckedContinuation { later in Task { later.resume(returning: 2) } })")
  log.note(
    "unsafe \(unsafe await withUnsafeContinuation { later in Task.detached { unsafe later.resume(returning: 3) } })")
  do {
    try await withCheckedThrowingContinuation { (later: CheckedContinuation<Void, any Error>) in
      Task { @MainActor in later.resume(throwing: Failure()) }
    }
  } catch {
    log.note("thrown \(error)")
  }
  do {
    try unsafe await withUnsafeThrowingContinuation { (later: UnsafeContinuation<Void, any Error>) in
      unsafe later.resume(throwing: Failure())
    }
  } catch {
    log.note("unsafely thrown \(error)")
  }
  let fromMain = await Task { @MainActor in
    let value = await withCheckedContinuation { later in Task.detached { later.resume(returning: 4) } }
    MainActor.assertIsolated()
    return value
  }.value
  log.note("back on the main actor with \(fromMain)")
}

@Sendable func streamBuffers(_ log: Log) async throws {
  typealias Policy = AsyncStream<Int>.Continuation.BufferingPolicy
  let policies: [(String, Policy)] = [
    ("unbounded", .unbounded), ("oldest", .bufferingOldest(2)), ("newest", .bufferingNewest(2)),
    ("none", .bufferingOldest(0)),
  ]
  for (name, policy) in policies {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
    let results = (1...4).map { "\(continuation.yield($0))" }
    continuation.finish()
    let late = continuation.yield(5)
    var kept: [Int] = []
    for await number in stream { kept.append(number) }
    log.note("\(name) \(kept) \(results) \(late)")
  }
  struct Failure: Error {}
  let (throwing, source) = AsyncThrowingStream.makeStream(of: Int.self)
  source.onTermination = { log.note("terminated \($0)") }
  source.yield(1)
  source.finish(throwing: Failure())
  do { for try await number in throwing { log.note("\(number)") } } catch { log.note("\(error)") }
  let (dropped, dropping) = AsyncStream.makeStream(of: Int.self)
  dropping.onTermination = { log.note("dropped \($0)") }
  let reader = Task { for await _ in dropped {} }
  try await Task.sleep(for: .milliseconds(1))
  reader.cancel()
  await reader.value
  log.note("after it \(dropping.yield(1))")
  let pulled = AsyncStream(unfolding: { () -> Int? in
    await Task.yield()
    return nil
  })
  for await _ in pulled { log.note("never") }
  log.note("pulled dry")
}

private actor Account {
  private var balance = 100
  private(set) var withdrawals: [String] = []

  /// Checks, waits, then acts on what may no longer be so.
  func withdraw(_ amount: Int, after gate: AsyncStream<Void>) async {
    guard balance >= amount else { return withdrawals.append("refused") }
    for await _ in gate { break }
    balance -= amount
    withdrawals.append("balance \(balance)")
  }

  func deposit(_ amount: Int) { balance += amount }

  nonisolated func name() -> String { "account" }

  func ordered(_ log: Log) async {
    assertIsolated()
    log.note("first")
    await MainActor.run { log.note("second, on the main actor") }
    assertIsolated()
    log.note("third")
  }
}

@Sendable func reentrancy(_ log: Log) async throws {
  let account = Account()
  let (gate, open) = AsyncStream.makeStream(of: Void.self)
  let first = Task { await account.withdraw(80, after: gate) }
  try await Task.sleep(for: .milliseconds(2))
  // The actor is free while the first waits.
  await account.deposit(5)
  log.note("deposited")
  await account.withdraw(90, after: AsyncStream { $0.yield() })
  open.yield()
  await first.value
  for line in await account.withdrawals { log.note(line) }
  await account.ordered(log)
  log.note(account.name())
}

@Sendable func priorities(_ log: Log) async throws {
  for priority in [TaskPriority.high, .medium, .low, .background] {
    // Not its current priority: who waits for it may have raised that before it runs.
    let task = Task(priority: priority) { Task.basePriority == priority }
    log.note("\(priority): \(await task.value)")
  }
  log.note(
    "child \(await Task(priority: .low) { async let child = Task.basePriority; return await child == .low }.value)")
  let slow = Task(priority: .background) {
    while Task.currentPriority == .background { await Task.yield() }
    return Task.basePriority == .background
  }
  let fast = Task(priority: .high) { await slow.value }
  log.note("raised by its waiter, not at its base: \(await fast.value)")
}

@Sendable func throwingGroups(_ log: Log) async throws {
  struct Failure: Error {}
  do {
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask {
        do { try await Task.sleep(for: .seconds(600)) } catch { log.note("sibling: \(error is CancellationError)") }
      }
      group.addTask {
        try await Task.sleep(for: .milliseconds(1))
        throw Failure()
      }
    }
  } catch {
    log.note("discarding: \(error)")
  }
  let outcome = await withThrowingTaskGroup(of: Int.self) { group in
    group.addTask { 1 }
    group.addTask { throw Failure() }
    var outcomes: [String] = []
    while let result = await group.nextResult() { outcomes.append("\(result)") }
    return outcomes.sorted().count
  }
  log.note("\(outcome) results")
  do {
    async let number: Int = { throw Failure() }()
    async let other = 2
    log.note("\(try await number + other)")
  } catch {
    log.note("async let: \(error)")
  }
  do {
    async let _: Void = Task.sleep(for: .seconds(600))
    log.note("leaves the scope of a sleeper")
  }
  log.note("left")
}

@Sendable func cancellationHandlers(_ log: Log) async throws {
  let task = Task {
    await withTaskCancellationHandler {
      await withTaskCancellationHandler {
        try? await Task.sleep(for: .seconds(600))
        log.note("inner ends, cancelled: \(Task.isCancelled)")
      } onCancel: {
        log.note("inner handler")
      }
      await withTaskCancellationHandler {
        log.note("late body")
      } onCancel: {
        log.note("late handler, at once")
      }
    } onCancel: {
      log.note("outer handler")
    }
    do { try Task.checkCancellation() } catch { log.note("\(error is CancellationError)") }
    await Task.yield()
    log.note("yield does not throw")
    log.note("a new task is not cancelled: \(await Task { Task.isCancelled }.value)")
    async let child = Task.isCancelled
    log.note("a child is: \(await child)")
  }
  try await Task.sleep(for: .milliseconds(2))
  task.cancel()
  task.cancel()
  await task.value
}
