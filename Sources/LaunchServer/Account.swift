import CPlatform

/// The open connections of a listener, and who waits for the last of them.
///
/// A connection's own thread closes its descriptor. The number stands here only to shut the connection down, and is
/// gone before the descriptor is closed: a number that the system has given to someone else is never used.
struct Account {
  private struct Entry {
    var place: Place
    var descriptor: Int32
    /// Whether it was made to end, and only has not gone yet.
    var isEnding = false
  }

  private var entries: [Int: Entry] = [:]
  private var nextID = 1
  /// The writing end of the pipe that wakes the accepting thread; nil once that thread is done.
  var waker: Int32?
  var waiting: [CheckedContinuation<Void, Never>] = []

  init(waker: Int32) { self.waker = waker }

  var count: Int { entries.count }

  mutating func add(_ descriptor: Int32, to listener: Listener) -> Place {
    defer { nextID += 1 }
    let place = Place(listener: listener, id: nextID)
    entries[nextID] = Entry(place: place, descriptor: descriptor)
    return place
  }

  mutating func leave(_ id: Int) {
    entries[id] = nil
    wake()
  }

  func shutDown(where isEnding: (Activity) -> Bool) {
    for entry in entries.values where isEnding(entry.place.activity) { launch_shut_down(entry.descriptor, 1) }
  }

  /// Makes the connection end that has been of no use longest, unless one is about to go anyway.
  mutating func shutDownLongestIdle() {
    if entries.values.contains(where: \.isEnding) { return }
    let idle = entries.compactMap { id, entry in entry.place.activity.idleSince.map { (since: $0, id: id) } }
    guard let longest = idle.min(by: { $0.since < $1.since }), let entry = entries[longest.id] else { return }
    entries[longest.id]?.isEnding = true
    launch_shut_down(entry.descriptor, 1)
  }

  func wake() {
    if let waker { launch_pipe_fill(waker) }
  }
}
