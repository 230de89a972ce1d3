import CCurl
import LaunchHTTP
import Synchronization

/// A request on its way to the engine thread.
struct Submission: Sendable {
  var id: Int
  var plan: TransferPlan
  var sink: any TransportSink
  /// Resumed once, with the error delivered or nil, after the last delivery has been flushed.
  var continuation: CheckedContinuation<TransportError?, Never>
}

/// libcurl's handle for all transfers of an engine.
@safe struct MultiHandle: Sendable {
  /// The one hand-off between threads: the engine thread alone uses the handle, but for `curl_multi_wakeup`, the only
  /// call libcurl allows from other threads, which the mailbox makes while the engine has not ended.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer
}

/// What other threads tell the engine thread, in order.
final class Mailbox: Sendable {
  enum Command: Sendable {
    case start(Submission)
    case cancel(Int)
  }

  private struct State {
    var commands: [Command] = []
    var lastID = 0
    /// Nil while requests are taken, then why they are not.
    var closing: TransportError?
    /// Nil once the engine has ended, or if it never began.
    var multi: MultiHandle?
  }

  private let state: Mutex<State>

  init(_ multi: MultiHandle?) { state = Mutex(State(multi: multi)) }

  func makeID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  /// Hands `submission` to the engine, or returns why it is not taken.
  func submit(_ submission: Submission) -> TransportError? {
    state.withLock { state in
      if let closing = state.closing { return closing }
      Self.post(.start(submission), to: &state)
      return nil
    }
  }

  /// Has the engine cancel the transfer of this number if it is under way; otherwise nothing happens.
  func cancel(_ id: Int) {
    state.withLock { state in
      if state.closing == nil { Self.post(.cancel(id), to: &state) }
    }
  }

  /// Takes no more requests, and has the engine end those under way, and itself.
  func close(because error: TransportError) {
    state.withLock { state in
      guard state.closing == nil else { return }
      state.closing = error
      Self.wake(state)
    }
  }

  /// What was posted since the last call, and why the engine is to end, if it is.
  func take() -> (commands: [Command], closing: TransportError?) {
    state.withLock { state in
      defer { state.commands = [] }
      return (state.commands, state.closing)
    }
  }

  /// The engine's last call: after it nobody touches the multi handle.
  func end() { state.withLock { $0.multi = nil } }

  private static func post(_ command: Command, to state: inout State) {
    // A full mailbox has woken the engine already, or is about to be taken.
    if state.commands.isEmpty { wake(state) }
    state.commands.append(command)
  }

  private static func wake(_ state: State) {
    if let multi = state.multi { unsafe curl_multi_wakeup(multi.pointer) }
  }
}
