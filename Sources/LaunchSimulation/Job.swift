#if !canImport(Darwin)
  import CSimulation
  import _Concurrency

  /// One job of the runtime, which must run exactly once.
  struct Job {
    let job: UnownedJob
    let onMain: Bool

    init(_ job: consuming ExecutorJob, onMain: Bool) {
      self.job = UnownedJob(job)
      self.onMain = onMain
    }

    /// The job as the task that it goes on with; nil for what the runtime enqueues for itself.
    var task: TaskPointer? {
      unsafe TaskPointer(job: unsafeBitCast(job, to: UnsafeMutablePointer<launch_job>.self))
    }
  }

  /// A task of the runtime. It may be gone: only who knows that it is not may ask more than whether two are the same.
  @safe struct TaskPointer: Equatable {
    private let pointer: UnsafeMutablePointer<launch_job>

    fileprivate init?(job pointer: UnsafeMutablePointer<launch_job>) {
      guard unsafe launch_is_task(pointer) else { return nil }
      unsafe self.pointer = unsafe pointer
    }

    init<Success, Failure>(_ task: Task<Success, Failure>) {
      unsafe pointer = unsafe unsafeBitCast(task, to: UnsafeMutablePointer<launch_job>.self)
    }

    /// The task whose code is running on this thread.
    static var current: TaskPointer? {
      unsafe launch_current_task().flatMap { unsafe TaskPointer(job: $0) }
    }

    static func == (one: TaskPointer, other: TaskPointer) -> Bool { unsafe one.pointer == other.pointer }

    var isChild: Bool { unsafe launch_is_child(pointer) }
    var number: UInt64 { unsafe launch_task_number(pointer) }

    /// Made of the address, in no order.
    var scattered: Int {
      let bits = unsafe UInt(bitPattern: pointer) &* 0x9e37_79b9_7f4a_7c15
      return Int(bits >> 32)
    }

    /// Cancels the task, which was made for this, to learn what changes in one.
    func learnCancellation() { unsafe launch_learn_cancellation(pointer) }

    func cancel() { unsafe launch_cancel(pointer) }

    func retain() { _ = unsafe object.retain() }
    func release() { unsafe object.release() }

    /// Whether nobody but the one who asks retains the task. Until it is done, it retains itself.
    var isLetGo: Bool { unsafe launch_reference_count(pointer) == 1 }

    private var object: Unmanaged<AnyObject> { unsafe .fromOpaque(pointer) }
  }
#endif
