import Synchronization

/// One connection's entry in the account of its listener.
final class Place: Sendable {
  private let listener: Listener
  private let id: Int
  private let number = Atomic(Activity.idle(since: .now).number)

  init(listener: Listener, id: Int) {
    self.listener = listener
    self.id = id
  }

  var activity: Activity { Activity(number: number.load(ordering: .sequentiallyConsistent)) }

  /// Notes what the connection does now; false when it should end because the server is stopping.
  ///
  /// Takes no lock. The listener first says what it wants and then looks at activities, a connection does it the other
  /// way round: one of the two sees the other.
  func enter(_ activity: Activity) -> Bool {
    number.store(activity.number, ordering: .sequentiallyConsistent)
    if activity != .busy { listener.noteEndable() }
    return activity.isInRequest || !listener.isStopping
  }

  /// To be called before the descriptor is closed.
  func leave() { listener.leave(id) }
}
