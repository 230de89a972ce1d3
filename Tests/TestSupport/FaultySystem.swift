#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

package import LaunchFile
import Synchronization

/// System calls of which one, counted from 1 over all kinds, goes wrong.
package final class FaultySystem: Sendable {
  /// What goes wrong with the call.
  package enum Fault: Hashable, Sendable {
    /// It does nothing and fails with this `errno`; every later one of its kind does too, as on a full disk.
    case fails(Int32)
    /// A signal interrupts it, once.
    case interrupted
    /// A write takes a third of the bytes, at least one. Other calls are not affected.
    case short
    /// The process dies in it: a write has taken this many bytes at most, another call has done nothing, and nothing is
    /// ever done again.
    case dies(bytes: Int)
  }

  private enum Kind { case open, write, flush, lock, rename, link, unlink }

  private struct State {
    var count = 0
    var failing: Kind?
    var isDead = false
  }

  private let fault: Fault?
  private let number: Int
  private let state = Mutex(State())

  /// - Parameter number: The call that goes wrong. None does without a fault.
  package init(_ fault: Fault? = nil, at number: Int = 0) {
    self.fault = fault
    self.number = number
  }

  /// How many calls were made until now, or until the death.
  package var count: Int { state.withLock { $0.count } }

  package var calls: SystemCalls {
    let real = SystemCalls()
    var calls = SystemCalls()
    calls.openFile = { path, flags, mode in self.run(.open) { real.openFile(path, flags, mode) } }
    calls.flushFile = { descriptor in self.run(.flush) { real.flushFile(descriptor) } }
    calls.lockFile = { descriptor in self.run(.lock) { real.lockFile(descriptor) } }
    calls.renameFile = { path, newPath in self.run(.rename) { real.renameFile(path, newPath) } }
    calls.linkFile = { path, newPath in self.run(.link) { real.linkFile(path, newPath) } }
    calls.unlinkFile = { path in self.run(.unlink) { real.unlinkFile(path) } }
    calls.writeBytes = { descriptor, bytes in
      var bytes = bytes
      return self.run(.write) { fault in
        switch fault {
        case .short: bytes = bytes.prefix(max(1, bytes.count / 3))
        case .dies(let count):
          _ = real.writeBytes(descriptor, bytes.prefix(count))
          errno = EIO
          return -1
        default: break
        }
        return real.writeBytes(descriptor, bytes)
      }
    }
    return calls
  }

  private func run(_ kind: Kind, _ call: () -> Int32) -> Int32 {
    run(kind) { fault in
      guard case .dies = fault else { return call() }
      errno = EIO
      return -1
    }
  }

  /// Runs the call, with the fault if it is the one and the fault is not one that keeps it from running.
  private func run<Result: SignedInteger>(_ kind: Kind, _ call: (Fault?) -> Result) -> Result {
    let (fault, code) = state.withLock { state -> (Fault?, Int32?) in
      if state.isDead { return (nil, EIO) }
      state.count += 1
      if state.failing == kind, case .fails(let code) = self.fault { return (nil, code) }
      guard state.count == number, let fault = self.fault else { return (nil, nil) }
      switch fault {
      case .fails(let code):
        state.failing = kind
        return (nil, code)
      case .interrupted: return (nil, EINTR)
      case .short: return (fault, nil)
      case .dies:
        state.isDead = true
        return (fault, nil)
      }
    }
    if let code {
      errno = code
      return -1
    }
    return call(fault)
  }
}
