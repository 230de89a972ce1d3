import CPlatform

/// Where a connection's thread waits until the pacing thread has done its part.
///
/// Not a pipe: with hundreds of connections those would use up the process's descriptors.
@safe final class Latch: Sendable {
  // Made here, freed in deinit, and locked by itself in between.
  nonisolated(unsafe) private let pointer = unsafe launch_latch_make()

  deinit { unsafe launch_latch_free(pointer) }

  /// Lets the waiting thread go on, once for each wait.
  func release(_ outcome: Pacing.Outcome) { unsafe launch_latch_release(pointer, outcome.number) }

  func wait() -> Pacing.Outcome { Pacing.Outcome(number: unsafe launch_latch_wait(pointer)) }
}

extension Pacing.Outcome {
  private static let writtenNumber: Int64 = 1

  fileprivate init(number: Int64) {
    self = number == Self.writtenNumber ? .written : .gone(Moment(nanoseconds: number))
  }

  /// Never 0, and moments of the clock are far from 1.
  fileprivate var number: Int64 {
    switch self {
    case .written: Self.writtenNumber
    case .gone(let moment): max(moment.nanoseconds, Self.writtenNumber + 1)
    }
  }
}
