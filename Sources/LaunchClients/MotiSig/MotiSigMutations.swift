/// The calls that change something, one at a time and in the order in which they were asked for (vendors.md 4.4).
///
/// A call that fails is not tried again; the next one follows. What a call needs it has taken along when it was added.
@MainActor
final class MotiSigMutations {
  private let tasks: TaskBag
  private var waiting: [@MainActor () async -> Void] = []
  private var isRunning = false

  init(tasks: TaskBag) { self.tasks = tasks }

  /// Adds a call behind all others.
  func add(_ call: @escaping @MainActor () async -> Void) {
    waiting.append(call)
    guard !isRunning else { return }
    isRunning = true
    tasks.start { await self.run() }
  }

  private func run() async {
    defer { isRunning = false }
    while !waiting.isEmpty, !Task.isCancelled { await waiting.removeFirst()() }
  }
}
