import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that runs on this process's own input and output, in its process group, and gets its signals.
///
/// Not Foundation's `Process`: that puts the program into a group of its own, which may not read from the terminal, and
/// lets it inherit the signals that this process ignores.
final class ChildCommand: Sendable {
  /// How it ended.
  enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    var description: String {
      switch self {
      case .exit(let code): "exited with \(code)"
      case .signal(let number): "was ended by signal \(number)"
      }
    }
  }

  private let id: pid_t
  /// Whether the system may have given the number to another process.
  private let isGone = Mutex(false)

  /// Runs `words` to the end; when the task is cancelled, kills the program.
  /// - Parameters:
  ///   - signals: Each is passed on while the program runs; the third one ends it, whatever it makes of signals.
  ///   - output: The file that its standard output goes to; nil for that of this process.
  /// - Throws: `Failure` when it cannot be started.
  static func run(
    _ words: [String], environment: [String: String], forwarding signals: AsyncStream<Int32>, output: String? = nil
  ) async throws(Failure) -> Ending {
    let child = try ChildCommand(words, environment: environment, output: output)
    let forwarding = Task {
      var count = 0
      for await number in signals {
        count += 1
        child.forward(count < 3 ? number : SIGKILL)
      }
    }
    defer { forwarding.cancel() }
    return await withTaskCancellationHandler {
      await child.ending()
    } onCancel: {
      child.send(SIGKILL)
    }
  }

  /// Starts the program, which is looked for in `PATH`.
  private init(_ words: [String], environment: [String: String], output: String?) throws(Failure) {
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let (code, id) = unsafe withCStrings(words) { words in
      unsafe withCStrings(variables) { variables in unsafe spawn(words, variables, output) }
    }
    guard code == 0 else {
      throw Failure(message: "cannot run \(words.first ?? ""): \(unsafe String(cString: strerror(code)))")
    }
    self.id = id
  }

  private func ending() async -> Ending {
    // Waiting blocks, which no thread of a pool may.
    await withCheckedContinuation { continuation in
      let code = detachThread { [self] in continuation.resume(returning: wait()) }
      // Without a thread there is nothing better than to block this one.
      if code != 0 { continuation.resume(returning: wait()) }
    }
  }

  private func wait() -> Ending {
    // Leaves the number taken until nobody can send it a signal any more.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return isGone.withLock { isGone in
      isGone = true
      var status: Int32 = 0
      while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      return signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal)
    }
  }

  private func forward(_ number: Int32) {
    // The terminal gives Ctrl-C to the whole group, and a second one often means to give up at once.
    if number == SIGINT, isInForeground { return }
    send(number)
  }

  private func send(_ number: Int32) {
    isGone.withLock { isGone in
      if !isGone { kill(id, number) }
    }
  }
}

/// Whether Ctrl-C on the terminal reaches this process and whatever it started.
private var isInForeground: Bool {
  [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { tcgetpgrp($0) == getpgrp() }
}

/// Starts a program with the default reaction to every signal that this process ignores.
/// - Returns: 0 or the errno value, and the number of the process.
private func spawn(
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>,
  _ variables: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ output: String?
) -> (code: Int32, id: pid_t) {
  #if canImport(Darwin)
    var attributes: posix_spawnattr_t?
  #else
    var attributes = posix_spawnattr_t()
  #endif
  unsafe posix_spawnattr_init(&attributes)
  defer { unsafe posix_spawnattr_destroy(&attributes) }
  var ignored = sigset_t()
  unsafe sigemptyset(&ignored)
  for number in Signals.ending + [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&ignored, number) }
  unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
  var blocked = sigset_t()
  unsafe sigemptyset(&blocked)
  unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
  var id: pid_t = 0
  guard let program = unsafe words[0] else { return (ENOENT, 0) }
  guard let output else {
    let code = unsafe posix_spawnp(&id, program, nil, &attributes, words, variables)
    return (code, id)
  }
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
  #else
    var actions = unsafe posix_spawn_file_actions_t()
  #endif
  unsafe posix_spawn_file_actions_init(&actions)
  defer { unsafe posix_spawn_file_actions_destroy(&actions) }
  unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  let code = unsafe posix_spawnp(&id, program, &actions, &attributes, words, variables)
  return (code, id)
}

/// The texts as C strings with nil behind the last, for as long as `body` runs.
private func withCStrings<Value>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Value
) -> Value {
  let strings = UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
  unsafe strings.initialize(repeating: nil)
  for (index, text) in texts.enumerated() { unsafe strings[index] = strdup(text) }
  defer {
    for index in 0...texts.count { unsafe free(strings[index]) }
    unsafe strings.deallocate()
  }
  guard let start = strings.baseAddress else { preconditionFailure("an allocated buffer has an address") }
  return unsafe body(start)
}
