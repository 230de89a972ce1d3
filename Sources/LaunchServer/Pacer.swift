/// Decides what the pacing thread does next. Pure: moments go in, bytes and deadlines come out.
///
/// Each job is in one of three states: it waits for its next deadline; it has begun a write too large for one go, and
/// takes turns with others like it; or its client is slow, and it is parked until there is room to write.
struct Pacer {
  enum Step: Equatable {
    /// Write these bytes of job `id` without waiting, then call `wrote`, `parked` or `remove`.
    case write(id: Int, bytes: ArraySlice<UInt8>, isFollowed: Bool)
    /// The job is over: `isWritten` to its end, or its client took nothing for too long.
    case end(id: Int, isWritten: Bool)
    /// There is nothing to do before this moment.
    case wait(until: Moment)
  }

  private struct Entry {
    var job: Job
    var isParked = false
    /// Whether the client has not yet taken what was due before: how late the rest is says nothing about this thread.
    var isBehind = false
    var wasSlow = false
  }

  /// How long before a deadline no piece of a large write is begun any more.
  static let guardTime = Duration.microseconds(50)

  /// No more is written at once, so that a large answer does not hold up another's deadline: 10 to 20 microseconds on
  /// loopback.
  static let sliceBytes = 64 * 1024
  /// The same while no deadline is near.
  static let largeSliceBytes = 256 * 1024

  private let patience: Duration
  private var entries: [Int: Entry] = [:]
  private var heap = JobHeap()
  /// Jobs in the middle of a large write; the first is next.
  private var bulk: [Int] = []

  /// - Parameter patience: How long a client may take nothing of what is due.
  init(patience: Duration) { self.patience = patience }

  mutating func add(_ job: Job, id: Int) {
    entries[id] = Entry(job: job)
    heap.set(id, job.deadline)
  }

  mutating func remove(_ id: Int) {
    entries[id] = nil
    heap.remove(id)
    bulk.removeAll { $0 == id }
  }

  /// What to do at `now`; a write of due bytes goes before everything else.
  mutating func next(at now: Moment) -> Step {
    if let id = heap.takeDue(at: now) { return step(id, at: now) }
    if let id = bulk.first, heap.next.map({ now + Self.guardTime < $0 }) ?? true {
      bulk.removeFirst()
      return step(id, at: now)
    }
    return .wait(until: heap.next ?? .never)
  }

  /// The write that will be due first, for who wants its bytes at hand before its moment. Nil when nothing is to be
  /// written then.
  var upcoming: (id: Int, bytes: ArraySlice<UInt8>, isFollowed: Bool)? {
    guard let id = heap.nextID, let entry = entries[id], !entry.isParked,
      let next = entry.job.next(upTo: Self.sliceBytes)
    else { return nil }
    return (id, next.bytes, next.isFollowed)
  }

  private mutating func step(_ id: Int, at now: Moment) -> Step {
    guard let entry = entries[id] else { preconditionFailure("a job with a deadline is known") }
    let isNear = heap.next.map { $0 < now + .milliseconds(1) } ?? false
    let limit = isNear ? Self.sliceBytes : Self.largeSliceBytes
    guard !entry.isParked, let next = entry.job.next(upTo: limit) else {
      remove(id)
      return .end(id: id, isWritten: !entry.isParked)
    }
    return .write(id: id, bytes: next.bytes, isFollowed: next.isFollowed)
  }

  /// Takes note that `count` bytes of job `id` were written; `now` is the time after it.
  /// - Returns: How late a timed write was with its first bytes; nil for other bytes, and where that was the client's
  ///   doing.
  mutating func wrote(_ count: Int, of id: Int, at now: Moment) -> PacingReport.Sample? {
    guard var entry = entries[id] else { return nil }
    let isMeasured = entry.job.isAtStartOfWrite && entry.job.isTimed && !entry.isBehind
    let sample: PacingReport.Sample? =
      isMeasured
      ? PacingReport.Sample(
        answer: entry.job.number, offset: entry.job.offset, lateness: now - entry.job.deadline) : nil
    entry.job.advance(by: count)
    if entry.job.isAtStartOfWrite {
      entry.isBehind = entry.isBehind && entry.job.deadline <= now
      heap.set(id, entry.job.deadline)
    } else {
      heap.remove(id)
      bulk.append(id)
    }
    entries[id] = entry
    return sample
  }

  /// Takes note that the client of job `id` has no room for more; true when it is the first time in this job.
  mutating func parked(_ id: Int, at now: Moment) -> Bool {
    guard var entry = entries[id] else { return false }
    defer { entries[id]?.wasSlow = true }
    entry.isParked = true
    entry.isBehind = true
    entries[id] = entry
    heap.set(id, now + patience)
    return !entry.wasSlow
  }

  /// Takes note that there is room again; false when job `id` did not wait for any.
  mutating func unpark(_ id: Int) -> Bool {
    guard entries[id]?.isParked == true else { return false }
    entries[id]?.isParked = false
    heap.remove(id)
    bulk.append(id)
    return true
  }
}
