import CPlatform
import Synchronization

/// Where other threads leave letters for one that sleeps until descriptors, a moment or a letter wake it.
final class Mailbox<Letter: Sendable>: Sendable {
  private struct State {
    var letters: [Letter] = []
    /// Set while the owner sleeps: only what is due before this moment has to wake it.
    var sleepsUntil: Moment?
  }

  private let state = Mutex(State())
  /// Whether there are letters: cheap enough to ask in every round.
  private let isFilled = Atomic(false)
  /// Has input when the owner is to wake up.
  let alarm: Int32
  private let waker: Int32

  /// - Throws: `ServerError.outOfResources` when there is no descriptor left.
  init() throws(ServerError) {
    var (alarm, waker): (Int32, Int32) = (-1, -1)
    let code = unsafe launch_pipe(&alarm, &waker)
    (self.alarm, self.waker) = (alarm, waker)
    if code != 0 { throw .outOfResources(reason: systemSentence(code)) }
  }

  /// Whoever can still post holds on to the mailbox: no number is written to that the system has given to someone else.
  deinit {
    for descriptor in [alarm, waker] where descriptor >= 0 { launch_close(descriptor) }
  }

  /// Leaves a letter. The owner is woken when it would sleep past `deadline`.
  func post(_ letter: Letter, dueAt deadline: Moment = .now) {
    let isAsleep = state.withLock { state in
      state.letters.append(letter)
      isFilled.store(true, ordering: .releasing)
      guard let sleepsUntil = state.sleepsUntil, deadline < sleepsUntil else { return false }
      // Woken by one letter only.
      state.sleepsUntil = nil
      return true
    }
    if isAsleep { launch_pipe_fill(waker) }
  }
}

/// The side of the owner.
extension Mailbox {
  var isEmpty: Bool { !isFilled.load(ordering: .acquiring) }

  func takeLetters() -> [Letter] {
    if isEmpty { return [] }
    return state.withLock { state in
      defer { state.letters = [] }
      isFilled.store(false, ordering: .relaxed)
      return state.letters
    }
  }

  /// Says that the owner will sleep until `moment`; false when a letter has arrived meanwhile.
  func willSleep(until moment: Moment) -> Bool {
    state.withLock { state in
      guard state.letters.isEmpty else { return false }
      state.sleepsUntil = moment
      return true
    }
  }

  func didWake() { state.withLock { $0.sleepsUntil = nil } }
}
